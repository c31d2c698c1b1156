#include "reference/edn/edn_blocks.hpp"

#include <algorithm>

#include "reference/edn/edn_square.hpp"

namespace annelid::reference {
namespace {

using Sends = std::vector<EdnLevel::Send>;

/// The dominating nodes of a block of 5, 6 or 7 nodes a side that each top sends to.
struct SmallBlock {
  Node top;
  std::vector<Node> sends_to;
};

std::vector<SmallBlock> small_block(int b) {
  if (b == 5) return {{{0, 1}, {{4, 1}, {0, 3}}}, {{2, 2}, {{2, 0}, {4, 3}, {2, 4}}}};
  if (b == 6) {
    return {{{1, 1}, {{1, 0}, {3, 2}, {0, 3}, {1, 5}}}, {{4, 4}, {{4, 0}, {5, 2}, {2, 3}, {4, 5}}}};
  }
  return {{{2, 0}, {{0, 1}, {6, 1}, {2, 6}}},
          {{3, 2}, {{1, 3}, {5, 3}, {3, 4}}},
          {{4, 6}, {{4, 0}, {0, 5}, {6, 5}}}};
}

EdnBase small_base(int b) {
  EdnBase base{{b, b}, {}, {{}, {}}};
  std::vector<Node> dominating;
  for (const SmallBlock& part : small_block(b)) {
    base.tops.push_back(part.top);
    dominating.push_back(part.top);
    for (Node n : part.sends_to) {
      base.steps[0].push_back({part.top, n});
      dominating.push_back(n);
    }
  }
  const auto dominates = [&](Node n) { return std::ranges::count(dominating, n) > 0; };
  for (int i = 0; i < base.size.nodes(); ++i) {
    const Node n = node_at(base.size, i);
    if (dominates(n)) continue;
    const std::array<Node, 4> around{
        {{n.x - 1, n.y}, {n.x + 1, n.y}, {n.x, n.y - 1}, {n.x, n.y + 1}}};
    const auto* sender = std::ranges::find_if(around, dominates);
    if (sender == around.end()) throw std::logic_error("no dominating set of the block");
    base.steps[1].push_back({*sender, n});
  }
  return base;
}

/// Four parts: 0 lower left, 1 lower right, 2 upper left, 3 upper right.
EdnLevel doubled_in_both(int b) {
  if (b == 7) {
    return {{2, 2, 1},
            {{0, 1}, {0, 2}, {3, 1}},
            {{{0, 1}, {0, 0}},
             {{0, 1}, {1, 0}},
             {{0, 1}, {2, 1}},
             {{0, 2}, {1, 2}},
             {{0, 2}, {2, 0}},
             {{0, 2}, {2, 2}},
             {{3, 1}, {1, 1}},
             {{3, 1}, {3, 0}},
             {{3, 1}, {3, 2}}}};
  }
  return {{2, 2, 1},
          {{0, 1}, {3, 0}},
          {{{0, 1}, {0, 0}},
           {{0, 1}, {1, 1}},
           {{0, 1}, {2, 1}},
           {{3, 0}, {1, 0}},
           {{3, 0}, {2, 0}},
           {{3, 0}, {3, 1}}}};
}

/// Two parts, the first one's tops on top, each sending to its copy in the second.
EdnLevel copied(std::array<int, 3> parts, int tops) {
  EdnLevel level{parts, {}, {}};
  for (int t = 0; t < tops; ++t) {
    level.tops.push_back({0, t});
    level.sends.push_back({{0, t}, {1, t}});
  }
  return level;
}

EdnLevel doubled_in_x(int b) {
  if (b != 4) return copied({2, 1, 1}, b == 7 ? 3 : 2);
  // Tops a and d of a square share a row, b and c too: copies to the right would contend.
  return {{2, 1, 1},
          {{0, 0}, {0, 1}, {1, 2}, {1, 3}},
          {{{0, 0}, {0, 3}}, {{0, 1}, {0, 2}}, {{1, 2}, {1, 1}}, {{1, 3}, {1, 0}}}};
}

EdnLevel doubled_in_y(int b) { return copied({1, 2, 1}, b == 4 ? 4 : b == 7 ? 3 : 2); }

}  // namespace

std::optional<BlockSize> block_size_of(const Network& mesh) {
  if (mesh.z != 1 || mesh.has_rings()) return std::nullopt;
  for (int b = 4; b <= 7; ++b) {
    BlockSize size{b};
    int side = b;
    for (; mesh.x % (2 * side) == 0 && mesh.y % (2 * side) == 0; side *= 2) ++size.i;
    int x = side, y = side;
    for (; x < mesh.x; x *= 2) ++size.p;
    for (; y < mesh.y; y *= 2) ++size.q;
    if (x == mesh.x && y == mesh.y && (size.p == 0 || size.q == 0)) return size;
  }
  return std::nullopt;
}

EdnTree edn_block_tree(const BlockSize& size) {
  EdnTree tree{size.b == 4 ? square_base(4 << size.i) : small_base(size.b), {}};
  const auto add = [&](int times, const EdnLevel& level) {
    for (int n = 0; n < times; ++n) tree.levels.push_back(level);
  };
  if (size.b != 4) add(size.i, doubled_in_both(size.b));
  add(size.p, doubled_in_x(size.b));
  add(size.q, doubled_in_y(size.b));
  return tree;
}

Schedule edn_blocks_broadcast(const Network& mesh, Node root, std::uint64_t bytes,
                              Startup startup) {
  require(mesh, root);
  const auto size = block_size_of(mesh);
  if (!size) {
    throw std::invalid_argument("EDN broadcast on " + to_string(mesh) +
                                ": squares of 4, 5, 6 or 7 * 2^k nodes a side tile the mesh in "
                                "a row or column of 2^j");
  }
  if (edn_supports(mesh)) return edn_broadcast(mesh, root, bytes, startup);  // 4x4: own startup
  const EdnTree tree = edn_block_tree(*size);
  return schedule_from(root, bytes, startup_steps(tops_of(tree), root, startup), level_steps(tree));
}

}  // namespace annelid::reference
