// One-sided synchronization: CCL (Bala and others 1995), Section 3.4;
// docs/internals/algorithms/shift.md, "Synchronize in and out". All messages have 0 bytes, along
// the binomial tree of the ranks counted from the root.
#pragma once

#include "firmware/communication/ranks.hpp"
#include "firmware/platform/node.hpp"
#include "firmware/platform/task.hpp"

namespace annelid::firmware {

/// This process in the binomial tree. Each distance below the number of ranks is a power of two.
/// The process has children at all distances below that of its parent.
class TreeOfRanks {
 public:
  TreeOfRanks(const Ranks& ranks, std::uint32_t root)
      : ranks_(ranks),
        root_(root),
        own_(ranks.own() >= root ? ranks.own() - root : ranks.own() + ranks.size() - root) {}

  [[nodiscard]] std::uint32_t size() const { return ranks_.size(); }
  /// Whether the parent is at this distance. It is at the first one that says so.
  [[nodiscard]] bool is_parent(std::uint32_t distance) const { return (own_ & distance) != 0; }
  [[nodiscard]] bool has_child(std::uint32_t distance) const {
    return own_ + distance < ranks_.size();
  }
  [[nodiscard]] Address parent(std::uint32_t distance) const { return at(own_ - distance); }
  [[nodiscard]] Address child(std::uint32_t distance) const { return at(own_ + distance); }
  /// Returns the distance of the parent; of the root, the first power of two that is not below the
  /// number of ranks.
  [[nodiscard]] std::uint32_t to_parent() const {
    std::uint32_t distance = 1;
    while (distance < ranks_.size() && !is_parent(distance)) distance *= 2;
    return distance;
  }

 private:
  [[nodiscard]] Address at(std::uint32_t process) const {
    const std::uint32_t rank = root_ + process;
    return ranks_.address(rank < ranks_.size() ? rank : rank - ranks_.size());
  }

  const Ranks& ranks_;
  std::uint32_t root_, own_;
};

/// Whether the messages have the numbers of their steps in logs, or all have step 0: then they
/// belong to the mode of a call, and to no schedule.
enum class Steps : std::uint8_t { kNumbered, kNone };

/// Ends at the rank `root` when every process of the ranks has begun, and elsewhere when this
/// process has passed that on.
Task sync_in(Context& me, const Ranks& ranks, std::uint32_t root, Steps steps);
/// Ends at every process of the ranks when the rank `root` has begun.
Task sync_out(Context& me, const Ranks& ranks, std::uint32_t root, Steps steps);

}  // namespace annelid::firmware
