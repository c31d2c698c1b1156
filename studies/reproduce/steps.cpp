#include "studies/reproduce/steps.hpp"

#include <algorithm>
#include <string>

namespace annelid::reproduction {

using reference::Network;
using reference::Node;

StepRange steps(reference::Operation operation, std::string_view algorithm, const Network& net,
                const std::vector<Node>& roots) {
  const reference::Algorithm* const found = reference::find_algorithm(operation, algorithm);
  StepRange range{1 << 30, 0};
  for (const Node& root : roots) {
    reference::Request request;
    request.network = net;
    request.root = root;
    request.bytes = 8;
    const int n = static_cast<int>(found->schedule(request).steps.size());
    range = {std::min(range.fewest, n), std::max(range.most, n)};
  }
  return range;
}

std::vector<Node> telling_nodes(const Network& net) {
  constexpr int kSmall = 256;
  std::vector<Node> nodes;
  if (net.nodes() <= kSmall) {
    for (int i = 0; i < net.nodes(); ++i) nodes.push_back(reference::node_at(net, i));
    return nodes;
  }
  for (int x = 0; x < net.x; ++x) nodes.push_back({x, net.y / 3, net.z / 2});
  const int stride = std::max(1, net.y / 32);
  for (int y = 0; y < net.y; y += stride) nodes.push_back({net.x / 3, y, net.z / 2});
  return nodes;
}

std::string to_text(const StepRange& range) {
  std::string text = std::to_string(range.fewest);
  if (range.most != range.fewest) text += ".." + std::to_string(range.most);
  return text;
}

}  // namespace annelid::reproduction
