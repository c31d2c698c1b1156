#include "simulation/scenario/root_keys.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/input_error.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::simulation {

reference::Node read_root(const Settings& s, const systemc::NetworkConfig& network) {
  const auto at = s.integers("collective.root");
  if (at.empty()) return {};
  const auto dims = static_cast<std::size_t>(network.dims());
  if (at.size() != dims) {
    constexpr std::array kWanted = {"one integer, the coordinate x",
                                    "two integers, the coordinates x and y",
                                    "three integers, the coordinates x, y and z"};
    s.refuse("collective.root", kWanted[dims - 1]);
  }
  std::array<int, 3> node{};
  for (std::size_t d = 0; d < dims; ++d) {
    if (at[d] >= 0 && at[d] < network.size[d]) {
      node[d] = static_cast<int>(at[d]);
      continue;
    }
    std::string found;
    for (const std::int64_t n : at) found += fmt::format("{}{}", found.empty() ? "" : ",", n);
    throw InputError(s.origin("collective.root"), found,
                     fmt::format("a node of the {}: {} to {}", describe_network(network),
                                 node_text(network, {}), node_text(network, network.last())));
  }
  return {node[0], node[1], node[2]};
}

reference::Node read_root_in_group(const Settings& s, const systemc::NetworkConfig& network,
                                   const Collective& c) {
  const std::vector<reference::Node>& nodes = c.ranks.listed->nodes();
  if (s.has("collective.root_rank")) {
    if (s.has("collective.root")) {
      s.refuse("collective.root_rank", "collective.root or collective.root_rank, not both");
    }
    const auto last = static_cast<std::int64_t>(nodes.size()) - 1;
    return nodes[static_cast<std::size_t>(s.integer("collective.root_rank", 0, 0, last))];
  }
  if (!s.has("collective.root")) return nodes.front();
  const reference::Node root = read_root(s, network);
  if (c.ranks.listed->rank_at(root)) return root;
  const auto name = [&](const reference::Node& node) {
    return node_text(network, node_address(node));
  };
  throw InputError(s.origin("collective.root"), "node " + name(root),
                   fmt::format("a member of the group \"{}\": rank 0 is node {}, the last is node "
                               "{}; or collective.root_rank",
                               c.group, name(nodes.front()), name(nodes.back())));
}

}  // namespace annelid::simulation
