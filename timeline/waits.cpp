#include "timeline/waits.hpp"

#include <algorithm>
#include <optional>

namespace annelid::timeline {
namespace {

bool has_flit(const Hop& hop, Cycle cycle) {
  const auto after = std::ranges::upper_bound(hop.bursts, cycle, {}, &Burst::first);
  return after != hop.bursts.begin() && cycle < std::prev(after)->end();
}

class Search {
 public:
  explicit Search(const RecordedRun& run) : run_(run), vcs_(static_cast<Vc>(run.vcs())) {}

  std::vector<Wait> waits(Use use) const {
    const Hop& hop = run_.hop(use);
    const Hop& before = run_.hop({use.journey, use.hop - 1});
    Cycle cycle = before.head() + transit(run_.network, before.channel);
    std::vector<Wait> waits;
    if (cycle < hop.head()) {  // most do not wait
      const auto [ahead, gone] = ahead_of({use.journey, use.hop - 1}, before);
      for (; cycle < hop.head(); ++cycle) {
        add(waits,
            cycle < gone ? Wait{WaitCause::kBehind, ahead, 1} : at_front(cycle, hop, before));
      }
    }
    return waits;
  }

 private:
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

  /// The packet before `use` in the buffer that its channel leads to.
  Ahead ahead_of(Use use, const Hop& hop) const {
    const auto& uses = run_.uses[run_.place(hop.node, hop.channel, hop.vc)];
    const auto own = std::ranges::lower_bound(
        uses, hop.head(), {}, [&](const Use& other) { return run_.hop(other).head(); });
    if (own == uses.begin() || own->journey != use.journey) return {};
    const Use other = *std::prev(own);
    const std::vector<Hop>& hops = run_.journeys[other.journey].hops;
    if (other.hop + 1 >= hops.size()) return {other.journey, kNever};
    // Routers of three and four stages look at the next head when the tail has gone (section 6).
    const int stages = run_.network.ideal ? 1 : run_.network.router.stages;
    return {other.journey, hops[other.hop + 1].end() + static_cast<Cycle>(std::max(0, stages - 2))};
  }

  /// The last packet whose head was on this channel's VC, up to a cycle.
  std::optional<Use> last_use(NodeId node, systemc::ChannelId channel, Vc vc, Cycle cycle) const {
    const auto& uses = run_.uses[run_.place(node, channel, vc)];
    const auto after = std::ranges::upper_bound(
        uses, cycle, {}, [&](const Use& use) { return run_.hop(use).head(); });
    if (after == uses.begin()) return std::nullopt;
    return *std::prev(after);
  }

  /// Whether a VC of a switch's output is for control packets.
  [[nodiscard]] bool is_control(systemc::ChannelId output, Vc vc) const {
    return vc >= run_.network.router.output_data_vcs(output);
  }

  /// Why the head at the front of its buffer was not on `hop`'s channel in a cycle.
  Wait at_front(Cycle cycle, const Hop& hop, const Hop& before) const {
    const auto user = last_use(hop.node, hop.channel, hop.vc, cycle);
    const bool held = user && cycle < run_.hop(*user).end();
    for (Vc vc = 0; vc < vcs_; ++vc) {
      // What holds its VC is in its way, and not what passes by on one of the other kind.
      if (held && is_control(hop.channel, vc) != is_control(hop.channel, hop.vc)) continue;
      const auto use = last_use(hop.node, hop.channel, vc, cycle);
      if (use && has_flit(run_.hop(*use), cycle)) return {WaitCause::kChannel, use->journey, 1};
    }
    if (held) return {WaitCause::kChannel, user->journey, 1};
    for (Vc vc = 0; vc < vcs_; ++vc) {
      if (vc == before.vc) continue;
      if (const JourneyId other = leaving(before.node, before.channel, vc, cycle);
          other != kNobody) {
        return {WaitCause::kInput, other, 1};
      }
    }
    if (user) return {WaitCause::kRoom, user->journey, 1};
    return {WaitCause::kOther, kNobody, 1};
  }

  /// The packet that a flit of leaves the buffer behind this VC of a channel in a cycle.
  JourneyId leaving(NodeId node, systemc::ChannelId channel, Vc vc, Cycle cycle) const {
    const auto& uses = run_.uses[run_.place(node, channel, vc)];
    auto use =
        std::ranges::upper_bound(uses, cycle, {}, [&](const Use& u) { return run_.hop(u).head(); });
    while (use != uses.begin()) {
      --use;
      const std::vector<Hop>& hops = run_.journeys[use->journey].hops;
      if (use->hop + 1 >= hops.size()) continue;
      if (has_flit(hops[use->hop + 1], cycle)) return use->journey;
      if (hops[use->hop + 1].end() <= cycle) break;  // it and all before it have left
    }
    return kNobody;
  }

  const RecordedRun& run_;
  const Vc vcs_;
};

}  // namespace

void find_waits(RecordedRun& run) {
  const Search search(run);
  for (JourneyId id = 0; id < run.journeys.size(); ++id) {
    std::vector<Hop>& hops = run.journeys[id].hops;
    for (std::uint32_t h = 1; h < hops.size(); ++h) hops[h].waits = search.waits({id, h});
  }
}

}  // namespace annelid::timeline
