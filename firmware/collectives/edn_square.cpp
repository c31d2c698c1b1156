// A node finds its part from what it is in the blocks that it lies in: one block of each level k,
// k - 1, ... 0. It is a top of some of them (the largest so many), and a top of a block is a top of
// the smaller blocks too. The words are those of docs/algorithms.md.
#include "firmware/collectives/edn_square.hpp"

#include <array>

namespace annelid::firmware::edn_square {
namespace {

constexpr int kSmallest = 4, kLevels = 7;  // up to 256
constexpr int size_of(int level) { return kSmallest << level; }
/// The tops of blocks of type D in the left half, L1 and U1; those in the right half mirror them.
struct LeftTops {
  Point lower, upper;
};
constexpr std::array<LeftTops, kLevels> make_left_tops() {  // by level, from 1 (Appendix A)
  std::array<LeftTops, kLevels> tops{{{{0, 0}, {0, 0}}, {{1, 0}, {2, 7}}}};
  for (std::size_t level = 2; level < tops.size(); ++level) {
    const Point u1 = tops[level - 1].upper;
    const int m = size_of(static_cast<int>(level) - 1);
    tops[level] = {u1, {m - 1 - u1.x, 2 * m - 1 - u1.y}};
  }
  return tops;
}
constexpr std::array<LeftTops, kLevels> kLeftTops = make_left_tops();
constexpr const LeftTops& left_tops(int level) {
  return kLeftTops[static_cast<std::size_t>(level)];
}

/// The tops of a block of 4 of type B, by x: one in each column.
constexpr std::array<std::uint8_t, 4> kTopOfColumn = {2, 0, 3, 1};
bool is_top_of_b(Point p) { return kTopOfColumn[static_cast<std::size_t>(p.x)] == p.y; }

/// Whether p's block of 4 is of type A rather than B: B is left and A right in a D block of 8, and
/// the reverse in C.
constexpr bool is_type_a(Point p, int k) {
  const bool right = (p.x & 4) != 0, in_c = k > 1 && (p.y & 8) != 0;
  return k > 0 && right != in_c;
}
/// p in its block of 4, mirrored if need be so that the block is of type B.
constexpr Point in_block_b(Point p, bool type_a) {
  const int x = p.x & 3;
  return {type_a ? 3 - x : x, p.y & 3};
}

// Aligned blocks have sizes that are powers of two: what mirrors p in its block of n nodes a side
// is p ^ (n - 1).

/// Whether p's block of `level` > 0 is of type C rather than D.
constexpr bool is_type_c(Point p, int level, int k) {
  return level < k && (p.y & size_of(level)) != 0;
}

/// The top of p's block of `level` > 0 in p's own quadrant, or in the one above or below it.
constexpr Point top(Point p, int level, int k, bool own_quadrant) {
  const int size = size_of(level), last = size - 1;
  const bool right = (p.x & size / 2) != 0, upper = ((p.y & size / 2) != 0) == own_quadrant;
  const bool type_c = is_type_c(p, level, k);
  const Point left = upper != type_c ? left_tops(level).upper : left_tops(level).lower;
  return {(p.x & -size) + (right ? last - left.x : left.x),
          (p.y & -size) + (type_c ? last - left.y : left.y)};
}

/// Whether p is a top of its block of `level` > 0.
bool is_top(Point p, int level, int k) {
  const int size = size_of(level);
  int x = p.x & (size - 1), y = p.y & (size - 1);
  if (x >= size / 2) x = size - 1 - x;
  if (is_type_c(p, level, k)) y = size - 1 - y;
  const LeftTops& tops = left_tops(level);
  return (x == tops.lower.x && y == tops.lower.y) || (x == tops.upper.x && y == tops.upper.y);
}

constexpr std::array<Point, 4> kNeighbours = {Point{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
constexpr bool in_block_of_4(Point p) { return (p.x & ~3) == 0 && (p.y & ~3) == 0; }

/// Where the dominating node of each node of a block B is: dx + 1 in bits 1:0, dy + 1 in bits 3:2.
constexpr std::array<std::uint8_t, 16> make_towards_dominating() {
  std::array<std::uint8_t, 16> result{};
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) {
      for (const Point d : kNeighbours) {
        const Point at{x + d.x, y + d.y};
        if (at.x < 0 || at.x > 3 || kTopOfColumn[static_cast<std::size_t>(at.x)] != at.y) continue;
        result[static_cast<std::size_t>(4 * y + x)] =
            static_cast<std::uint8_t>((d.y + 1) << 2 | (d.x + 1));
      }
    }
  }
  return result;
}
constexpr std::array<std::uint8_t, 16> kTowardsDominating = make_towards_dominating();

// ---- To whom tops send -------------------------------------------------------------------------

/// To whom a top p of a block of `level` sends in that block's step, as what to flip in its
/// coordinates: they are in one block of a power of two.
using Flips = std::array<std::uint16_t, kSends>;
constexpr std::uint16_t flip(Point from, Point to) {
  return static_cast<std::uint16_t>((from.x ^ to.x) | (from.y ^ to.y) << 8);
}

/// Of a block of 4: to the neighbours in it.
constexpr Flips flips_in_4(Point p, bool type_a) {
  Flips flips{};
  std::size_t count = 0;
  const Point b = in_block_b(p, type_a);
  for (const Point d : kNeighbours) {
    const Point neighbour{b.x + d.x, b.y + d.y};
    if (in_block_of_4(neighbour))
      flips.at(count++) = flip(p, {p.x + (type_a ? -d.x : d.x), p.y + d.y});
  }
  return flips;
}

/// Of a block of `level` > 0: see "Blocks of 8 and more". Q is p's quadrant, V the one above or
/// below.
constexpr Flips flips_in_block(Point p, int level, int k) {
  Flips flips{};
  std::size_t count = 0;
  const int size = size_of(level), q_size = size / 2, q_last = q_size - 1;
  const int top_of_v_x = top(p, level, k, false).x;
  const auto send_in_q = [&](Point to) {
    if (to.x != top_of_v_x && to != p) flips.at(count++) = flip(p, to);
  };
  if (level == 1) {
    const bool type_a = is_type_a(p, k);
    for (int column = 0; column < 4; ++column) {
      const auto b_column = static_cast<std::size_t>(type_a ? 3 - column : column);
      send_in_q({(p.x & -4) + column, (p.y & -4) + kTopOfColumn[b_column]});
    }
    flips.at(count) = flip(p, {p.x, p.y ^ 4});  // V is of Q's type
    return flips;
  }
  // Q's tops: p and its mirror image, and the other pair.
  int x = p.x & q_last;
  if (x >= q_size / 2) x = q_last - x;
  const LeftTops& tops = left_tops(level - 1);
  const Point other = x == tops.lower.x ? tops.upper : tops.lower;
  const int other_y = (p.y & -q_size) + (is_type_c(p, level - 1, k) ? q_last - other.y : other.y);
  send_in_q({p.x ^ q_last, p.y});
  send_in_q({(p.x & -q_size) + other.x, other_y});
  send_in_q({(p.x & -q_size) + q_last - other.x, other_y});
  flips.at(count) = flip(p, {p.x, p.y ^ (size - 1)});  // V is Q's mirror image
  return flips;
}

/// Blocks of 4 by type A and column, others by level, type C and quadrant, that of the top.
struct FlipTable {
  Flips in_4[2][4];
  Flips in_block[kLevels - 1][2][4];
};
constexpr FlipTable make_flips() {
  FlipTable table{};
  for (std::size_t kind = 0; kind < 2; ++kind) {
    for (std::size_t i = 0; i < 4; ++i) {
      const bool type_a = kind == 1;
      const auto column = static_cast<int>(i);
      table.in_4[kind][i] = flips_in_4({column, kTopOfColumn[type_a ? 3 - i : i]}, type_a);
      for (int level = 1; level < kLevels; ++level) {
        // The lower of two blocks is of type D, the upper of type C.
        const int half = size_of(level) / 2, y = kind == 1 ? 2 * half : 0;
        const Point p = top({column % 2 * half, y + column / 2 * half}, level, level + 1, true);
        table.in_block[level - 1][kind][i] = flips_in_block(p, level, level + 1);
      }
    }
  }
  return table;
}
constexpr FlipTable kFlips = make_flips();

}  // namespace

int highest_level(Point p, int k) {
  if (!is_top_of_b(in_block_b(p, is_type_a(p, k)))) return -1;
  int level = 0;
  while (level < k && is_top(p, level + 1, k)) ++level;
  return level;
}

Point top(int index, int k) {
  if (k == 0) return {index, kTopOfColumn[static_cast<std::size_t>(index)]};
  const LeftTops& left = left_tops(k);
  const Point p = index == 0 || index == 3 ? left.lower : left.upper;
  return {index < 2 ? p.x : size_of(k) - 1 - p.x, p.y};
}

int top_index(Point p, int k) {
  if (k == 0) return p.x;
  const int half = size_of(k) / 2;
  const bool right = p.x >= half, upper = p.y >= half;
  return right ? (upper ? 2 : 3) : (upper ? 1 : 0);
}

Point parent(Point p, int level, int k) {
  if (level >= 0) {
    const Point top_of_v = top(p, level + 1, k, false);
    return p.x == top_of_v.x ? top_of_v : top(p, level + 1, k, true);
  }
  const bool type_a = is_type_a(p, k);  // the neighbour of exactly one dominating node
  const Point b = in_block_b(p, type_a);
  const int towards = kTowardsDominating[static_cast<std::size_t>(4 * b.y + b.x)];
  const int dx = (towards & 3) - 1;
  return {p.x + (type_a ? -dx : dx), p.y + (towards >> 2) - 1};
}

std::span<const std::uint16_t, kSends> sends(Point p, int level, int k) {
  if (level == 0) return kFlips.in_4[is_type_a(p, k) ? 1 : 0][p.x & 3];
  const int half = size_of(level) / 2;
  const std::size_t quadrant = ((p.x & half) != 0 ? 1U : 0U) + ((p.y & half) != 0 ? 2U : 0U);
  return kFlips.in_block[level - 1][is_type_c(p, level, k) ? 1 : 0][quadrant];
}

}  // namespace annelid::firmware::edn_square
