#include "timeline/waits.hpp"

#include <algorithm>
#include <optional>

#include "systemc/network/route.hpp"

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
        add(waits, cycle < gone ? Wait{WaitCause::kBehind, ahead, 1}
                                : at_front(cycle, {hop.node, hop.channel, hop.vc}, before));
      }
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
      found = at_front(run_.end, {wait.node, wait.wanted, vc}, last);
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

  /// Whether a packet's tail has not been on this channel's VC when the run ends.
  [[nodiscard]] bool is_held(NodeId node, systemc::ChannelId channel, Vc vc) const {
    const auto user = last_use(node, channel, vc, run_.end);
    return user && run_.hop(*user).held;
  }

  /// Why the head at the front of its buffer was not on a channel's VC in a cycle.
  Wait at_front(Cycle cycle, const ChannelVc& wanted, const Hop& before) const {
    const auto user = last_use(wanted.node, wanted.channel, wanted.vc, cycle);
    const bool held = user && (cycle < run_.hop(*user).end() || run_.hop(*user).held);
    for (Vc vc = 0; vc < vcs_; ++vc) {
      // What holds its VC is in its way, and not what passes by on one of the other kind.
      if (held && is_control(wanted.channel, vc) != is_control(wanted.channel, wanted.vc)) continue;
      const auto use = last_use(wanted.node, wanted.channel, vc, cycle);
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
    if (!run.journeys[id].arrived) run.journeys[id].last_wait = search.last_wait(id);
  }
}

}  // namespace annelid::timeline
