#include "reference/schedule/embedding.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace annelid::reference {
namespace {

/// Along the rows of the planes, every second row and every second plane backwards.
int place_in_snake(const Network& net, Node n) {
  const int plane = net.x * net.y;
  const int place = n.y * net.x + (n.y % 2 == 0 ? n.x : net.x - 1 - n.x);
  return n.z * plane + (n.z % 2 == 0 ? place : plane - 1 - place);
}

/// How many nodes stand before it when boxes are halved: all of the lower halves that it is not in.
int place_in_quadrants(const Network& net, Node n) {
  std::array<int, 3> size = net.size(), at = {n.x, n.y, n.z};
  int before = 0;
  for (;;) {
    std::size_t longest = 0;
    for (std::size_t d = 1; d < 3; ++d) {
      if (size[d] >= size[longest]) longest = d;
    }
    if (size[longest] == 1) return before;
    const int lower = (size[longest] + 1) / 2;
    if (at[longest] < lower) {
      size[longest] = lower;
    } else {
      before += size[0] * size[1] * size[2] / size[longest] * lower;
      at[longest] -= lower;
      size[longest] -= lower;
    }
  }
}

int place_in(Embedding embedding, const Network& net, Node node) {
  if (embedding == Embedding::kSnake) return place_in_snake(net, node);
  if (embedding == Embedding::kQuadrants) return place_in_quadrants(net, node);
  return index_of(net, node);
}

}  // namespace

NodeList::NodeList(std::vector<Node> by_rank)
    : by_rank_(std::move(by_rank)), by_node_(by_rank_.size()) {
  if (by_rank_.empty()) throw std::invalid_argument("a group without nodes");
  const auto node = [this](int rank) { return by_rank_[static_cast<std::size_t>(rank)]; };
  std::iota(by_node_.begin(), by_node_.end(), 0);
  std::ranges::sort(by_node_, {}, node);
  const auto twice = std::ranges::adjacent_find(by_node_, {}, node);
  if (twice == by_node_.end()) return;
  throw std::invalid_argument("node " + to_string(node(*twice)) + " is twice in a group");
}

std::optional<int> NodeList::rank_at(Node node) const {
  const auto node_of = [this](int rank) { return by_rank_[static_cast<std::size_t>(rank)]; };
  const auto found = std::ranges::lower_bound(by_node_, node, {}, node_of);
  if (found == by_node_.end() || node_of(*found) != node) return std::nullopt;
  return *found;
}

bool operator==(const Ranks& a, const Ranks& b) {
  if (a.listed && b.listed) return *a.listed == *b.listed;
  return !a.listed && !b.listed && a.embedding == b.embedding && a.count == b.count;
}

std::string_view name_of(Embedding embedding) {
  constexpr std::array<std::string_view, kEmbeddings> kNames = {"rows", "snake", "quadrants"};
  return kNames[static_cast<std::size_t>(embedding)];
}

int rank_count(const Network& net, const Ranks& ranks) {
  if (ranks.listed) return ranks.listed->size();
  if (ranks.count < 0 || ranks.count > net.nodes()) {
    throw std::invalid_argument(std::to_string(ranks.count) + " ranks on " + to_string(net));
  }
  return ranks.count == 0 ? net.nodes() : ranks.count;
}

std::optional<int> rank_at(const Network& net, const Ranks& ranks, Node node) {
  if (ranks.listed) return ranks.listed->rank_at(node);
  const int rank = place_in(ranks.embedding, net, node);
  return rank < rank_count(net, ranks) ? std::optional(rank) : std::nullopt;
}

int rank_of(const Network& net, const Ranks& ranks, Node node) {
  if (const auto rank = rank_at(net, ranks, node)) return *rank;
  throw std::invalid_argument("node " + to_string(node) + " is none of the " +
                              std::to_string(rank_count(net, ranks)) + " ranks");
}

std::vector<Node> members(const Network& net, const Ranks& ranks) {
  if (ranks.listed) return ranks.listed->nodes();
  std::vector<Node> nodes(static_cast<std::size_t>(rank_count(net, ranks)));
  for (int i = 0; i < net.nodes(); ++i) {
    const Node node = node_at(net, i);
    if (const auto rank = rank_at(net, ranks, node)) nodes[static_cast<std::size_t>(*rank)] = node;
  }
  return nodes;
}

}  // namespace annelid::reference
