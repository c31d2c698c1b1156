// The trigger unit (docs/internals/nic/registers.md, Triggered sends, and lists.md, Held by a
// list).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "interface/place.hpp"
#include "nic/list_places.hpp"

namespace annelid::nic {

/// The completion counters as the registers show them.
using CounterValues = std::span<const std::uint32_t, reg::kCounters>;

/// Holds each send until its counter has reached its threshold, or until the transfers of its list
/// that it waits for are complete.
class TriggerUnit {
 public:
  /// `lists` must outlive the unit.
  explicit TriggerUnit(ListPlaces& lists) : lists_(lists) {}

  /// What a list says of a send or a join.
  struct Listed {
    std::size_t list = 0;  ///< its place
    bool join = false;
    std::uint32_t destination = 0;  ///< as SEND_DESTINATION
    std::uint16_t tag = 0;
    Dependencies dependencies;
  };

  /// Adds a send with a trigger, in the order of go. `counter` is 0..31.
  void hold(Place send, std::uint8_t counter, std::uint32_t threshold);
  /// Adds a send of a list, or a join, when it is issued.
  void hold(Place send, const Listed& listed);

  /// The send that fires in this cycle, if any: the oldest one that can. To be called once per
  /// cycle, after the core's access and before the list unit's.
  std::optional<Place> fire(CounterValues counters);

  /// Whether a send would fire with these values. With the values at the end of a cycle, the result
  /// says whether this unit has something to do in the next cycle. Only a changed counter, a new
  /// send, or a transfer of a list that is complete changes the result.
  [[nodiscard]] bool can_fire(CounterValues counters) {
    return !empty() && find(counters) != sends_.size();
  }

  /// Whether a send with the destination and tag of this one is held for its list.
  [[nodiscard]] bool holds_alike(const Listed& listed) const {
    return alike_before(sends_.size(), listed);
  }
  /// The transfers that a held send of a list waits for; nullptr if the send is none. For reports.
  [[nodiscard]] const Listed* listed(Place send) const;

  [[nodiscard]] bool empty() const { return sends_.empty(); }

 private:
  struct Held {
    Place send = 0;
    std::uint8_t counter = 0;
    std::uint32_t threshold = 0;
    std::optional<Listed> listed;
    /// The number of its list's changes with which it could not fire.
    std::uint64_t stuck = ~std::uint64_t{0};
  };

  [[nodiscard]] std::size_t find(CounterValues counters);
  [[nodiscard]] bool can_fire_listed(std::size_t held);
  [[nodiscard]] bool alike_before(std::size_t end, const Listed& listed) const;

  ListPlaces& lists_;
  std::vector<Held> sends_;  ///< oldest first
};

}  // namespace annelid::nic
