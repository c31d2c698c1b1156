// A node finds its part from what it is in the blocks that it lies in: one block of each size n,
// n/2, ... 4. It is a top of some of them (the largest so many), and a top of a block is a top of
// the smaller blocks too. The words are those of docs/algorithms.md. A block's level is the number
// of times that it is twice as large as the smallest: 4·2^level nodes a side.
#include "firmware/collectives/edn_broadcast.hpp"

#include <array>

namespace annelid::firmware::edn_broadcast {
namespace {

struct Point {
  int x, y;
  friend constexpr bool operator==(Point, Point) = default;
};
constexpr Point point(Address a) { return {a.x, a.y}; }
constexpr Address address(Point p) {
  return {static_cast<std::uint8_t>(p.x), static_cast<std::uint8_t>(p.y)};
}

constexpr int kSmallest = 4, kLargest = 256;
constexpr int size_of(int level) { return kSmallest << level; }
int level_of(int size) {
  int level = 0;
  while (size_of(level) < size) ++level;
  return level;
}

/// The tops of blocks of type D in the left half, L1 and U1; those in the right half mirror them.
struct LeftTops {
  Point lower, upper;
};
constexpr std::array<LeftTops, 7> make_left_tops() {  // by level, from 1 (Appendix A)
  std::array<LeftTops, 7> tops{{{{0, 0}, {0, 0}}, {{1, 0}, {2, 7}}}};
  for (std::size_t level = 2; level < tops.size(); ++level) {
    const Point u1 = tops[level - 1].upper;
    const int m = size_of(static_cast<int>(level) - 1);
    tops[level] = {u1, {m - 1 - u1.x, 2 * m - 1 - u1.y}};
  }
  return tops;
}
constexpr std::array<LeftTops, 7> kLeftTops = make_left_tops();
constexpr const LeftTops& left_tops(int level) {
  return kLeftTops[static_cast<std::size_t>(level)];
}

/// The tops of a block of 4 of type B, by x: one in each column.
constexpr std::array<std::uint8_t, 4> kTopOfColumn = {2, 0, 3, 1};
bool is_top_of_b(Point p) { return kTopOfColumn[static_cast<std::size_t>(p.x)] == p.y; }

/// Whether p's block of 4, in a mesh of n, is of type A rather than B: B is left and A right in a D
/// block of 8, and the reverse in C.
bool is_type_a(Point p, int n) {
  const bool right = (p.x & 4) != 0, in_c = 8 < n && (p.y & 8) != 0;
  return 4 < n && right != in_c;
}
/// p in its block of 4, mirrored if need be so that the block is of type B.
Point in_block_b(Point p, bool type_a) {
  const int x = p.x & 3;
  return {type_a ? 3 - x : x, p.y & 3};
}

// Aligned blocks have sizes that are powers of two: what mirrors p in its block of n is p ^ (n -
// 1).

/// Whether p's block of `size` > 4, in a mesh of n, is of type C rather than D.
bool is_type_c(Point p, int size, int n) { return size < n && (p.y & size) != 0; }

/// The top of p's block of `level` > 0 in p's own quadrant, or in the one above or below it.
Point top(Point p, int level, int n, bool own_quadrant) {
  const int size = size_of(level), last = size - 1;
  const bool right = (p.x & size / 2) != 0, upper = ((p.y & size / 2) != 0) == own_quadrant;
  const bool type_c = is_type_c(p, size, n);
  const Point left = upper != type_c ? left_tops(level).upper : left_tops(level).lower;
  return {(p.x & -size) + (right ? last - left.x : left.x),
          (p.y & -size) + (type_c ? last - left.y : left.y)};
}

/// Whether p is a top of its block of `level` > 0.
bool is_top(Point p, int level, int n) {
  const int size = size_of(level);
  int x = p.x & (size - 1), y = p.y & (size - 1);
  if (x >= size / 2) x = size - 1 - x;
  if (size < n && (p.y & size) != 0) y = size - 1 - y;
  const LeftTops& tops = left_tops(level);
  return (x == tops.lower.x && y == tops.lower.y) || (x == tops.upper.x && y == tops.upper.y);
}

/// The highest level, up to `last`, of whose blocks p is a top; -1 if it is none of any.
int highest_level(Point p, int last, int n) {
  if (!is_top_of_b(in_block_b(p, is_type_a(p, n)))) return -1;
  int level = 0;
  while (level < last && is_top(p, level + 1, n)) ++level;
  return level;
}

/// To whom a top p of a block of `level` > 0 sends in that block's step: see "Blocks of 8 and
/// more". Q is p's quadrant, V the one above or below.
template <typename Visit>
void for_each_receiver(Point p, int level, int n, Visit send) {
  const int size = size_of(level), q_size = size / 2;
  const int top_of_v_x = top(p, level, n, false).x;
  const auto send_in_q = [&](int x, int y) {
    if (x != top_of_v_x) send(Point{x, y});
  };
  if (level == 1) {
    const bool type_a = is_type_a(p, n);
    for (int column = 0; column < 4; ++column) {
      const auto b_column = static_cast<std::size_t>(type_a ? 3 - column : column);
      send_in_q((p.x & -4) + column, (p.y & -4) + kTopOfColumn[b_column]);
    }
    send(Point{p.x, p.y ^ 4});  // V is of Q's type
    return;
  }
  // Q's tops: p and its mirror image, and the other pair.
  const int q_last = q_size - 1;
  int x = p.x & q_last;
  if (x >= q_size / 2) x = q_last - x;
  const LeftTops& tops = left_tops(level - 1);
  const Point other = x == tops.lower.x ? tops.upper : tops.lower;
  const int other_y = (p.y & -q_size) + (is_type_c(p, q_size, n) ? q_last - other.y : other.y);
  send_in_q(p.x ^ q_last, p.y);
  send_in_q((p.x & -q_size) + other.x, other_y);
  send_in_q((p.x & -q_size) + q_last - other.x, other_y);
  send(Point{p.x, p.y ^ (size - 1)});  // V is Q's mirror image
}

constexpr std::array<Point, 4> kNeighbours = {Point{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
bool in_block_of_4(Point p) { return (p.x & ~3) == 0 && (p.y & ~3) == 0; }

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

/// Where the messages of steps 1 and 2 go: in a mesh of 4 the column's top, and those of the
/// columns x^1, x^2, x^3; else the tops of the mesh, named as for a source in the left half.
enum Place : std::uint8_t { kSource, kL1, kL2, kU1, kU2, kPlaces, kT0 = kL1, kT1, kT2, kT3 };
struct StartupMessage {
  Place from, to;
  std::uint8_t step;
};
struct StartupRule {
  StartupMessage messages[4];
};
constexpr StartupRule kStartupOf4 = {
    {{kSource, kT0, 1}, {kSource, kT2, 1}, {kT0, kT1, 2}, {kT2, kT3, 2}}};
constexpr StartupRule kStartups[] = {
    {{{kSource, kU2, 1}, {kSource, kL1, 2}, {kU2, kU1, 2}, {kU2, kL2, 2}}},  // x < x(L1)
    {{{kSource, kL1, 1}, {kSource, kU1, 1}, {kL1, kL2, 2}, {kU1, kU2, 2}}},  // x < x(U1)
    {{{kSource, kU1, 1}, {kSource, kU2, 1}, {kU1, kL1, 2}, {kU2, kL2, 2}}},
};

/// The startup of a source in a mesh of n. A message from a node to itself or to the source is no
/// message.
struct Startup {
  const StartupRule* rule;
  std::array<Point, kPlaces> at;
};
Startup startup(Point source, int n) {
  Startup result{&kStartupOf4, {}};
  result.at[kSource] = source;
  if (n == kSmallest) {
    for (int i = 0; i < 4; ++i) {
      const int x = source.x ^ i;
      result.at[static_cast<std::size_t>(kT0 + i)] = {x, kTopOfColumn[static_cast<std::size_t>(x)]};
    }
    return result;
  }
  // In the right half left and right change places.
  const bool flip = source.x >= n / 2;
  const int x = flip ? n - 1 - source.x : source.x;
  const LeftTops& left = left_tops(level_of(n));
  const auto set = [&](Place near, Place far, Point p) {
    result.at[flip ? far : near] = p;
    result.at[flip ? near : far] = {n - 1 - p.x, p.y};
  };
  set(kL1, kL2, left.lower);
  set(kU1, kU2, left.upper);
  result.rule = &kStartups[x < left.lower.x ? 0 : x < left.upper.x ? 1 : 2];
  return result;
}

// What the rule keeps in the plan.
constexpr std::size_t kNextStep = 0, kHighestLevel = 1;

bool fits(Frame& frame) {
  const int n = frame.size().x;
  return frame.is_network() && frame.size() == Size{n, n, 1} && !frame.has_rings() &&
         kSmallest <= n && n <= kLargest && (n & (n - 1)) == 0;
}

int steps(const Frame& frame) { return level_of(frame.size().x) + 3; }

/// Who sends to a node that is a top of blocks up to `level` < that of the mesh (-1: of none), if
/// it is not the source.
Point parent_in_blocks(Point p, int level, int n) {
  if (level >= 0) {
    const Point top_of_v = top(p, level + 1, n, false);
    return p.x == top_of_v.x ? top_of_v : top(p, level + 1, n, true);
  }
  const bool type_a = is_type_a(p, n);  // the neighbour of exactly one dominating node
  const Point b = in_block_b(p, type_a);
  const int towards = kTowardsDominating[static_cast<std::size_t>(4 * b.y + b.x)];
  const int dx = (towards & 3) - 1;
  return {p.x + (type_a ? -dx : dx), p.y + (towards >> 2) - 1};
}

void find_parent(const Frame& frame, Address node, TreePlan& plan) {
  const int n = frame.size().x, last = level_of(n);
  const Point self = point(node);
  const int level = highest_level(self, last, n);
  plan.state[kNextStep] = 1;
  plan.state[kHighestLevel] = static_cast<std::uint32_t>(level);
  plan.receive_step = 0;
  if (node == frame.root()) return;

  if (level < last) {
    plan.parent = address(parent_in_blocks(self, level, n));
    plan.receive_step = level < 0 ? last + 3 : 3 + last - (level + 1);
  } else {
    const Startup start = startup(point(frame.root()), n);
    for (const StartupMessage& m : start.rule->messages) {
      if (start.at[m.to] != self || start.at[m.from] == self) continue;
      plan.parent = address(start.at[m.from]);
      plan.receive_step = m.step;
    }
  }
}

bool next_step(const Frame& frame, Address node, TreePlan& plan) {
  const int n = frame.size().x, last = level_of(n);
  const Point self = point(node), source = point(frame.root());
  const int highest = static_cast<int>(plan.state[kHighestLevel]);
  int step = static_cast<int>(plan.state[kNextStep]);
  const auto send = [&](Point to) {
    if (to != self && to != source) plan.add(address(to));
  };

  plan.clear();
  if (step <= 2 && highest < last && self != source) step = 3;  // no part in the startup
  // Steps 3, 4 ... are those of blocks of level `last`, `last` - 1 ...
  if (step >= 3 && 3 + last - highest > step) step = 3 + last - highest;
  for (; plan.sends().empty() && step <= last + 3; ++step) {
    const int level = last + 3 - step;
    if (step <= 2) {
      const Startup start = startup(source, n);
      for (const StartupMessage& m : start.rule->messages) {
        if (start.at[m.from] == self && m.step == step) send(start.at[m.to]);
      }
    } else if (level > highest) {
      continue;  // a source that is no top of the mesh has this behind its startup
    } else if (level > 0) {
      for_each_receiver(self, level, n, send);
    } else {
      const bool type_a = is_type_a(self, n);
      const Point b = in_block_b(self, type_a);
      for (const Point d : kNeighbours) {
        const Point neighbour{b.x + d.x, b.y + d.y};
        if (in_block_of_4(neighbour)) send({self.x + (type_a ? -d.x : d.x), self.y + d.y});
      }
    }
  }
  plan.step = step - 1;
  plan.state[kNextStep] = static_cast<std::uint32_t>(step);
  return !plan.sends().empty();
}

/// Without the source's place in them, the blocks' trees are regular: a top of a block of `level`
/// has three tops of each level below it and three nodes that are none, 4^(level + 1) with itself.
std::uint32_t subtree(const Frame& frame, Address node) {
  if (node == frame.root()) return frame.nodes();
  const int n = frame.size().x, last = level_of(n);
  const Point self = point(node), source = point(frame.root());
  const int source_level = highest_level(source, last, n);
  const auto full = [](int level) { return std::uint32_t{1} << 2 * (level + 1); };
  // The source and its tree are missing from those of all that would come before it.
  const auto in_blocks = [&](Point top, int level) {
    std::uint32_t nodes = full(level);
    Point p = source;
    for (int l = source_level; l < level; l = highest_level(p, last, n)) {
      p = parent_in_blocks(p, l, n);
      if (p == top) return nodes - full(source_level);
    }
    return nodes;
  };
  const int level = highest_level(self, last, n);
  std::uint32_t nodes = in_blocks(self, level);
  if (level == last) {
    const Startup start = startup(source, n);
    for (const StartupMessage& m : start.rule->messages) {
      const Point to = start.at[m.to];
      if (start.at[m.from] == self && to != self && to != source) nodes += in_blocks(to, last);
    }
  }
  return nodes;
}

}  // namespace

const TreeRule kRule{fits, steps, find_parent, next_step, subtree};

}  // namespace annelid::firmware::edn_broadcast
