// The second look at a point that seems to be saturated.
#pragma once

#include <optional>
#include <string>

#include "simulation/results/traffic_result.hpp"

namespace annelid::studies {

/// What the repeat of a measurement says. Of many windows of a network that carries its load, a few
/// look saturated by chance: the criteria `source` and `latency` are statistical. So a point counts
/// as saturated only if another window agrees, with other packets and kLonger times as long. The
/// criterion `channel` follows from the pattern and the load, and needs no repeat.
class Repeat {
 public:
  static constexpr Cycle kLonger = 4;                ///< times the cycles of the measurement
  static constexpr std::uint64_t kSeed = 1'000'000;  ///< is added to the seed
  static constexpr const char* kNone = "none";

  /// There was no reason to repeat the measurement.
  Repeat() = default;
  /// Simulates the scenario of a result again, if there is a reason to. Throws as run_traffic().
  static Repeat of(const simulation::TrafficResult& result);

  /// Whether the repeat was not saturated.
  [[nodiscard]] bool refutes() const { return by_ && by_->empty(); }
  /// The criteria by which the repeat is saturated, with blanks between them; kNone if there are
  /// none, and "" if nothing was repeated.
  [[nodiscard]] std::string text() const;

 private:
  explicit Repeat(std::string by) : by_(std::move(by)) {}

  std::optional<std::string> by_;
};

}  // namespace annelid::studies
