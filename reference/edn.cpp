#include "reference/edn.hpp"

#include <algorithm>
#include <functional>

namespace annelid::reference {
namespace {

using Move = std::function<Node(Node)>;

Node mirrored_x(int side, Node n) { return {side - 1 - n.x, n.y}; }
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

bool is_in(const std::vector<Node>& nodes, Node n) {
  return std::find(nodes.begin(), nodes.end(), n) != nodes.end();
}

/// Adds the messages within one block and, in later steps, within its blocks.
class Levels {
 public:
  Levels(Schedule& schedule, Node root, std::uint64_t bytes)
      : schedule_(schedule), root_(root), bytes_(bytes) {}

  void block(Node corner, int side, Pattern pattern, std::size_t step) {
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
        if (n.x == top[q].x) send(step, top[q], n);
      }
      block({corner.x + parts[q].corner.x, corner.y + parts[q].corner.y}, side / 2,
            parts[q].pattern, step + 1);
    }
  }

  void send(std::size_t step, Node from, Node to) {
    if (to == root_ || to == from) return;
    schedule_.steps[step - 1].push_back({from, to, bytes_});
  }

 private:
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

  Schedule& schedule_;
  Node root_;
  std::uint64_t bytes_;
};

/// Steps 1 and 2 of a 4x4 mesh: by columns, each of which holds one dominating node of B.
void startup_4(Levels& levels, Node s) {
  std::array<Node, 4> in_column{};
  for (Node t : tops(4, Pattern::kB)) in_column[static_cast<std::size_t>(t.x)] = t;
  const auto column = [&](int x) { return in_column[static_cast<std::size_t>(x)]; };
  levels.send(1, s, column(s.x));
  levels.send(1, s, column(s.x ^ 2));
  levels.send(2, column(s.x), column(s.x ^ 1));
  levels.send(2, column(s.x ^ 2), column(s.x ^ 3));
}

/// Steps 1 and 2 of 8x8 and more: three cases by the source's column.
void startup(Levels& levels, int side, Node root) {
  const bool right = root.x >= side / 2;
  const Move place = [=](Node n) { return right ? mirrored_x(side, n) : n; };
  const auto [l1, l2, u1, u2] = tops(side, Pattern::kD);
  const Node s = place(root);
  const auto send = [&](std::size_t step, Node from, Node to) {
    levels.send(step, place(from), place(to));
  };
  if (s.x < l1.x) {
    send(1, s, u2);
    send(2, s, l1);
    send(2, u2, u1);
    send(2, u2, l2);
  } else if (s.x < u1.x) {
    send(1, s, l1);
    send(1, s, u1);
    send(2, l1, l2);
    send(2, u1, u2);
  } else {
    send(1, s, u1);
    send(1, s, u2);
    send(2, u1, l1);
    send(2, u2, l2);
  }
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

bool edn_supports(const Network& size) {
  const bool power_of_two = (size.x & (size.x - 1)) == 0;
  return size.x == size.y && size.z == 1 && !size.has_rings() && size.x >= 4 && size.x <= 256 &&
         power_of_two;
}

Schedule edn_broadcast(const Network& size, Node root, std::uint64_t bytes) {
  require(size, root);
  if (!edn_supports(size)) {
    throw std::invalid_argument("EDN broadcast: a square mesh of 4 * 2^k nodes a side is needed");
  }
  std::size_t step_count = 3;
  for (int side = 4; side < size.x; side *= 2) ++step_count;
  Schedule schedule;
  schedule.steps.resize(step_count);
  Levels levels(schedule, root, bytes);
  if (size.x == 4) {
    startup_4(levels, root);
  } else {
    startup(levels, size.x, root);
  }
  levels.block({0, 0}, size.x, size.x == 4 ? Pattern::kB : Pattern::kD, 3);
  return schedule;
}

}  // namespace annelid::reference
