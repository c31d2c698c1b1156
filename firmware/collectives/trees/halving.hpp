// A line is halved until every place is alone: docs/internals/algorithms/operations.md, "Halving a
// line".
#pragma once

#include <array>
#include <cstdint>

namespace annelid::firmware {

/// The halving as one place of the line sees it: the segment that the place is in, the place in it
/// that has the message, and the halvings so far. It takes four words, so that a rule can keep it
/// in a TreePlan.
struct Halving {
  std::uint32_t first, length, holder, step;

  /// Which half of an odd number of places is the longer one.
  enum Longer : std::uint32_t { kUpper = 0, kLower = 1 };
  /// The holder of the segment sends to the holder of the other half, which has `others` places.
  struct Message {
    std::uint32_t from, to, others;
  };

  static Halving of_line(std::uint32_t places, std::uint32_t holder) {
    return {0, places, holder, 0};
  }
  static Halving from_words(const std::array<std::uint32_t, 4>& words) {
    return {words[0], words[1], words[2], words[3]};
  }
  [[nodiscard]] std::array<std::uint32_t, 4> words() const { return {first, length, holder, step}; }

  /// Halves the segment until place `own` sends or receives. Returns false if `own` is alone before
  /// that. Afterwards `own` is the holder of the segment, which is the half that it keeps or the
  /// half that it gets.
  bool next(std::uint32_t own, Message& message, Longer longer = kLower);
};

}  // namespace annelid::firmware
