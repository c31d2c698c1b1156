// The minimum spanning tree of a line: docs/internals/algorithms/intercom.md, "Building blocks"
// (Barnett and others 1994, Section 4.1).
#pragma once

#include <cstdint>

namespace annelid::firmware::intercom {

/// The members first .. end - 1 of a line.
struct Segment {
  std::uint32_t first = 0, end = 0;
  [[nodiscard]] std::uint32_t size() const { return end - first; }
};

/// The MST scatter of a line as one member sees it. Each step cuts the member's segment in two.
class MinimumSpanningTree {
 public:
  MinimumSpanningTree() = default;
  MinimumSpanningTree(std::uint32_t size, std::uint32_t root, std::uint32_t own)
      : size_(size), root_(root), own_(own) {
    start();
  }

  /// Returns the number of steps, the logarithm of the size, rounded up.
  [[nodiscard]] std::uint32_t steps() const {
    std::uint32_t steps = 0;
    while ((std::uint32_t{1} << steps) < size_) ++steps;
    return steps;
  }

  /// Makes step `step`, from 1. Ascending steps take one cut each. Returns whether this member
  /// sends or receives: its segment then has two members or more.
  bool go_to(std::uint32_t step);
  /// The message of the step: from the holder, the pieces of `part` to the part's new holder.
  [[nodiscard]] std::uint32_t from() const { return from_; }
  [[nodiscard]] std::uint32_t to() const { return to_; }
  [[nodiscard]] Segment part() const { return part_; }
  /// The members of this member's segment after the step.
  [[nodiscard]] Segment segment() const { return segment_; }

 private:
  void start() {
    segment_ = {0, size_};
    holder_ = root_;
    step_ = 0;
  }
  bool cut();

  std::uint32_t size_ = 1, root_ = 0, own_ = 0;
  std::uint32_t step_ = 0, holder_ = 0, from_ = 0, to_ = 0;
  bool takes_part_ = false;
  Segment segment_, part_;
};

}  // namespace annelid::firmware::intercom
