#include "reference/edn/edn_square.hpp"

#include <algorithm>

namespace annelid::reference {
namespace {

Node mirrored_y(int side, Node n) { return {n.x, side - 1 - n.y}; }

/// A block's quadrants: where each lies, and its type.
struct Quadrant {
  Node corner;
  Pattern pattern;
  bool upper;
};

std::array<Quadrant, 4> quadrants(int side, Pattern pattern) {
  const int m = side / 2;
  Pattern lower_left = Pattern::kD, lower_right = Pattern::kD;
  Pattern upper_left = Pattern::kC, upper_right = Pattern::kC;
  if (side == 8) {  // D: two Bs left, two As right; C the reverse (Figure 3.7)
    lower_left = upper_left = pattern == Pattern::kD ? Pattern::kB : Pattern::kA;
    lower_right = upper_right = pattern == Pattern::kD ? Pattern::kA : Pattern::kB;
  }
  return {{{{0, 0}, lower_left, false},
           {{m, 0}, lower_right, false},
           {{0, m}, upper_left, true},
           {{m, m}, upper_right, true}}};
}

std::vector<Node> tops_at(Node corner, int side, Pattern pattern) {
  std::vector<Node> nodes;
  for (Node t : tops(side, pattern)) nodes.push_back({corner.x + t.x, corner.y + t.y});
  return nodes;
}

/// Adds the messages within one block to a step and, within its blocks, to later ones.
class Levels {
 public:
  explicit Levels(std::vector<Step>& steps) : steps_(steps) {}

  void block(Node corner, int side, Pattern pattern, std::size_t step) {
    if (steps_.size() <= step) steps_.resize(step + 1);
    if (side == 4) {
      smallest_block(corner, pattern, step);
      return;
    }
    const std::vector<Node> tops_here = tops_at(corner, side, pattern);
    const auto parts = quadrants(side, pattern);
    std::array<std::vector<Node>, 4> members;
    std::array<Node, 4> top{};
    for (std::size_t q = 0; q < 4; ++q) {
      const Node at{corner.x + parts[q].corner.x, corner.y + parts[q].corner.y};
      members[q] = tops_at(at, side / 2, parts[q].pattern);
      for (Node n : members[q]) {
        if (is_in(tops_here, n)) top[q] = n;
      }
    }
    for (std::size_t q = 0; q < 4; ++q) {
      const std::size_t above_or_below = q ^ 2;
      for (Node n : members[q]) {
        if (n != top[q] && n.x != top[above_or_below].x) send(step, top[q], n);
      }
      for (Node n : members[above_or_below]) {
        if (n.x == top[q].x && n != top[q]) send(step, top[q], n);
      }
      block({corner.x + parts[q].corner.x, corner.y + parts[q].corner.y}, side / 2,
            parts[q].pattern, step + 1);
    }
  }

 private:
  void send(std::size_t step, Node from, Node to) { steps_[step].push_back({from, to}); }

  void smallest_block(Node corner, Pattern pattern, std::size_t step) {
    const std::vector<Node> dominating = tops_at(corner, 4, pattern);
    for (Node d : dominating) {
      for (Node n :
           {Node{d.x, d.y - 1}, Node{d.x - 1, d.y}, Node{d.x + 1, d.y}, Node{d.x, d.y + 1}}) {
        const bool inside =
            n.x >= corner.x && n.x < corner.x + 4 && n.y >= corner.y && n.y < corner.y + 4;
        if (inside && !is_in(dominating, n)) send(step, d, n);
      }
    }
  }

  std::vector<Step>& steps_;
};

/// Steps 1 and 2 of a 4x4 mesh: by columns, each of which holds one dominating node of B.
std::vector<Step> fastest_startup_4(Node s) {
  std::array<Node, 4> in_column{};
  for (Node t : tops(4, Pattern::kB)) in_column[static_cast<std::size_t>(t.x)] = t;
  const auto column = [&](int x) { return in_column[static_cast<std::size_t>(x)]; };
  return {{{s, column(s.x)}, {s, column(s.x ^ 2)}},
          {{column(s.x), column(s.x ^ 1)}, {column(s.x ^ 2), column(s.x ^ 3)}}};
}

}  // namespace

std::array<Node, 4> tops(int side, Pattern pattern) {
  if (pattern == Pattern::kB) return {{{0, 2}, {1, 0}, {2, 3}, {3, 1}}};
  if (pattern == Pattern::kA) return {{{3, 2}, {2, 0}, {1, 3}, {0, 1}}};
  if (pattern == Pattern::kC) {
    auto nodes = tops(side, Pattern::kD);
    for (Node& n : nodes) n = mirrored_y(side, n);
    return nodes;
  }
  if (side == 8) return {{{1, 0}, {6, 0}, {2, 7}, {5, 7}}};
  const int m = side / 2;
  const Node u1 = tops(m, Pattern::kD)[2];
  return {{{u1.x, u1.y},
           {side - 1 - u1.x, u1.y},
           {m - 1 - u1.x, side - 1 - u1.y},
           {m + u1.x, side - 1 - u1.y}}};
}

std::vector<Node> dominating_nodes(int side, Pattern pattern, int level_side) {
  if (side == level_side) return tops_at({0, 0}, side, pattern);
  std::vector<Node> all;
  for (const Quadrant& q : quadrants(side, pattern)) {
    for (Node n : dominating_nodes(side / 2, q.pattern, level_side)) {
      all.push_back({q.corner.x + n.x, q.corner.y + n.y});
    }
  }
  return all;
}

EdnBase square_base(int side) {
  const Pattern whole = side == 4 ? Pattern::kB : Pattern::kD;
  EdnBase base{{side, side}, tops_at({0, 0}, side, whole), {}};
  std::ranges::sort(base.tops);  // x first
  Levels(base.steps).block({0, 0}, side, whole, 0);
  return base;
}

bool edn_supports(const Network& size) {
  const bool power_of_two = (size.x & (size.x - 1)) == 0;
  return size.x == size.y && size.z == 1 && !size.has_rings() && size.x >= 4 && size.x <= 256 &&
         power_of_two;
}

Schedule edn_broadcast(const Network& size, Node root, std::uint64_t bytes, Startup startup) {
  require(size, root);
  if (!edn_supports(size)) {
    throw std::invalid_argument("EDN broadcast: a square mesh of 4 * 2^k nodes a side is needed");
  }
  const EdnBase whole = square_base(size.x);
  const bool by_columns = size.x == 4 && startup == Startup::kFastest;
  return schedule_from(
      root, bytes, by_columns ? fastest_startup_4(root) : startup_steps(whole.tops, root, startup),
      whole.steps);
}

}  // namespace annelid::reference
