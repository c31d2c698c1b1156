// The processes of a schedule that knows no dimensions: docs/internals/algorithms/groups.md, "Ranks
// and embeddings".
#pragma once

#include "firmware/platform/group.hpp"

namespace annelid::firmware {

/// Ranks 0..size()-1 of a group, and where they are: those of a listed group are its own, those of
/// ALL follow the embedding that the call's PARAMETER_2 names.
class Ranks {
 public:
  enum class Embedding : std::uint8_t { kRows, kSnake, kQuadrants };
  static constexpr std::uint32_t kNoRank = 0xFFFFFFFF;
  static constexpr std::uint32_t kSizeShift = 8;  ///< PARAMETER_2: embedding 7:0, ranks 31:8

  /// Whether PARAMETER_2 is one that the group can have.
  static bool fits(const Group& group, std::uint32_t parameter);
  /// `parameter` fits.
  Ranks(const Group& group, std::uint32_t parameter);

  [[nodiscard]] std::uint32_t size() const { return size_; }
  /// This process's rank, kNoRank if it takes no part.
  [[nodiscard]] std::uint32_t own() const { return own_; }
  /// The rank of a rank of the group, the form of a call's ROOT; kNoRank if it takes no part.
  [[nodiscard]] std::uint32_t rank_of(std::uint32_t group_rank) const;
  /// Where a rank is. Takes O(log N) with quadrants.
  [[nodiscard]] Address address(std::uint32_t rank) const;

 private:
  const Group& group_;
  Embedding embedding_;
  std::uint32_t size_, own_;
};

}  // namespace annelid::firmware
