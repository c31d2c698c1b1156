#include "reference/trees/single_level.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "reference/trees/halving.hpp"

namespace annelid::reference {
namespace {

/// The dominating node in the node's column of its 4x4 block.
Node dominating_in_column(Node n) {
  constexpr std::array<int, 4> kHeight = {2, 0, 3, 1};
  return {n.x, n.y / 4 * 4 + kHeight[static_cast<std::size_t>(n.x % 4)]};
}

/// Recursive doubling over the list of dominating nodes.
Schedule doubled(const std::vector<Node>& list, Node holder) {
  const auto at = [&](int place) { return list[static_cast<std::size_t>(place)]; };
  const auto first = static_cast<int>(std::ranges::find(list, holder) - list.begin());
  Schedule schedule;
  for (const auto& halvings : halved_line(static_cast<int>(list.size()), first)) {
    Step& step = schedule.steps.emplace_back();
    for (const Halving& h : halvings) step.push_back({at(h.from), at(h.to)});
  }
  return schedule;
}

Step to_neighbours(const Network& mesh, const std::vector<Node>& dominating) {
  Step step;
  for (Node d : dominating) {
    for (Node n :
         {Node{d.x, d.y - 1}, Node{d.x - 1, d.y}, Node{d.x + 1, d.y}, Node{d.x, d.y + 1}}) {
      const bool same_block = contains(mesh, n) && n.x / 4 == d.x / 4 && n.y / 4 == d.y / 4;
      if (same_block && dominating_in_column(n) != n) step.push_back({d, n});
    }
  }
  return step;
}

}  // namespace

bool single_level_supports(const Network& mesh) {
  return mesh.x % 4 == 0 && mesh.y % 4 == 0 && mesh.z == 1 && !mesh.has_rings();
}

std::vector<Node> single_level_dominating(const Network& mesh) {
  std::vector<Node> nodes;
  for (int x = 0; x < mesh.x; ++x) {
    for (int y = 0; y < mesh.y; y += 4) nodes.push_back(dominating_in_column({x, y}));
  }
  return nodes;
}

Schedule single_level_broadcast(const Network& mesh, Node root, std::uint64_t bytes) {
  require(mesh, root);
  if (!single_level_supports(mesh)) {
    throw std::invalid_argument("single-level broadcast on " + to_string(mesh) +
                                ": both sizes must be multiples of 4");
  }
  const std::vector<Node> dominating = single_level_dominating(mesh);
  const Node first = dominating_in_column(root);
  Schedule schedule = doubled(dominating, first);
  if (first != root) {  // step 1 is the root's: it sends for `first`, which it has to reach too
    for (Message& m : schedule.steps[0]) m.from = root;
    schedule.steps[0].push_back({root, first});
  }
  schedule.steps.push_back(to_neighbours(mesh, dominating));
  for (Step& step : schedule.steps) {
    std::erase_if(step, [&](const Message& m) { return m.to == root; });
    for (Message& m : step) m.bytes = bytes;
    std::ranges::sort(step, {}, [&](const Message& m) {
      return std::pair(index_of(mesh, m.from), index_of(mesh, m.to));
    });
  }
  return schedule;
}

}  // namespace annelid::reference
