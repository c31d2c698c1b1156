// Squares of 4·2^k nodes a side: dominating nodes of all levels (Tsai, 3.3 and Appendix A). This
// file computes what a node does after the tops of its square have the message. edn_mesh.cpp brings
// the message to the tops.
//
// A block of a level has 4·2^level nodes a side. The square itself is the block of level k, and all
// functions take k.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "firmware/address.hpp"

namespace annelid::firmware::edn_square {

/// A node of the square.
struct Point {
  int x, y;
  friend constexpr bool operator==(Point, Point) = default;
};

/// Returns the highest level at which p is a top of a block, or -1 if p is no top.
int highest_level(Point p, int k);

/// Returns the index of p among the square's tops, by ascending x.
int top_index(Point p, int k);

/// Returns the sender of a node that is a top of blocks up to `level` < k (-1: of no block).
Point parent(Point p, int level, int k);

/// Returns the number of nodes, itself included, that a top of blocks up to `level` reaches in the
/// steps of these blocks. It sends to three tops of each level below, and to three nodes that are
/// no tops.
constexpr std::uint32_t nodes_below(int level) { return std::uint32_t{1} << 2 * (level + 1); }

/// Constants that are computed when the firmware is compiled.
constexpr std::size_t kSends = 3, kLevels = 7;  // up to 256 nodes a side
struct Tables {
  /// The receivers of a top, in ascending order: the bits to flip in its Address.
  using Sends = std::array<std::uint16_t, kSends>;
  Sends in_block_of_4[2][4];          ///< by the block's type, A 1, and the top's column
  Sends in_block[kLevels - 1][2][4];  ///< by level - 1, type, C 1, and the top's quadrant
  std::uint16_t tops[kLevels][4];     ///< of squares, by level, in ascending order of x
};
extern const Tables kTables;

/// Returns one of the square's tops, by ascending x.
inline Address top(int index, int k) { return Address::from_word(kTables.tops[k][index]); }

/// Whether p's block of 4 is of type A rather than B: B is left and A right in a D block of 8, and
/// the reverse in C.
constexpr bool is_type_a(Point p, int k) {
  const bool right = (p.x & 4) != 0, in_c = k > 1 && (p.y & 8) != 0;
  return k > 0 && right != in_c;
}
/// Whether p's block of `level` > 0 is of type C rather than D.
constexpr bool is_type_c(Point p, int level, int k) { return level < k && (p.y & 4 << level) != 0; }

/// Returns the receivers of a top of a block of `level` in that block's step, as bits to flip.
inline const Tables::Sends& sends(Point p, int level, int k) {
  if (level == 0) return kTables.in_block_of_4[is_type_a(p, k) ? 1 : 0][p.x & 3];
  const int half = 2 << level;
  const std::size_t quadrant = ((p.x & half) != 0 ? 1U : 0U) + ((p.y & half) != 0 ? 2U : 0U);
  return kTables.in_block[level - 1][is_type_c(p, level, k) ? 1 : 0][quadrant];
}

}  // namespace annelid::firmware::edn_square
