// Squares of 4·2^k nodes a side: dominating nodes of all levels (Tsai, 3.3 and Appendix A).
// What a node does from its square's tops on; how they get the message is edn_mesh.cpp's.
//
// A block's level is the number of times that it is twice as large as the smallest: 4·2^level nodes
// a side; the square itself is the block of level k, which all functions are given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace annelid::firmware::edn_square {

/// A node of the square.
struct Point {
  int x, y;
  friend constexpr bool operator==(Point, Point) = default;
};

/// The highest level of whose blocks p is a top; -1 if it is none of any.
int highest_level(Point p, int k);

/// The square's tops, by ascending x.
Point top(int index, int k);
/// Which of them a top is.
int top_index(Point p, int k);

/// Who sends to a node that is a top of blocks up to `level` < k (-1: of none).
Point parent(Point p, int level, int k);

/// To whom a top of a block of `level` sends in that block's step: x ^ (flips & 0xFF), y ^ (flips
/// >> 8), for each of the flips.
constexpr std::size_t kSends = 3;
std::span<const std::uint16_t, kSends> sends(Point p, int level, int k);

/// Nodes that a top of blocks up to `level` reaches in the steps of those, itself included: three
/// tops of each level below and three nodes that are none.
constexpr std::uint32_t nodes_below(int level) { return std::uint32_t{1} << 2 * (level + 1); }

}  // namespace annelid::firmware::edn_square
