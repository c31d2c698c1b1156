#include "reference/intercom/submesh.hpp"

#include <algorithm>

#include "reference/schedule/index.hpp"
#include "reference/schedule/lines.hpp"

namespace annelid::reference::intercom {
namespace {

/// The smallest box around the nodes.
Submesh box_around(const std::vector<Node>& nodes) {
  Submesh box{nodes[0], {1, 1, 1}, {}};
  for (std::size_t d = 0; d < kCoordinates.size(); ++d) {
    int low = position(nodes[0], d), high = low;
    for (Node n : nodes) {
      low = std::min(low, position(n, d));
      high = std::max(high, position(n, d));
    }
    box.corner = moved(box.corner, d, low);
    box.size[d] = high - low + 1;
    if (high > low) box.order.push_back(d);
  }
  return box;
}

}  // namespace

std::vector<Node> nodes_of(const Submesh& submesh) {
  std::vector<Node> nodes{submesh.corner};
  for (std::size_t d : submesh.order) {  // copies of the box so far, along the next dimension
    const std::vector<Node> before = nodes;
    for (int i = 1; i < submesh.size[d]; ++i) {
      for (Node n : before) nodes.push_back(moved(n, d, position(n, d) + i));
    }
  }
  return nodes;
}

std::optional<Submesh> submesh_of(const std::vector<Node>& nodes) {
  if (nodes.empty()) return std::nullopt;
  Submesh box = box_around(nodes);
  std::uint64_t volume = 1;
  for (int size : box.size) volume *= at(size);
  if (volume != nodes.size()) return std::nullopt;
  do {
    if (nodes_of(box) == nodes) return box;
  } while (std::ranges::next_permutation(box.order).found);
  return std::nullopt;
}

}  // namespace annelid::reference::intercom
