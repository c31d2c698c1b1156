// Computes which packet travels over which edge of a circulant graph:
// docs/internals/algorithms/circulant.md; Träff 2023, "Round-optimal n-block broadcast schedules in
// logarithmic time".
#pragma once

#include <cstdint>

#include "firmware/collectives/players/tree_schedule.hpp"

namespace annelid::firmware {

/// The graph of p > 1 processes. Process r sends to r + skip(i) in the rounds i, i + L, ... Process
/// 0 is the root.
class CirculantGraph {
 public:
  static constexpr std::uint32_t kMostRounds = 24;
  /// The packets of one process in L rounds, relative to the packets of the L rounds before:
  /// -L..L-1.
  using Schedule = std::int8_t[kMostRounds];

  explicit CirculantGraph(std::uint32_t p);

  [[nodiscard]] std::uint32_t size() const { return size_; }
  /// L = ceil(log2 p).
  [[nodiscard]] std::uint32_t rounds() const { return rounds_; }
  [[nodiscard]] std::uint32_t skip(std::uint32_t i) const { return skips_[i]; }
  [[nodiscard]] std::uint32_t to(std::uint32_t r, std::uint32_t i) const {
    const std::uint32_t to = r + skips_[i];
    return to < size_ ? to : to - size_;
  }
  [[nodiscard]] std::uint32_t from(std::uint32_t r, std::uint32_t i) const {
    return r >= skips_[i] ? r - skips_[i] : r + size_ - skips_[i];
  }

  /// Finds what process r receives, in O(log p) time.
  void find_receives(std::uint32_t r, Schedule& schedule) const {
    find_receives(r, rounds_, schedule);
  }
  /// Finds what process r sends, in O(log p) time: in each round, the packet that its receiver
  /// expects.
  void find_sends(std::uint32_t r, Schedule& schedule) const;

 private:
  void find_receives(std::uint32_t r, std::uint32_t rounds, Schedule& schedule) const;
  /// Returns the packet that process r receives in one round.
  [[nodiscard]] std::int8_t received(std::uint32_t r, std::uint32_t round) const;
  [[nodiscard]] std::uint32_t base_block(std::uint32_t r) const;

  std::uint32_t size_, rounds_;
  std::uint32_t skips_[kMostRounds + 1];  // skips_[L] = p
};

}  // namespace annelid::firmware
