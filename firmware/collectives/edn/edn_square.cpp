// A node finds its part from what it is in the blocks that it lies in: one block of each level k,
// k - 1, ... 0. It is a top of some of them (the largest so many), and a top of a block is a top of
// the smaller blocks too. The words are those of docs/internals/algorithms/edn-mesh.md.
#include "firmware/collectives/edn/edn_square.hpp"

#include <array>

namespace annelid::firmware::edn_square {
namespace {

constexpr int kSmallest = 4;
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

/// p in its block of 4, mirrored if need be so that the block is of type B.
constexpr Point in_block_b(Point p, bool type_a) {
  const int x = p.x & 3;
  return {type_a ? 3 - x : x, p.y & 3};
}

// Aligned blocks have sizes that are powers of two: what mirrors p in its block of n nodes a side
// is p ^ (n - 1).

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

/// The receivers of a top, as the table has them.
class Receivers {
 public:
  constexpr explicit Receivers(Point top) : top_(word(top)) {}
  constexpr void add(Point to) {
    std::size_t at = count_++;
    for (; at > 0 && to_.at(at - 1) > word(to); --at) to_.at(at) = to_.at(at - 1);
    to_.at(at) = word(to);
  }
  /// Coordinates in one block of a power of two.
  [[nodiscard]] constexpr Tables::Sends sends() const {
    Tables::Sends result{};
    for (std::size_t i = 0; i < kSends; ++i) {
      const std::uint32_t flips = to_.at(i) ^ top_;  // they are in one block of a power of two
      result.at(i) = static_cast<std::uint16_t>((flips >> 16) << 8 | (flips & 0xFF));
    }
    return result;
  }

 private:
  static constexpr std::uint32_t word(Point p) {
    return static_cast<std::uint32_t>(p.y) << 16 | static_cast<std::uint32_t>(p.x);
  }

  std::uint32_t top_;
  std::array<std::uint32_t, kSends> to_{};
  std::size_t count_ = 0;
};

/// A top of a block of 4: to its neighbours there.
constexpr Tables::Sends sends_in_4(Point p, bool type_a) {
  Receivers receivers(p);
  const Point b = in_block_b(p, type_a);
  for (const Point d : kNeighbours) {
    const Point neighbour{b.x + d.x, b.y + d.y};
    if (in_block_of_4(neighbour)) receivers.add({p.x + (type_a ? -d.x : d.x), p.y + d.y});
  }
  return receivers.sends();
}

/// The sends in a block of `level` > 0: see "Blocks of 8 and more". Q is p's quadrant, V the one
/// above or below.
constexpr Tables::Sends sends_in_block(Point p, int level, int k) {
  Receivers receivers(p);
  const int size = size_of(level), q_size = size / 2, q_last = q_size - 1;
  const int top_of_v_x = top(p, level, k, false).x;
  const auto send_in_q = [&](Point to) {
    if (to.x != top_of_v_x && to != p) receivers.add(to);
  };
  if (level == 1) {
    const bool type_a = is_type_a(p, k);
    for (int column = 0; column < 4; ++column) {
      const auto b_column = static_cast<std::size_t>(type_a ? 3 - column : column);
      send_in_q({(p.x & -4) + column, (p.y & -4) + kTopOfColumn[b_column]});
    }
    receivers.add({p.x, p.y ^ 4});  // V is of Q's type
    return receivers.sends();
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
  receivers.add({p.x, p.y ^ (size - 1)});  // V is Q's mirror image
  return receivers.sends();
}

constexpr Point top_of_square(std::size_t index, int k) {
  if (k == 0) return {static_cast<int>(index), kTopOfColumn[index]};
  const LeftTops& left = left_tops(k);
  const Point p = index == 0 || index == 3 ? left.lower : left.upper;
  return {index < 2 ? p.x : size_of(k) - 1 - p.x, p.y};
}

constexpr Tables make_tables() {
  Tables tables{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t type = 0; type < 2; ++type) {
      const bool type_a = type == 1;
      const auto column = static_cast<int>(i);
      tables.in_block_of_4[type][i] =
          sends_in_4({column, kTopOfColumn[type_a ? 3 - i : i]}, type_a);
      for (int level = 1; level < static_cast<int>(kLevels); ++level) {
        // The lower one of two blocks above each other is of type D.
        const int half = size_of(level) / 2, y = type == 1 ? 2 * half : 0;
        const Point p = top({column % 2 * half, y + column / 2 * half}, level, level + 1, true);
        tables.in_block[level - 1][type][i] = sends_in_block(p, level, level + 1);
      }
    }
    for (std::size_t k = 0; k < kLevels; ++k) {
      const Point p = top_of_square(i, static_cast<int>(k));
      tables.tops[k][i] = static_cast<std::uint16_t>(p.y << 8 | p.x);
    }
  }
  return tables;
}

}  // namespace

constexpr Tables kTables = make_tables();

int highest_level(Point p, int k) {
  if (!is_top_of_b(in_block_b(p, is_type_a(p, k)))) return -1;
  int level = 0;
  while (level < k && is_top(p, level + 1, k)) ++level;
  return level;
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

}  // namespace annelid::firmware::edn_square
