// How a block is cut into parts of eight-byte words. If it does not divide evenly, the first parts
// are one word longer than the others (docs/internals/algorithms/operations.md, "Places and
// parts").
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// Returns the node's position in the list of the U-mesh algorithm, which is also the number of its
/// part.
constexpr int place_of(const Network& net, Node n) { return (n.x * net.y + n.y) * net.z + n.z; }
constexpr Node node_at_place(const Network& net, int place) {
  return {place / (net.y * net.z), place / net.z % net.y, place % net.z};
}

/// A block of bytes in `count` parts, 0 .. count - 1.
class Parts {
 public:
  constexpr Parts(std::uint64_t bytes, std::uint64_t count)
      : bytes_(bytes), whole_((bytes + 7) / 8 / count), longer_((bytes + 7) / 8 % count) {}

  /// Returns the offset of the part's first byte in the block. For part `count` it is the block's
  /// end.
  [[nodiscard]] constexpr std::uint64_t begin(std::uint64_t part) const {
    return std::min(bytes_, 8 * (part * whole_ + std::min(part, longer_)));
  }
  /// Returns the total bytes of parts [first, end).
  [[nodiscard]] constexpr std::uint64_t bytes(std::uint64_t first, std::uint64_t end) const {
    return begin(end) - begin(first);
  }

 private:
  std::uint64_t bytes_, whole_, longer_;
};

/// A message of parts [first, end) of the block.
struct PartMessage {
  Node from, to;
  std::uint64_t first, end;
};
/// The messages of each step, as in Schedule, for operations that send parts of one block.
using PartSchedule = std::vector<std::vector<PartMessage>>;

/// Returns the same messages with their lengths in bytes.
inline Schedule schedule_of(const PartSchedule& messages, const Parts& parts) {
  Schedule schedule;
  schedule.steps.reserve(messages.size());
  for (const auto& messages_of_step : messages) {
    Step& step = schedule.steps.emplace_back();
    step.reserve(messages_of_step.size());
    for (const PartMessage& m : messages_of_step) {
      step.push_back({m.from, m.to, parts.bytes(m.first, m.end)});
    }
  }
  return schedule;
}

}  // namespace annelid::reference
