// The trigger unit (docs/internals/nic/registers.md, Triggered sends).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "interface/place.hpp"

namespace annelid::nic {

/// The completion counters as the registers show them.
using CounterValues = std::span<const std::uint32_t, reg::kCounters>;

/// Holds each send until its counter has reached its threshold.
class TriggerUnit {
 public:
  /// Adds a send with a trigger, in the order of go. `counter` is 0..31.
  void hold(Place send, std::uint8_t counter, std::uint32_t threshold);

  /// The send that fires in this cycle, if any: the oldest one whose counter has reached its
  /// threshold. To be called once per cycle, after the core's access.
  std::optional<Place> fire(CounterValues counters);

  /// Whether a send would fire with these values. With the values at the end of a cycle, the result
  /// says whether this unit has something to do in the next cycle. Only a changed counter or a new
  /// send changes the result.
  [[nodiscard]] bool can_fire(CounterValues counters) const {
    return !empty() && find(counters) != sends_.size();
  }

  [[nodiscard]] bool empty() const { return sends_.empty(); }

 private:
  struct Held {
    Place send = 0;
    std::uint8_t counter = 0;
    std::uint32_t threshold = 0;
  };

  [[nodiscard]] std::size_t find(CounterValues counters) const;

  std::vector<Held> sends_;  ///< oldest first
};

}  // namespace annelid::nic
