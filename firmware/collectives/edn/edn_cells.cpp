#include "firmware/collectives/edn/edn_cells.hpp"

#include <array>
#include <cstddef>

#include "firmware/platform/stop.hpp"

namespace annelid::firmware::edn_cells {
namespace {

struct Point {
  int x, y, z = 0;
};
struct First {  ///< a message of the first step, from a top
  Point from, to;
};

/// Built when the firmware is compiled.
template <int kX, int kY, int kZ, int kTops>
struct Tree {
  static constexpr int kCells = kX * kY * kZ;
  static_assert(kCells <= 128);
  std::array<std::uint8_t, kCells> parents{};  // bit 7: in step 2
  std::array<std::uint8_t, kCells> children{};
  std::array<std::uint8_t, kCells + 1> begins{};
  std::array<std::uint8_t, kTops> tops{};
  std::array<bool, kCells> dominating{};

  static constexpr int number(Point p) { return (p.z * kY + p.y) * kX + p.x; }
  static constexpr bool contains(Point p) {
    return p.x >= 0 && p.x < kX && p.y >= 0 && p.y < kY && p.z >= 0 && p.z < kZ;
  }

  constexpr void set(Point child, Point parent, int step) {
    parents[static_cast<std::size_t>(number(child))] =
        static_cast<std::uint8_t>(number(parent) | (step - 1) << 7);
  }
  template <std::size_t n, std::size_t m>
  constexpr void first_step(const Point (&top)[n], const First (&messages)[m]) {
    for (std::uint8_t& parent : parents) parent = 0xFF;  // of none yet
    for (std::size_t i = 0; i < n; ++i) {
      tops[i] = static_cast<std::uint8_t>(number(top[i]));
      set(top[i], top[i], 1);
      dominating[tops[i]] = true;
    }
    for (const First& message : messages) {
      set(message.to, message.from, 1);
      dominating[static_cast<std::size_t>(number(message.to))] = true;
    }
  }
  /// Whether it is a dominating node of the block.
  constexpr bool dominates(Point p) const {
    return contains(p) && dominating[static_cast<std::size_t>(number(p))];
  }
  constexpr void list_children() {
    int count = 0;
    for (int cell = 0; cell < kCells; ++cell) {
      begins[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(count);
      for (int step = 0; step < 2; ++step) {
        for (int child = 0; child < kCells; ++child) {
          if (child != cell && parents[static_cast<std::size_t>(child)] == (cell | step << 7))
            children[static_cast<std::size_t>(count++)] = static_cast<std::uint8_t>(child);
        }
      }
    }
    begins[kCells] = static_cast<std::uint8_t>(count);
    if (count != kCells - kTops) stop("a node of a block has no parent");
  }
  [[nodiscard]] constexpr Block block() const {
    return {{kX, kY, kZ}, parents.data(), children.data(), begins.data(), tops};
  }
};

/// Nodes that do not dominate get the message from the first neighbour that does.
template <int b, std::size_t n, std::size_t m>
constexpr auto make_square(const Point (&tops)[n], const First (&messages)[m]) {
  Tree<b, b, 1, static_cast<int>(n)> tree;
  tree.first_step(tops, messages);
  for (int y = 0; y < b; ++y) {
    for (int x = 0; x < b; ++x) {
      if (tree.dominates({x, y})) continue;
      for (const Point from : {Point{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}}) {
        if (!tree.dominates(from)) continue;
        tree.set({x, y}, from, 2);
        break;
      }
    }
  }
  tree.list_children();
  return tree;
}

constexpr Point k5a{0, 1}, k5b{2, 2};
constexpr auto k5 = make_square<5>(
    {k5a, k5b}, {{k5a, {4, 1}}, {k5a, {0, 3}}, {k5b, {2, 0}}, {k5b, {4, 3}}, {k5b, {2, 4}}});
constexpr Point k6a{1, 1}, k6b{4, 4};
constexpr auto k6 = make_square<6>({k6a, k6b}, {{k6a, {1, 0}},
                                                {k6a, {3, 2}},
                                                {k6a, {0, 3}},
                                                {k6a, {1, 5}},
                                                {k6b, {4, 0}},
                                                {k6b, {5, 2}},
                                                {k6b, {2, 3}},
                                                {k6b, {4, 5}}});
constexpr Point k7a{2, 0}, k7b{3, 2}, k7c{4, 6};
constexpr auto k7 = make_square<7>({k7a, k7b, k7c}, {{k7a, {0, 1}},
                                                     {k7a, {6, 1}},
                                                     {k7a, {2, 6}},
                                                     {k7b, {1, 3}},
                                                     {k7b, {5, 3}},
                                                     {k7b, {3, 4}},
                                                     {k7c, {4, 0}},
                                                     {k7c, {0, 5}},
                                                     {k7c, {6, 5}}});

/// A message within a plane of a cuboid.
struct InPlane {
  int from_p, from_q, to_p, to_q;
};
/// The last step in planes of type E; in its mirror image p is 3 - p.
constexpr InPlane kE[] = {{0, 0, 1, 0}, {0, 0, 0, 1}, {1, 2, 1, 1}, {1, 2, 3, 0},
                          {1, 2, 0, 2}, {1, 2, 1, 3}, {2, 1, 2, 0}, {2, 1, 0, 3},
                          {2, 1, 3, 1}, {2, 1, 2, 2}, {3, 3, 3, 2}, {3, 3, 2, 3}};

template <int kPlanes, bool kLongX>
constexpr auto make_cuboid(const Point (&tops)[4], const First (&messages)[12]) {
  // With four planes the two sides are the same.
  // NOLINTNEXTLINE(bugprone-branch-clone)
  Tree<kLongX ? kPlanes : 4, 4, kLongX ? 4 : kPlanes, 4> tree;
  tree.first_step(tops, messages);
  const auto point = [](int p, int q, int r) { return kLongX ? Point{r, p, q} : Point{p, q, r}; };
  for (const InPlane& m : kE) {
    tree.set(point(m.to_p, m.to_q, 0), point(m.from_p, m.from_q, 0), 2);
    tree.set(point(3 - m.to_p, m.to_q, 3), point(3 - m.from_p, m.from_q, 3), 2);
  }
  for (int q = 0; q < 4; ++q) {
    for (int p = 0; p < 4; ++p) {
      for (int r = 1; r <= 2; ++r) {  // types A and B: every node has one that dominates beside it
        if (tree.dominates(point(p, q, r))) continue;
        for (const Point d : {Point{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
          const int from_p = p + d.x, from_q = q + d.y;
          if (from_p >= 0 && from_p < 4 && from_q >= 0 && from_q < 4 &&
              tree.dominates(point(from_p, from_q, r)))
            tree.set(point(p, q, r), point(from_p, from_q, r), 2);
        }
      }
      for (int r = 0; r < 4 && kPlanes == 5; ++r) {
        if (tree.dominates(point(p, q, r))) tree.set(point(p, q, 4), point(p, q, r), 2);
      }
    }
  }
  tree.list_children();
  return tree;
}

template <int kPlanes>
constexpr auto make_long_z() {
  constexpr Point a{0, 0, 0}, b{1, 3, 1}, c{2, 2, 3}, d{3, 1, 2};
  return make_cuboid<kPlanes, false>({a, b, c, d}, {{a, {0, 1, 1}},
                                                    {a, {1, 2, 0}},
                                                    {b, {0, 2, 2}},
                                                    {b, {1, 0, 2}},
                                                    {b, {2, 1, 0}},
                                                    {c, {0, 3, 3}},
                                                    {c, {2, 0, 1}},
                                                    {c, {2, 3, 2}},
                                                    {c, {3, 3, 0}},
                                                    {d, {1, 1, 3}},
                                                    {d, {3, 0, 3}},
                                                    {d, {3, 2, 1}}});
}
template <int kPlanes>
constexpr auto make_long_x() {
  constexpr Point a{0, 1, 2}, b{1, 3, 2}, c{2, 0, 2}, d{3, 1, 1};
  return make_cuboid<kPlanes, true>({a, b, c, d}, {{a, {0, 0, 0}},
                                                   {a, {0, 2, 1}},
                                                   {a, {1, 2, 0}},
                                                   {b, {0, 3, 3}},
                                                   {b, {1, 1, 3}},
                                                   {b, {2, 1, 0}},
                                                   {c, {1, 0, 1}},
                                                   {c, {2, 2, 3}},
                                                   {c, {3, 3, 0}},
                                                   {d, {2, 3, 1}},
                                                   {d, {3, 0, 3}},
                                                   {d, {3, 2, 2}}});
}
constexpr auto kZ4 = make_long_z<4>();
constexpr auto kZ5 = make_long_z<5>();
constexpr auto kX4 = make_long_x<4>();
constexpr auto kX5 = make_long_x<5>();

constexpr Block kSquares[] = {k5.block(), k6.block(), k7.block()};
constexpr Block kCuboids[] = {kZ4.block(), kZ5.block(), kX4.block(), kX5.block()};

}  // namespace

const Block& square(int b) { return kSquares[b - 5]; }
const Block& cuboid(int planes, bool long_x) { return kCuboids[planes - 4 + (long_x ? 2 : 0)]; }

}  // namespace annelid::firmware::edn_cells
