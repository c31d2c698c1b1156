// The processes of a schedule by rank, which knows ranks and no dimensions:
// docs/internals/algorithms/groups.md, "Ranks and embeddings".
#pragma once

#include "firmware/platform/group.hpp"

namespace annelid::firmware {

/// The ranks 0..size()-1 of a group, and their nodes. A listed group has its own ranks. The ranks
/// of ALL follow the embedding that PARAMETER_2 of the call names.
class Ranks {
 public:
  enum class Embedding : std::uint8_t { kRows, kSnake, kQuadrants };
  static constexpr std::uint32_t kNoRank = 0xFFFFFFFF;
  static constexpr std::uint32_t kSizeShift = 8;  ///< PARAMETER_2: embedding 7:0, ranks 31:8

  /// Whether the group can have this PARAMETER_2.
  static bool fits(const Group& group, std::uint32_t parameter);
  /// `parameter` must fit.
  Ranks(const Group& group, std::uint32_t parameter);

  [[nodiscard]] std::uint32_t size() const { return size_; }
  /// Returns this process's rank, or kNoRank if it takes no part.
  [[nodiscard]] std::uint32_t own() const { return own_; }
  /// Returns the rank of the process that has `group_rank` in the group (as a call's ROOT does), or
  /// kNoRank if it takes no part.
  [[nodiscard]] std::uint32_t rank_of(std::uint32_t group_rank) const;
  /// Returns the node of a rank. With quadrants it takes O(log N) time.
  [[nodiscard]] Address address(std::uint32_t rank) const;

 private:
  const Group& group_;
  Embedding embedding_;
  std::uint32_t size_, own_;
};

}  // namespace annelid::firmware
