// The stages of a hybrid: docs/internals/algorithms/intercom.md, "Hybrids" (Barnett and others
// 1994, Figure 3).
#pragma once

#include <cstdint>

#include "firmware/platform/call.hpp"

namespace annelid::firmware::intercom {

enum class Block : std::uint8_t {
  kNone,
  kScatter,             // S
  kBroadcast,           // M
  kGather,              // G
  kReduce,              // R, combine-to-one
  kCollect,             // C
  kDistributedCombine,  // D
};

/// Whether the block's messages are combined at their receivers.
constexpr bool combines(Block block) {
  return block == Block::kReduce || block == Block::kDistributedCombine;
}
/// Whether the block goes round a line. The others go along minimum spanning trees.
constexpr bool is_bucket(Block block) {
  return block == Block::kCollect || block == Block::kDistributedCombine;
}

/// Whether the block's messages go from the root to the others.
constexpr bool goes_down(Block block) {
  return block == Block::kScatter || block == Block::kBroadcast;
}

/// A building block in a dimension, counted from 0.
struct Stage {
  Block block = Block::kNone;
  std::uint32_t dimension = 0;
};

/// The stages of an operation on a logical mesh, in their order.
class Stages {
 public:
  Stages(reg::Operation operation, std::uint32_t dimensions, bool is_short);

  [[nodiscard]] std::uint32_t count() const { return enters_ + in_last_ + leaves_; }
  [[nodiscard]] Stage operator[](std::uint32_t i) const;

 private:
  Block enter_, last_[2], leave_;
  std::uint32_t dimensions_, enters_, in_last_, leaves_;
};

}  // namespace annelid::firmware::intercom
