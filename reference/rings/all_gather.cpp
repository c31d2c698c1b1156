#include "reference/rings/all_gather.hpp"

#include <algorithm>
#include <bit>

namespace annelid::reference {

bool squares_supports(const Network& net) { return net.nodes() <= kMaxNodesOfSquares; }

Schedule ring_all_gather(const Network& net, std::uint64_t bytes) {
  require(net, {});
  if (!squares_supports(net))
    throw std::invalid_argument("all-gather by a ring: at most 4096 nodes");
  const int n = net.nodes();
  Step step;
  for (int r = 0; r < n; ++r) step.push_back({node_at(net, r), node_at(net, (r + 1) % n), bytes});
  return {std::vector<Step>(static_cast<std::size_t>(n - 1), step)};
}

Schedule dissemination_all_gather(const Network& net, std::uint64_t bytes) {
  require_nodes(net);
  const int n = net.nodes();
  Schedule schedule;
  for (int distance = 1; distance < n; distance *= 2) {
    const int blocks = std::min(distance, n - distance);
    Step step;
    for (int r = 0; r < n; ++r) {
      step.push_back({node_at(net, r), node_at(net, (r + n - distance) % n),
                      static_cast<std::uint64_t>(blocks) * bytes});
    }
    schedule.steps.push_back(std::move(step));
  }
  return schedule;
}

bool exchange_takes(int nodes) {
  return nodes <= kMaxNodesOfSquares && std::has_single_bit(static_cast<unsigned>(nodes));
}

Schedule exchange_all_gather(const Network& net, std::uint64_t bytes) {
  require_nodes(net);
  if (!exchange_takes(net.nodes())) {
    throw std::invalid_argument("all-gather by exchange: 2^d nodes, at most 4096");
  }
  Schedule schedule;
  for (int held = 1; held < net.nodes(); held *= 2) {
    Step step;
    for (int r = 0; r < net.nodes(); ++r) {
      step.push_back(
          {node_at(net, r), node_at(net, r ^ held), static_cast<std::uint64_t>(held) * bytes});
    }
    schedule.steps.push_back(std::move(step));
  }
  return schedule;
}

}  // namespace annelid::reference
