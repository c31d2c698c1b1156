// A node finds its part from what it is in the blocks that it lies in: one block of each size n,
// n/2, ... 4. It is a top of some of them (the largest so many), and a top of a block is a top of
// the smaller blocks too. The words are those of docs/algorithms.md.
#include "firmware/collectives/edn_broadcast.hpp"

#include <array>

namespace annelid::firmware::edn {
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

/// The tops of blocks of type D in the left half, L1 and U1; those in the right half mirror them.
struct LeftTops {
  Point lower, upper;
};
constexpr std::array<LeftTops, 6> make_left_tops() {  // of blocks of 8, 16, ... 256 (Appendix A)
  std::array<LeftTops, 6> tops{LeftTops{{1, 0}, {2, 7}}};
  int m = 8;
  for (std::size_t i = 1; i < tops.size(); ++i, m *= 2) {
    const Point u1 = tops[i - 1].upper;
    tops[i] = {u1, {m - 1 - u1.x, 2 * m - 1 - u1.y}};
  }
  return tops;
}
constexpr std::array<LeftTops, 6> kLeftTops = make_left_tops();
constexpr const LeftTops& left_tops(int size) {
  std::size_t i = 0;
  while ((8 << i) < size) ++i;
  return kLeftTops[i];
}

/// An aligned block; `mirrored` says type C rather than D, in blocks of 4 type A rather than B.
struct Block {
  int x, y, size;
  bool mirrored;
};

/// The block of `size` in which `p` lies, in a mesh of n.
Block block_at(Point p, int size, int n) {
  const bool right = (p.x & size) != 0;  // in the block of twice the size
  const bool upper = (p.y & size) != 0;
  bool mirrored = size < n && upper;
  if (size == 4) {  // B left and A right in a D block of 8, the reverse in C
    const bool in_c = 8 < n && (p.y & 8) != 0;
    mirrored = 4 < n && right != in_c;
  }
  return {p.x & -size, p.y & -size, size, mirrored};
}

/// The top of `b` in one of its quadrants.
Point top(const Block& b, bool right, bool upper) {
  Point p{};
  if (b.size == 4) {
    if (b.mirrored) right = !right;  // A mirrors B in x
    p = upper ? (right ? Point{2, 3} : Point{0, 2}) : (right ? Point{3, 1} : Point{1, 0});
    if (b.mirrored) p.x = 3 - p.x;
  } else {
    if (b.mirrored) upper = !upper;  // C mirrors D in y
    p = upper ? left_tops(b.size).upper : left_tops(b.size).lower;
    if (right) p.x = b.size - 1 - p.x;
    if (b.mirrored) p.y = b.size - 1 - p.y;
  }
  return {b.x + p.x, b.y + p.y};
}

/// The quadrant of its block of `size` that a node lies in.
bool is_right(Point p, int size) { return (p.x & (size / 2)) != 0; }
bool is_upper(Point p, int size) { return (p.y & (size / 2)) != 0; }

bool is_top(Point p, int size, int n) {
  return top(block_at(p, size, n), is_right(p, size), is_upper(p, size)) == p;
}

template <typename Visit>
void for_each_top(const Block& b, Visit visit) {
  for (const bool upper : {false, true}) {
    for (const bool right : {false, true}) visit(top(b, right, upper));
  }
}

/// In a block of `size` >= 8, around a node: its quadrant Q and the one above or below, V, each as
/// a block of its own, and the block's tops in them.
struct Surroundings {
  Block q, v;
  Point top_of_q, top_of_v;
};
Surroundings surroundings(Point p, int size, int n) {
  const Block block = block_at(p, size, n);
  const bool right = is_right(p, size), upper = is_upper(p, size);
  return {block_at(p, size / 2, n), block_at({p.x, p.y ^ (size / 2)}, size / 2, n),
          top(block, right, upper), top(block, right, !upper)};
}

/// The messages of steps 1 and 2; one from a node to itself or to the source is no message.
struct StartupMessage {
  Point from, to;
  int step;
};
std::array<StartupMessage, 4> startup(Point s, int n) {
  if (n == kSmallest) {
    const auto t = [](int x) { return top({0, 0, 4, false}, x >= 2, x == 0 || x == 2); };
    return {
        {{s, t(s.x), 1}, {s, t(s.x ^ 2), 1}, {t(s.x), t(s.x ^ 1), 2}, {t(s.x ^ 2), t(s.x ^ 3), 2}}};
  }
  // Written for a source in the left half; in the right half left and right change places.
  const bool flip = s.x >= n / 2;
  const int x = flip ? n - 1 - s.x : s.x;
  const Block mesh{0, 0, n, false};
  const Point l1 = top(mesh, flip, false), l2 = top(mesh, !flip, false);
  const Point u1 = top(mesh, flip, true), u2 = top(mesh, !flip, true);
  if (x < left_tops(n).lower.x) return {{{s, u2, 1}, {s, l1, 2}, {u2, u1, 2}, {u2, l2, 2}}};
  if (x < left_tops(n).upper.x) return {{{s, l1, 1}, {s, u1, 1}, {l1, l2, 2}, {u1, u2, 2}}};
  return {{{s, u1, 1}, {s, u2, 1}, {u1, l1, 2}, {u2, l2, 2}}};
}

}  // namespace

bool fits(Size size) {
  const int n = size.x;
  return size == Size{n, n, 1} && kSmallest <= n && n <= kLargest && (n & (n - 1)) == 0;
}

BroadcastPlan plan(Address self_address, Size mesh, Address root) {
  const int n = mesh.x;
  const Point self = point(self_address), source = point(root);
  BroadcastPlan plan;
  const auto send = [&](int step, Point to) {
    if (to != self && to != source) plan.add(step, address(to));
  };
  const auto receive = [&](int step, Point from) {
    if (self == source) return;
    plan.parent = address(from);
    plan.receive_step = step;
  };

  for (const StartupMessage& message : startup(source, n)) {
    if (message.from == self) send(message.step, message.to);
    if (message.to == self && message.from != self) receive(message.step, message.from);
  }
  int step = 3, size = n;
  for (; size > kSmallest; size /= 2, ++step) {
    const Surroundings around = surroundings(self, size, n);
    if (around.top_of_q == self) {
      for_each_top(around.q, [&](Point t) {
        if (t.x != around.top_of_v.x) send(step, t);
      });
      for_each_top(around.v, [&](Point t) {
        if (t.x == self.x) send(step, t);
      });
    } else if (is_top(self, size / 2, n)) {
      receive(step, self.x == around.top_of_v.x ? around.top_of_v : around.top_of_q);
    }
  }
  // In a block of 4 every node is a dominating node or the neighbour of exactly one.
  const bool dominates = is_top(self, kSmallest, n);
  const Block block = block_at(self, kSmallest, n);
  for (const Point d : {Point{0, -1}, Point{-1, 0}, Point{1, 0}, Point{0, 1}}) {
    const Point neighbour{self.x + d.x, self.y + d.y};
    if ((neighbour.x & -4) != block.x || (neighbour.y & -4) != block.y) continue;
    if (dominates) send(step, neighbour);
    if (!dominates && is_top(neighbour, kSmallest, n)) receive(step, neighbour);
  }
  return plan;
}

Task broadcast(Node& node, const Call& call) { return broadcast_by(node, call, plan); }

}  // namespace annelid::firmware::edn
