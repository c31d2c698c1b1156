#include "timeline/waits.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "systemc/network/route.hpp"

namespace annelid::timeline {
namespace {

/// What holds from a cycle until before another one.
struct Sight {
  bool flit = false;           ///< whether there is a flit on the channel
  JourneyId packet = kNobody;  ///< whose it is
  Cycle until = kNever;
};

/// All that has been on a VC of a channel, in the order of time, for quick searches.
class Track {
 public:
  void add(const Hop& hop, JourneyId journey) {
    heads_.push_back(hop.head());
    ends_.push_back(hop.held ? kNever : hop.end());
    journeys_.push_back(journey);
    for (const Burst& b : hop.bursts) bursts_.push_back({b.first, b.end(), journey});
  }

  /// Whose flit is on the VC in a cycle.
  [[nodiscard]] Sight sight(Cycle cycle) const {
    const auto after = std::ranges::upper_bound(bursts_, cycle, {}, &Flits::first);
    if (after != bursts_.begin() && cycle < std::prev(after)->end) {
      return {true, std::prev(after)->journey, std::prev(after)->end};
    }
    return {false, kNobody, after == bursts_.end() ? kNever : after->first};
  }

  /// The number of packets whose heads were on the VC up to a cycle.
  [[nodiscard]] std::size_t users(Cycle cycle) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(heads_, cycle) - heads_.begin());
  }
  [[nodiscard]] JourneyId user(std::size_t i) const { return journeys_[i]; }
  /// The cycle after the tail of a user; never, if it holds the VC at the end of the run.
  [[nodiscard]] Cycle end(std::size_t i) const { return ends_[i]; }

 private:
  struct Flits {
    Cycle first, end;
    JourneyId journey;
  };
  std::vector<Cycle> heads_, ends_;
  std::vector<JourneyId> journeys_;
  std::vector<Flits> bursts_;
};

/// A cause that holds from the cycle asked about until before another one.
struct Spell {
  Wait wait;
  Cycle until = kNever;
};

class Search {
 public:
  explicit Search(const RecordedRun& run)
      : run_(run), vcs_(static_cast<Vc>(run.vcs())), number_(run.uses.size()), tracks_(1) {
    for (std::size_t place = 0; place < number_.size(); ++place) {
      if (run.uses[place].empty()) continue;
      number_[place] = static_cast<std::uint32_t>(tracks_.size());
      Track& track = tracks_.emplace_back();
      for (const Use& use : run.uses[place]) track.add(run.hop(use), use.journey);
    }
  }

  std::vector<Wait> waits(Use use) const {
    const Hop& hop = run_.hop(use);
    const Hop& before = run_.hop({use.journey, use.hop - 1});
    Cycle cycle = before.head() + transit(run_.network, before.channel);
    std::vector<Wait> waits;
    if (cycle >= hop.head()) return waits;  // most do not wait
    const auto [ahead, gone] = ahead_of({use.journey, use.hop - 1}, before);
    while (cycle < hop.head()) {
      Spell spell = cause_in(cycle, {ahead, gone}, {hop.node, hop.channel, hop.vc}, before);
      spell.until = std::min(spell.until, hop.head());
      spell.wait.cycles = spell.until - cycle;
      add(waits, spell.wait);
      cycle = spell.until;
    }
    return waits;
  }

  /// What a head that has not left its last router waits for when the run ends.
  [[nodiscard]] std::optional<LastWait> last_wait(JourneyId id) const {
    const Journey& journey = run_.journeys[id];
    const systemc::NetworkConfig& network = run_.network;
    const systemc::RouterConfig& router = network.router;
    const Hop& last = journey.hops.back();
    const bool injected = last.channel >= systemc::kFirstInjection;
    if (network.ideal || (!injected && router.is_ejection(last.channel))) return std::nullopt;
    const Cycle since = last.head() + transit(network, last.channel);
    if (since > run_.end) return std::nullopt;
    const Address sender = network.address(last.node);
    const systemc::SwitchEnd at =
        injected
            ? systemc::SwitchEnd{sender,
                                 router.injection_input(last.channel - systemc::kFirstInjection)}
            : receiver_of(network, sender, last.channel).value();
    const systemc::HeadFields& head = journey.info.head;
    LastWait wait{network.id(at.address), route(network, at.address, head.destination, at.port),
                  since};
    const auto use = static_cast<std::uint32_t>(journey.hops.size() - 1);
    const auto [ahead, gone] = ahead_of({id, use}, last);
    Wait found{WaitCause::kBehind, ahead, 1};
    if (run_.end >= gone) {
      const systemc::VcRange open =
          open_vcs(router, router.is_control(at.port, last.vc), wait.wanted, at.address,
                   head.source, head.destination);
      Vc vc = static_cast<Vc>(open.first);
      for (int v = open.first; v < open.first + open.count; ++v) {
        // A free one lacks room only.
        if (!is_held(wait.node, wait.wanted, static_cast<Vc>(v))) vc = static_cast<Vc>(v);
      }
      found = at_front(run_.end, {wait.node, wait.wanted, vc}, last).wait;
    }
    wait.cause = found.cause;
    wait.packet = found.packet;
    return wait;
  }

 private:
  struct ChannelVc {
    NodeId node = 0;
    systemc::ChannelId channel = 0;
    Vc vc = 0;
  };
  struct Ahead {
    JourneyId packet = kNobody;
    Cycle gone = 0;  ///< from here on the packet behind it could be sent
  };

  static void add(std::vector<Wait>& waits, const Wait& wait) {
    const auto same = std::ranges::find_if(
        waits, [&](const Wait& w) { return w.cause == wait.cause && w.packet == wait.packet; });
    if (same == waits.end()) {
      waits.push_back(wait);
    } else {
      same->cycles += wait.cycles;
    }
  }

  [[nodiscard]] const Track& track(NodeId node, systemc::ChannelId channel, Vc vc) const {
    return tracks_[number_[run_.place(node, channel, vc)]];
  }

  /// The packet before `use` in the buffer that its channel leads to.
  Ahead ahead_of(Use use, const Hop& hop) const {
    const auto& uses = run_.uses[run_.place(hop.node, hop.channel, hop.vc)];
    const std::size_t own = track(hop.node, hop.channel, hop.vc).users(hop.head());
    if (own < 2 || uses[own - 1].journey != use.journey) return {};
    const Use other = uses[own - 2];
    const std::vector<Hop>& hops = run_.journeys[other.journey].hops;
    if (other.hop + 1 >= hops.size()) return {other.journey, kNever};
    // Routers of three and four stages look at the next head when the tail has gone (section 6).
    const int stages = run_.network.ideal ? 1 : run_.network.router.stages;
    return {other.journey, hops[other.hop + 1].end() + static_cast<Cycle>(std::max(0, stages - 2))};
  }

  /// Whether a VC of a switch's output is for control packets.
  [[nodiscard]] bool is_control(systemc::ChannelId output, Vc vc) const {
    return vc >= run_.network.router.output_data_vcs(output);
  }

  /// Whether a packet's tail has not been on this channel's VC when the run ends.
  [[nodiscard]] bool is_held(NodeId node, systemc::ChannelId channel, Vc vc) const {
    const Track& of = track(node, channel, vc);
    const std::size_t users = of.users(run_.end);
    return users > 0 && of.end(users - 1) == kNever;
  }

  [[nodiscard]] Spell cause_in(Cycle cycle, const Ahead& ahead, const ChannelVc& wanted,
                               const Hop& before) const {
    // Packets that had left before the window are not in the run.
    if (cycle < run_.window.begin) {
      return {{WaitCause::kOther, kNobody, 1}, run_.window.begin};
    }
    if (cycle < ahead.gone) return {{WaitCause::kBehind, ahead.packet, 1}, ahead.gone};
    return at_front(cycle, wanted, before);
  }

  /// Why the head at the front of its buffer was not on a channel's VC in a cycle.
  [[nodiscard]] Spell at_front(Cycle cycle, const ChannelVc& wanted, const Hop& before) const {
    const Track& own = track(wanted.node, wanted.channel, wanted.vc);
    const std::size_t users = own.users(cycle);
    const JourneyId user = users > 0 ? own.user(users - 1) : kNobody;
    const bool held = users > 0 && cycle < own.end(users - 1);
    Cycle until = own.sight(cycle).until;
    if (held) until = std::min(until, own.end(users - 1));
    for (Vc vc = 0; vc < vcs_; ++vc) {
      // What holds its VC is in its way, and not what passes by on one of the other kind.
      if (held && is_control(wanted.channel, vc) != is_control(wanted.channel, wanted.vc)) continue;
      const Sight seen = track(wanted.node, wanted.channel, vc).sight(cycle);
      until = std::min(until, seen.until);
      if (seen.flit) return {{WaitCause::kChannel, seen.packet, 1}, until};
    }
    if (held) return {{WaitCause::kChannel, user, 1}, until};
    for (Vc vc = 0; vc < vcs_; ++vc) {
      if (vc == before.vc) continue;
      const Sight seen = leaving(before.node, before.channel, vc, cycle);
      until = std::min(until, seen.until);
      if (seen.flit) return {{WaitCause::kInput, seen.packet, 1}, until};
    }
    if (users > 0) return {{WaitCause::kRoom, user, 1}, until};
    return {{WaitCause::kOther, kNobody, 1}, until};
  }

  /// The packet that a flit of leaves the buffer behind this VC of a channel in a cycle.
  [[nodiscard]] Sight leaving(NodeId node, systemc::ChannelId channel, Vc vc, Cycle cycle) const {
    const Track& of = track(node, channel, vc);
    const auto& uses = run_.uses[run_.place(node, channel, vc)];
    Sight none{false, kNobody, of.sight(cycle).until};
    for (std::size_t u = of.users(cycle); u > 0; --u) {
      const Use use = uses[u - 1];
      const std::vector<Hop>& hops = run_.journeys[use.journey].hops;
      if (use.hop + 1 >= hops.size()) continue;
      const Hop& next = hops[use.hop + 1];
      const auto after = std::ranges::upper_bound(next.bursts, cycle, {}, &Burst::first);
      if (after != next.bursts.begin() && cycle < std::prev(after)->end()) {
        return {true, use.journey, std::min(none.until, std::prev(after)->end())};
      }
      if (after != next.bursts.end()) none.until = std::min(none.until, after->first);
      if (next.end() <= cycle) break;  // it and all before it have left
    }
    return none;
  }

  const RecordedRun& run_;
  const Vc vcs_;
  std::vector<std::uint32_t> number_;  ///< by place
  std::vector<Track> tracks_;          ///< the first one is that of places without a packet
};

}  // namespace

void find_waits(RecordedRun& run) {
  const Search search(run);
  for (JourneyId id = 0; id < run.journeys.size(); ++id) {
    std::vector<Hop>& hops = run.journeys[id].hops;
    // Only those of many packets that are under way are in the run.
    const std::size_t known = run.all_journeys ? hops.size() : 0;
    for (std::uint32_t h = 1; h < known; ++h) hops[h].waits = search.waits({id, h});
    if (!run.journeys[id].arrived) run.journeys[id].last_wait = search.last_wait(id);
  }
}

}  // namespace annelid::timeline
