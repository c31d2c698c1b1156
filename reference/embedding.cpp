#include "reference/embedding.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace annelid::reference {
namespace {

using Extent = std::array<int, 3>;

std::vector<Node> rows(const Network& net) {
  std::vector<Node> nodes;
  for (int i = 0; i < net.nodes(); ++i) nodes.push_back(node_at(net, i));
  return nodes;
}

std::vector<Node> snake(const Network& net) {
  std::vector<Node> nodes;
  for (int z = 0; z < net.z; ++z) {
    std::vector<Node> plane;
    for (int y = 0; y < net.y; ++y) {
      for (int x = 0; x < net.x; ++x) plane.push_back({y % 2 == 0 ? x : net.x - 1 - x, y, z});
    }
    if (z % 2 != 0) std::ranges::reverse(plane);
    nodes.insert(nodes.end(), plane.begin(), plane.end());
  }
  return nodes;
}

void quadrants(Extent first, Extent size, std::vector<Node>& nodes) {
  std::size_t longest = 0;
  for (std::size_t d = 1; d < 3; ++d) {
    if (size[d] >= size[longest]) longest = d;
  }
  if (size[longest] == 1) {
    nodes.push_back({first[0], first[1], first[2]});
    return;
  }
  Extent lower = size, upper = size, middle = first;
  lower[longest] = (size[longest] + 1) / 2;
  upper[longest] = size[longest] - lower[longest];
  middle[longest] += lower[longest];
  quadrants(first, lower, nodes);
  quadrants(middle, upper, nodes);
}

}  // namespace

std::string_view name_of(Embedding embedding) {
  constexpr std::array<std::string_view, kEmbeddings> kNames = {"rows", "snake", "quadrants"};
  return kNames[static_cast<std::size_t>(embedding)];
}

std::vector<Node> members(const Network& net, const Ranks& ranks) {
  if (ranks.count < 0 || ranks.count > net.nodes()) {
    throw std::invalid_argument(std::to_string(ranks.count) + " ranks on " + to_string(net));
  }
  std::vector<Node> nodes;
  if (ranks.embedding == Embedding::kRows) nodes = rows(net);
  if (ranks.embedding == Embedding::kSnake) nodes = snake(net);
  if (ranks.embedding == Embedding::kQuadrants) quadrants({}, net.size(), nodes);
  if (ranks.count != 0) nodes.resize(static_cast<std::size_t>(ranks.count));
  return nodes;
}

int rank_of(const Network& net, const Ranks& ranks, Node node) {
  const std::vector<Node> nodes = members(net, ranks);
  const auto found = std::ranges::find(nodes, node);
  if (found == nodes.end()) {
    throw std::invalid_argument("node " + to_string(node) + " is none of the " +
                                std::to_string(nodes.size()) + " ranks");
  }
  return static_cast<int>(found - nodes.begin());
}

}  // namespace annelid::reference
