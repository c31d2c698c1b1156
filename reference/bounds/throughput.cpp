#include "reference/bounds/throughput.hpp"

#include <stdexcept>

#include "reference/schedule/lines.hpp"

namespace annelid::reference {
namespace {

void require_channels(const Network& net) {
  require(net, {});
  if (!net.ideal && net.nodes() > 1) return;
  throw std::invalid_argument("bounds of " + to_string(net) +
                              ": expected a network with channels between nodes");
}

double nodes_over_others(const Network& net) {
  const auto nodes = static_cast<double>(net.nodes());
  return nodes / (nodes - 1);
}

}  // namespace

std::uint64_t channel_count(const Network& net) {
  require_channels(net);
  std::uint64_t channels = 0;
  const auto nodes = static_cast<std::uint64_t>(net.nodes());
  for (const std::size_t d : counting_dimensions(net)) {
    const auto size = static_cast<std::uint64_t>(net.size()[d]);
    channels += 2 * nodes / size * (is_wide_ring(net, d) ? size : size - 1);
  }
  return channels;
}

std::uint64_t fewest_channels(const Network& net) {
  require_channels(net);
  std::uint64_t channels = 0;  // of a corner: one along each line
  for (const std::size_t d : counting_dimensions(net)) channels += is_wide_ring(net, d) ? 2 : 1;
  return channels;
}

double all_reduce_bound(const Network& net) {
  return static_cast<double>(channel_count(net)) / (2.0 * (net.nodes() - 1));
}

double all_gather_bound(const Network& net) {
  return static_cast<double>(fewest_channels(net)) * nodes_over_others(net);
}

double reduce_scatter_all_gather_bound(const Network& net) { return all_gather_bound(net) / 2; }

double broadcast_bound(const Network& net) { return static_cast<double>(fewest_channels(net)); }

}  // namespace annelid::reference
