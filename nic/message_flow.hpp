// The path of a send or receive from one unit of a NIC to the next.
#pragma once

#include <optional>
#include <span>

#include "nic/combine_unit.hpp"
#include "nic/completions.hpp"
#include "nic/match.hpp"
#include "nic/node_identity.hpp"
#include "nic/observers.hpp"
#include "nic/range_table.hpp"
#include "nic/start_up.hpp"
#include "nic/trigger_unit.hpp"

namespace annelid::nic {

/// Takes sends from the go registers through the trigger unit and the start-up unit to Match. Takes
/// what the engines have moved to the combine unit and to Completions. It owns the units that only
/// this path uses.
class MessageFlow {
 public:
  struct Units {
    const NodeIdentity& self;
    NodeMemory& memory;
    PlaceTable<SendPlace>& sends;
    PlaceTable<ReceivePlace>& receives;
    Errors& errors;
    Completions& completions;
    CombineUnit& combine_unit;
    Match& match;
    ListPlaces& lists;
    const Observers& observers;
  };
  explicit MessageFlow(const Units& units);

  // ---- Go registers and list unit -------------------------------------------------------------

  /// The send or receive that already uses bytes of a new descriptor, as RangeTable finds it.
  template <typename Ranges>
  [[nodiscard]] std::optional<RangeTable::Collision> collision(const Ranges& ranges) const {
    return ranges_.check(ranges);
  }
  /// A send's go, or its firing: the send enters the start-up unit.
  void start(Place send, Cycle now);
  /// The go of a send with a trigger.
  void hold(Place send, std::uint8_t counter, std::uint32_t threshold) {
    trigger_unit_.hold(send, counter, threshold);
  }
  /// The list unit's send, or join, that has to wait.
  void hold(Place send, const TriggerUnit::Listed& listed) { trigger_unit_.hold(send, listed); }
  /// Whether an older send of a list with the same destination and tag is held.
  [[nodiscard]] bool holds_alike(const TriggerUnit::Listed& listed) const {
    return trigger_unit_.holds_alike(listed);
  }
  /// A receive's go.
  void post(Place receive, const ReceiveRanges& ranges, Cycle now) {
    ranges_.add_receive(receive, ranges);
    match_.post(receive, now);
  }

  // ---- Units, in the order of a cycle ---------------------------------------------------------

  /// The trigger unit's cycle.
  void fire(Cycle now) {
    if (!trigger_unit_.empty()) fire_oldest(now);
  }
  /// The start-up unit's cycle.
  void admit(Cycle now) {
    if (start_up_.empty()) return;
    if (const auto send = start_up_.leave(now)) match_.admit(*send, now);
  }
  /// The combine unit's cycle. The result is how many accesses to node memory it took.
  unsigned combine(Cycle now, unsigned budget) {
    return combine_unit_.empty() ? 0 : step_combine_unit(now, budget);
  }
  /// The end of a cycle.
  void commit(Cycle now) {
    if (completions_.due(now)) complete(now);
  }

  // ---- Engines --------------------------------------------------------------------------------

  /// A flit of a receive's message reaches node memory. `at` is the offset of its first byte in the
  /// message.
  void store(Place receive, std::uint32_t at, std::uint64_t data, std::uint32_t bytes, Cycle now);
  /// Many flits of a receive that does not combine reach node memory, one after the other.
  void store(Place receive, std::uint32_t at, std::span<const std::uint64_t> flits) {
    memory_.store(std::uint64_t{receives_[receive].target()} + at, flits);
  }
  /// Drops the message of a receive, although it has begun.
  void fail_receive(Place receive);
  /// The whole message of a receive has arrived. `by` is as in Completions.
  void arrived(Place receive, unsigned by, Cycle now);

  // ---- Between cycles -------------------------------------------------------------------------

  /// Whether a held send fires in the next cycle.
  [[nodiscard]] bool can_fire() { return trigger_unit_.can_fire(completions_.counters()); }
  /// Whether a send is in the start-up unit, and the cycle in which the next one leaves it.
  [[nodiscard]] bool starting() const { return !start_up_.empty(); }
  [[nodiscard]] Cycle next_admission() const { return start_up_.next(); }
  /// What a send of a list is held for; nullptr if that is not so.
  [[nodiscard]] const TriggerUnit::Listed* held_for(Place send) const {
    return trigger_unit_.listed(send);
  }

 private:
  void fire_oldest(Cycle now);
  unsigned step_combine_unit(Cycle now, unsigned budget);
  void complete(Cycle now);

  const NodeIdentity& self_;
  NodeMemory& memory_;
  PlaceTable<SendPlace>& sends_;
  PlaceTable<ReceivePlace>& receives_;
  Errors& errors_;
  Completions& completions_;
  CombineUnit& combine_unit_;
  Match& match_;
  ListPlaces& lists_;
  const Observers& observers_;
  RangeTable ranges_;
  TriggerUnit trigger_unit_;
  StartUp start_up_;
};

}  // namespace annelid::nic
