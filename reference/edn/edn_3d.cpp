#include "reference/edn/edn_3d.hpp"

#include <algorithm>
#include <utility>

namespace annelid::reference {
namespace {

/// A place in a plane across the long dimension.
struct Place {
  int p, q;
  friend bool operator==(const Place&, const Place&) = default;
};
using Plane = std::vector<Place>;

Node node_in(bool long_is_x, Place at, int r) {
  return long_is_x ? Node{r, at.p, at.q} : Node{at.p, at.q, r};
}

const Plane kE = {{0, 0}, {1, 2}, {2, 1}, {3, 3}};
const Plane kA = {{3, 2}, {2, 0}, {1, 3}, {0, 1}};
const Plane kB = {{0, 2}, {1, 0}, {2, 3}, {3, 1}};

using Pairs = std::vector<std::pair<Place, Place>>;

/// Within a plane of type A or B.
Pairs to_neighbours(const Plane& dominating) {
  Pairs pairs;
  for (Place d : dominating) {
    for (Place n : {Place{d.p - 1, d.q}, {d.p + 1, d.q}, {d.p, d.q - 1}, {d.p, d.q + 1}}) {
      const bool inside = n.p >= 0 && n.p < 4 && n.q >= 0 && n.q < 4;
      if (inside && std::ranges::count(dominating, n) == 0) pairs.push_back({d, n});
    }
  }
  return pairs;
}

/// Within a plane of type E: two of its nodes reach two corners, some hops away.
Pairs in_plane_e() {
  return {{{0, 0}, {1, 0}}, {{0, 0}, {0, 1}}, {{1, 2}, {1, 1}}, {{1, 2}, {3, 0}},
          {{1, 2}, {0, 2}}, {{1, 2}, {1, 3}}, {{2, 1}, {2, 0}}, {{2, 1}, {0, 3}},
          {{2, 1}, {3, 1}}, {{2, 1}, {2, 2}}, {{3, 3}, {3, 2}}, {{3, 3}, {2, 3}}};
}

Place mirrored(Place at) { return {3 - at.p, at.q}; }

/// The planes r = 0..3: who dominates, and who sends to whom.
struct Layer {
  Plane dominating;
  Pairs sends;
};

std::vector<Layer> layers() {
  Layer e{kE, in_plane_e()}, e_mirrored = e;
  for (Place& at : e_mirrored.dominating) at = mirrored(at);
  for (auto& [from, to] : e_mirrored.sends) from = mirrored(from), to = mirrored(to);
  return {e, {kA, to_neighbours(kA)}, {kB, to_neighbours(kB)}, e_mirrored};
}

/// From the tops to the other dominating nodes.
Step first_step(bool long_is_x) {
  const auto from = [](Node top, std::initializer_list<Node> receivers, Step& step) {
    for (Node n : receivers) step.push_back({top, n});
  };
  Step step;
  if (long_is_x) {
    from({0, 1, 2}, {{0, 0, 0}, {0, 2, 1}, {1, 2, 0}}, step);
    from({1, 3, 2}, {{0, 3, 3}, {1, 1, 3}, {2, 1, 0}}, step);
    from({2, 0, 2}, {{1, 0, 1}, {2, 2, 3}, {3, 3, 0}}, step);
    from({3, 1, 1}, {{2, 3, 1}, {3, 0, 3}, {3, 2, 2}}, step);
  } else {
    from({0, 0, 0}, {{0, 1, 1}, {1, 2, 0}}, step);
    from({1, 3, 1}, {{0, 2, 2}, {1, 0, 2}, {2, 1, 0}}, step);
    from({2, 2, 3}, {{0, 3, 3}, {2, 0, 1}, {2, 3, 2}, {3, 3, 0}}, step);
    from({3, 1, 2}, {{1, 1, 3}, {3, 0, 3}, {3, 2, 1}}, step);
  }
  return step;
}

/// From the dominating nodes to all others, those of a fifth plane included.
Step last_step(bool long_is_x, int base) {
  Step step;
  const std::vector<Layer> planes = layers();
  for (int r = 0; r < 4; ++r) {
    const Layer& plane = planes[static_cast<std::size_t>(r)];
    for (const auto& [from, to] : plane.sends) {
      step.push_back({node_in(long_is_x, from, r), node_in(long_is_x, to, r)});
    }
    for (Place at : plane.dominating) {
      if (base == 5) step.push_back({node_in(long_is_x, at, r), node_in(long_is_x, at, 4)});
    }
  }
  return step;
}

EdnBase base_block(bool long_is_x, int base) {
  const Network size = long_is_x ? Network{base, 4, 4} : Network{4, 4, base};
  const std::vector<Node> tops =
      long_is_x ? std::vector<Node>{{0, 1, 2}, {1, 3, 2}, {2, 0, 2}, {3, 1, 1}}
                : std::vector<Node>{{0, 0, 0}, {1, 3, 1}, {2, 2, 3}, {3, 1, 2}};
  return {size, tops, {first_step(long_is_x), last_step(long_is_x, base)}};
}

/// Part 1 is high in p, part 2 in q; tops 0..3 are a..d.
EdnLevel doubled(bool long_is_x) {
  if (long_is_x) {
    return {{1, 2, 2},
            {{1, 0}, {1, 1}, {2, 2}, {2, 3}},
            {{{1, 0}, {0, 0}},
             {{1, 0}, {1, 2}},
             {{1, 0}, {3, 0}},
             {{1, 1}, {0, 1}},
             {{1, 1}, {1, 3}},
             {{1, 1}, {3, 1}},
             {{2, 2}, {0, 2}},
             {{2, 2}, {2, 0}},
             {{2, 2}, {3, 2}},
             {{2, 3}, {0, 3}},
             {{2, 3}, {2, 1}},
             {{2, 3}, {3, 3}}}};
  }
  return {{2, 2, 1},
          {{0, 1}, {0, 3}, {1, 1}, {3, 2}},
          {{{0, 1}, {0, 0}},
           {{0, 1}, {0, 2}},
           {{0, 1}, {2, 1}},
           {{0, 3}, {1, 0}},
           {{0, 3}, {2, 0}},
           {{0, 3}, {2, 3}},
           {{1, 1}, {1, 3}},
           {{1, 1}, {3, 0}},
           {{1, 1}, {3, 1}},
           {{3, 2}, {1, 2}},
           {{3, 2}, {2, 2}},
           {{3, 2}, {3, 3}}}};
}

EdnLevel tripled(bool long_is_x) {
  EdnLevel level{long_is_x ? std::array<int, 3>{3, 1, 1} : std::array<int, 3>{1, 1, 3}, {}, {}};
  for (int t = 0; t < 4; ++t) {
    level.tops.push_back({1, t});
    level.sends.push_back({{1, t}, {0, t}});
    level.sends.push_back({{1, t}, {2, t}});
  }
  return level;
}

/// How often `n` is `factor` times `base`, or nothing.
std::optional<int> power_of(int factor, int base, int n) {
  int power = 0;
  for (; base < n; base *= factor) ++power;
  return base == n ? std::optional(power) : std::nullopt;
}

}  // namespace

std::optional<BoxSize> box_size_of(const Network& mesh) {
  if (mesh.has_rings()) return std::nullopt;
  for (bool long_is_x : {false, true}) {
    const int side = long_is_x ? mesh.z : mesh.x;
    const auto k = power_of(2, 4, side);
    if (side != mesh.y || !k) continue;
    for (int base : {4, 5}) {
      const auto m = power_of(3, base, long_is_x ? mesh.x : mesh.z);
      if (m) return BoxSize{long_is_x, *k, *m, base};
    }
  }
  return std::nullopt;
}

EdnTree edn_3d_tree(const BoxSize& size) {
  EdnTree tree{base_block(size.long_is_x, size.base), {}};
  for (int n = 0; n < size.k; ++n) tree.levels.push_back(doubled(size.long_is_x));
  for (int n = 0; n < size.m; ++n) tree.levels.push_back(tripled(size.long_is_x));
  return tree;
}

Schedule edn_3d_broadcast(const Network& mesh, Node root, std::uint64_t bytes, Startup startup) {
  require(mesh, root);
  const auto size = box_size_of(mesh);
  if (!size) {
    throw std::invalid_argument("EDN broadcast on " + to_string(mesh) +
                                ": (4 * 2^k) x (4 * 2^k) x (4 or 5) * 3^m is needed, the last "
                                "size in z or in x");
  }
  const EdnTree tree = edn_3d_tree(*size);
  return schedule_from(root, bytes, startup_steps(tops_of(tree), root, startup), level_steps(tree));
}

}  // namespace annelid::reference
