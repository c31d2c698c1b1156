#include "studies/check/cost.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace annelid::studies {
namespace {

// Seconds of one core of the machine that the project is developed on. A large network's routers
// and NICs are not all in the processor's cache: what happens in it costs more, flits most of all.
constexpr double kPerFlitHop = 0.17e-6;
constexpr double kNodesForTwiceTheFlits = 1024;
constexpr double kNodesForTwiceTheRest = 4096;
constexpr double kPerMessage = 10e-6;
constexpr double kPerNodeRv32 = 30e-6;
constexpr double kPerNodeNative = 8e-6;
constexpr double kBuildNode = 200e-6;

reference::Ranks first_nodes(const reference::Network& network, int count) {
  std::vector<reference::Node> nodes;
  nodes.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) nodes.push_back(reference::node_at(network, i));
  reference::Ranks ranks;
  ranks.listed = std::make_shared<const reference::NodeList>(std::move(nodes));
  return ranks;
}

}  // namespace

CallCost::CallCost(const reference::Algorithm& algorithm, const reference::Network& network,
                   std::uint64_t bytes)
    : nodes_(network.nodes()) {
  const std::uint64_t block = std::max<std::uint64_t>(bytes, 8) / 8 * 8;
  reference::Request request{network, {}, block};
  if (algorithm.operation == reference::Operation::kShift) {  // by no steps there is no message
    request.parameter = static_cast<std::uint32_t>(network.nodes()) / 2;
  }
  if (algorithm.takes_ranks != nullptr) {
    int count = network.nodes();
    while (!algorithm.takes_ranks(count)) --count;
    request.ranks = algorithm.by_rank ? reference::Ranks{{}, count} : first_nodes(network, count);
  }
  const reference::Schedule schedule = algorithm.schedule(request);
  for (const reference::Step& step : schedule.steps) {
    for (const reference::Message& m : step) {
      const double channels = 1 + reference::distance(network, m.from, m.to);
      const double blocks = as_double(m.bytes) / as_double(block);
      ++messages_;
      head_hops_ += 2 * channels;
      byte_hops_ += blocks * channels;
      longest_ = std::max(longest_, blocks);
    }
  }
}

double CallCost::flit_hops(std::uint64_t bytes) const {
  return head_hops_ + byte_hops_ * as_double(bytes) / 8;
}

double CallCost::seconds(std::uint64_t bytes, bool rv32) const {
  const double flits = kPerFlitHop * flit_hops(bytes);
  const double rest = kPerMessage * messages_ + (rv32 ? kPerNodeRv32 : kPerNodeNative) * nodes_;
  return flits * (1 + nodes_ / kNodesForTwiceTheFlits) +
         rest * (1 + nodes_ / kNodesForTwiceTheRest);
}

double CallCost::seconds_before(std::size_t nodes) {
  return kBuildNode * static_cast<double>(nodes);
}

}  // namespace annelid::studies
