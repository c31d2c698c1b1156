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

JourneyRecorder::JourneyRecorder(const systemc::NetworkConfig& network) {
  run_.network = network;
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

void JourneyRecorder::begin_hop(const systemc::ChannelFlit& f, JourneyId id) {
  std::vector<Hop>& hops = run_.journeys[id].hops;
  const Use use{id, static_cast<std::uint32_t>(hops.size())};
  hops.push_back({f.node, f.channel, f.flit.vc, {{f.cycle, 1}}, {}});
  const std::size_t place = run_.place(f.node, f.channel, f.flit.vc);
  run_.uses[place].push_back(use);
  open_[place] = use;
}

void JourneyRecorder::flit(const systemc::ChannelFlit& f) {
  const std::size_t place = run_.place(f.node, f.channel, f.flit.vc);
  if (!run_.uses[place].empty() && f.cycle < run_.hop(run_.uses[place].back()).end()) {
    throw std::invalid_argument("two flits of one virtual channel in one cycle");
  }
  if (f.flit.head != (open_[place].journey == kNobody)) {
    throw std::invalid_argument(f.flit.head ? "a head before the tail of the packet before it"
                                            : "a body or tail without a head");
  }
  if (run_.journeys.empty()) run_.begin = f.cycle;
  run_.end = f.cycle + 1;
  if (f.flit.head) {
    JourneyId id = static_cast<JourneyId>(run_.journeys.size());
    if (f.channel >= systemc::kFirstInjection) {
      Journey& journey = run_.journeys.emplace_back();
      if (f.info != nullptr) journey.info = *f.info;
      journey.info.head = systemc::unpack_head(f.flit.data);
      journey.number = ++(journey.info.control ? control_packets_ : messages_);
      in_flight_[f.flit.data].push_back(id);
    } else {
      id = find_head(f);
    }
    begin_hop(f, id);
  } else {
    std::vector<Burst>& bursts = run_.journeys[open_[place].journey].hops[open_[place].hop].bursts;
    if (bursts.back().end() == f.cycle) {
      ++bursts.back().flits;
    } else {
      bursts.push_back({f.cycle, 1});
    }
  }
  const JourneyId id = open_[place].journey;
  if (f.channel < systemc::kFirstInjection && run_.network.router.is_ejection(f.channel)) {
    if (f.flit.head) {
      const auto alike = in_flight_.find(f.flit.data);
      std::erase(alike->second, id);
      if (alike->second.empty()) in_flight_.erase(alike);
    }
    if (f.flit.tail) run_.journeys[id].arrived = true;
  }
  if (f.flit.tail) open_[place].journey = kNobody;
}

RecordedRun JourneyRecorder::take() {
  end_cycle();
  for (const Use& use : open_) {
    if (use.journey != kNobody) run_.journeys[use.journey].hops[use.hop].held = true;
  }
  const systemc::NetworkConfig network = run_.network;
  RecordedRun taken = std::move(run_);
  *this = JourneyRecorder(network);
  return taken;
}

}  // namespace annelid::timeline
