#include "reference/all_to_all/transpose.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace annelid::reference {
namespace {

Node mirrored(Node n) { return {n.y, n.x}; }

/// The dominating node, on the main diagonal, of the node (x, y) of a 4x4 block. Figure 3.28(a) is
/// lost; found by search.
int on_diagonal(int x, int y) {
  constexpr std::array<std::array<int, 4>, 4> kPlace = {
      {{0, 1, 2, 0}, {1, 1, 1, 3}, {2, 1, 2, 2}, {0, 3, 2, 3}}};
  return kPlace[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)];
}

/// The nodes that stand for a block of `side` nodes a side: those of its diagonal.
bool on_block_diagonal(Node n, int side) { return n.x % side == n.y % side; }

void refuse(const Network& mesh, const char* needs) {
  throw std::invalid_argument("transposition on " + to_string(mesh) + ": " + needs);
}

}  // namespace

bool square_mesh(const Network& mesh) {
  return mesh.x == mesh.y && mesh.z == 1 && !mesh.has_rings();
}

bool edn_transpose_supports(const Network& mesh) {
  return square_mesh(mesh) && std::has_single_bit(static_cast<unsigned>(mesh.x));
}

BlockSchedule direct_transpose(const Network& mesh) {
  require(mesh, {});
  if (!square_mesh(mesh)) refuse(mesh, "a square mesh is needed");
  BlockSchedule schedule;
  if (mesh.x == 1) return schedule;
  auto& step = schedule.emplace_back();
  for (int i = 0; i < mesh.nodes(); ++i) {
    const Node n = node_at(mesh, i);
    if (n.x != n.y) step.push_back({n, mirrored(n), {i}});
  }
  return schedule;
}

BlockSchedule edn_transpose(const Network& mesh) {
  require(mesh, {});
  if (!edn_transpose_supports(mesh)) refuse(mesh, "a square mesh of 2^k nodes a side is needed");
  std::vector<std::vector<int>> held(static_cast<std::size_t>(mesh.nodes()));
  const auto at = [&](Node n) -> std::vector<int>& {
    return held[static_cast<std::size_t>(index_of(mesh, n))];
  };
  for (int i = 0; i < mesh.nodes(); ++i) held[static_cast<std::size_t>(i)] = {i};

  // Inwards: what is off the diagonal of a block of 4 * side goes to its diagonal.
  BlockSchedule inwards;
  int side = 1;
  for (; 4 * side <= mesh.x; side *= 4) {
    auto& step = inwards.emplace_back();
    for (int i = 0; i < mesh.nodes(); ++i) {
      const Node n = node_at(mesh, i);
      const int u = n.x / side % 4, v = n.y / side % 4;
      if (u == v || !on_block_diagonal(n, side)) continue;
      const int d = on_diagonal(u, v);
      step.push_back({n, {n.x + (d - u) * side, n.y + (d - v) * side}, at(n)});
    }
    for (const BlockMessage& m : step) {  // by ascending (y, x) of the senders
      at(m.to).insert(at(m.to).end(), m.blocks.begin(), m.blocks.end());
    }
  }
  BlockSchedule schedule = inwards;
  if (2 * side == mesh.x) {  // the two blocks beside the diagonal change places
    auto& step = schedule.emplace_back();
    for (int i = 0; i < mesh.nodes(); ++i) {
      const Node n = node_at(mesh, i);
      if (n.x / side != n.y / side && on_block_diagonal(n, side)) {
        step.push_back({n, mirrored(n), at(n)});
      }
    }
  }
  // Outwards: the same messages backwards in the transposed mesh.
  std::ranges::reverse(inwards);
  for (const auto& messages : inwards) {
    auto& step = schedule.emplace_back();
    for (const BlockMessage& m : messages) {
      step.push_back({mirrored(m.to), mirrored(m.from), m.blocks});
    }
    std::ranges::sort(step, {}, [&](const BlockMessage& m) {
      return std::pair(index_of(mesh, m.from), index_of(mesh, m.to));
    });
  }
  return schedule;
}

}  // namespace annelid::reference
