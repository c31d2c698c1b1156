#include "timeline/journeys.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "systemc/network/route.hpp"

namespace annelid::timeline {

std::uint64_t Hop::flits() const {
  return std::accumulate(bursts.begin(), bursts.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Burst& b) { return sum + b.flits; });
}

std::uint64_t Hop::waited() const {
  return std::accumulate(waits.begin(), waits.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Wait& w) { return sum + w.cycles; });
}

std::uint64_t Journey::waited() const {
  return std::accumulate(hops.begin(), hops.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Hop& h) { return sum + h.waited(); });
}

std::string Journey::number_text() const {
  return (info.control ? "c" : "") + std::to_string(number);
}

std::size_t RecordedRun::vcs() const { return static_cast<std::size_t>(network.router.max_vcs()); }

Cycle transit(const systemc::NetworkConfig& network, systemc::ChannelId from) {
  const systemc::RouterConfig& router = network.router;
  if (network.ideal) return 2;
  const bool link = from < systemc::kFirstInjection && router.is_external(from);
  return static_cast<Cycle>(router.stages + (link ? router.link_registers : 0));
}

JourneyRecorder::JourneyRecorder(const systemc::NetworkConfig& network, const Recorded& recorded)
    : recorded_(recorded), loads_(network) {
  run_.network = network;
  run_.window = recorded.window;
  const std::size_t places = std::size_t{network.nodes()} * systemc::kChannelsPerNode * run_.vcs();
  run_.uses.resize(places);
  open_.resize(places, {kNobody, 0});
}

bool JourneyRecorder::is_at(const Journey& journey, NodeId node) const {
  const Hop& last = journey.hops.back();
  const systemc::NetworkConfig& network = run_.network;
  if (network.ideal) return last.channel >= systemc::kFirstInjection;  // one crossbar, one hop
  if (last.channel >= systemc::kFirstInjection) return last.node == node;
  const auto next = receiver_of(network, network.address(last.node), last.channel);
  return next && network.id(next->address) == node;
}

JourneyId JourneyRecorder::find_head(const systemc::ChannelFlit& f) const {
  const auto alike = in_flight_.find(f.flit.data);
  if (alike != in_flight_.end()) {
    for (const JourneyId id : alike->second) {
      if (is_at(run_.journeys[id], f.node)) return id;
    }
  }
  throw std::invalid_argument("a head that was not on a channel to this node before");
}

JourneyId JourneyRecorder::inject(const systemc::ChannelFlit& f) {
  forget_some(f.cycle);
  const auto id = static_cast<JourneyId>(run_.journeys.size());
  Journey& journey = run_.journeys.emplace_back();
  if (f.info != nullptr) journey.info = *f.info;
  journey.info.head = systemc::unpack_head(f.flit.data);
  journey.number = ++(journey.info.control ? control_packets_ : messages_);
  in_flight_[f.flit.data].push_back(id);
  if (is_in_window(f.cycle)) {
    loads_.add_packet(f.cycle, journey.info);
    ++in_window_;
  }
  return id;
}

void JourneyRecorder::begin_hop(const systemc::ChannelFlit& f, JourneyId id) {
  std::vector<Hop>& hops = run_.journeys[id].hops;
  const Use use{id, static_cast<std::uint32_t>(hops.size())};
  hops.push_back({f.node, f.channel, f.flit.vc, {{f.cycle, 1}}, {}});
  const std::size_t place = run_.place(f.node, f.channel, f.flit.vc);
  run_.uses[place].push_back(use);
  open_[place] = use;
}

void JourneyRecorder::flit(const systemc::ChannelFlit& f) {
  end_ = f.cycle + 1;
  if (f.cycle > recorded_.window.end) return;
  const std::size_t place = run_.place(f.node, f.channel, f.flit.vc);
  if (!run_.uses[place].empty() && f.cycle < run_.hop(run_.uses[place].back()).end()) {
    throw std::invalid_argument("two flits of one virtual channel in one cycle");
  }
  if (f.flit.head != (open_[place].journey == kNobody)) {
    throw std::invalid_argument(f.flit.head ? "a head before the tail of the packet before it"
                                            : "a body or tail without a head");
  }
  if (is_in_window(f.cycle)) {
    loads_.add(f);
    begin_ = std::min(begin_, f.cycle);
  }
  if (f.flit.head) {
    begin_hop(f, f.channel >= systemc::kFirstInjection ? inject(f) : find_head(f));
  } else {
    std::vector<Burst>& bursts = run_.journeys[open_[place].journey].hops[open_[place].hop].bursts;
    if (bursts.back().end() == f.cycle) {
      ++bursts.back().flits;
    } else {
      bursts.push_back({f.cycle, 1});
    }
  }
  if (f.channel < systemc::kFirstInjection && run_.network.router.is_ejection(f.channel)) {
    leave(f, open_[place].journey);
  }
  if (f.flit.tail) open_[place].journey = kNobody;
}

/// A flit of the packet is on an ejection channel.
void JourneyRecorder::leave(const systemc::ChannelFlit& f, JourneyId id) {
  if (f.flit.head) {
    const auto alike = in_flight_.find(f.flit.data);
    std::erase(alike->second, id);
    if (alike->second.empty()) in_flight_.erase(alike);
  }
  if (!f.flit.tail) return;
  Journey& journey = run_.journeys[id];
  journey.arrived = true;
  if (is_in_window(journey.hops.front().head())) loads_.add_arrival(f.cycle, journey.info);
}

/// Keeps the number of journeys small if they are before the window, or too many for a page.
void JourneyRecorder::forget_some(Cycle now) {
  constexpr std::size_t kMostForgotten = 4096;
  too_many_ |= in_window_ > recorded_.most_packets;
  if (!too_many_ && now >= recorded_.window.begin) return;
  if (run_.journeys.size() >= 2 * kept_ + kMostForgotten) {
    forget_arrived(too_many_ ? kNever : recorded_.window.begin);
  }
}

/// Forgets the packets that have arrived before a cycle. Those that are left have other ids.
void JourneyRecorder::forget_arrived(Cycle before) {
  std::vector<JourneyId> ids(run_.journeys.size(), kNobody);
  JourneyId next = 0;
  for (JourneyId id = 0; id < ids.size(); ++id) {
    Journey& journey = run_.journeys[id];
    if (journey.arrived && journey.hops.back().end() <= before) continue;
    ids[id] = next;
    if (id != next) run_.journeys[next] = std::move(journey);
    ++next;
  }
  run_.journeys.resize(next);
  for (std::vector<Use>& uses : run_.uses) {
    std::erase_if(uses, [&](const Use& use) { return ids[use.journey] == kNobody; });
    for (Use& use : uses) use.journey = ids[use.journey];
  }
  for (Use& use : open_) {
    if (use.journey != kNobody) use.journey = ids[use.journey];
  }
  for (auto& [data, alike] : in_flight_) {
    for (JourneyId& id : alike) id = ids[id];
  }
  kept_ = next;
}

void JourneyRecorder::forget_all() {
  run_.journeys.clear();
  for (std::vector<Use>& uses : run_.uses) uses.clear();
  std::ranges::fill(open_, Use{kNobody, 0});
  in_flight_.clear();
}

RecordedRun JourneyRecorder::take() {
  end_cycle();
  for (const Use& use : open_) {
    if (use.journey != kNobody) run_.journeys[use.journey].hops[use.hop].held = true;
  }
  too_many_ |= in_window_ > recorded_.most_packets;
  if (end_ <= recorded_.window.begin) forget_all();  // also what is under way at the end
  if (too_many_ || recorded_.window.begin > 0) {
    forget_arrived(too_many_ ? kNever : recorded_.window.begin);
  }
  run_.all_journeys = !too_many_;
  if (in_window_ > std::min(recorded_.most_packets, kMostPackets)) run_.loads = std::move(loads_);
  if (begin_ == kNever && run_.journeys.empty()) {
    run_.end = end_;
  } else {
    run_.begin = begin_;
    for (const Journey& j : run_.journeys) run_.begin = std::min(run_.begin, j.hops[0].head());
    run_.end = std::min(end_ - 1, recorded_.window.end) + 1;
  }
  const Recorded recorded = recorded_;
  const systemc::NetworkConfig network = run_.network;
  RecordedRun taken = std::move(run_);
  *this = JourneyRecorder(network, recorded);
  return taken;
}

}  // namespace annelid::timeline
