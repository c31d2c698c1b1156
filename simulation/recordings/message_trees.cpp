#include "simulation/recordings/message_trees.hpp"

#include <map>
#include <memory>
#include <tuple>

#include "reference/schedule/embedding.hpp"

namespace annelid::simulation {

Recordings::TreeOf trees_of(const Scenario& scenario) {
  if (scenario.has_several()) return {};
  const Collective& call = scenario.calls.front().collective;
  if (call.own || !call.algorithm->name.starts_with("two-tree")) return {};
  const reference::DataFlow flow = call.algorithm->data_flow(call.request());
  const std::vector<reference::Node> nodes = reference::members(call.network, call.ranks);
  // Source, destination and step of a message, as a packet has them. Tree 1 carries the first half
  // of the parts.
  using Edge = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  const auto key = [](Address from, Address to, std::uint32_t step) {
    return Edge{pack(from), pack(to), step};
  };
  const auto trees = std::make_shared<std::map<Edge, int>>();
  for (std::uint32_t step = 1; step <= flow.steps.size(); ++step) {
    for (const reference::FlowMessage& m : flow.steps[step - 1]) {
      const auto at = [&](int rank) { return node_address(nodes[static_cast<std::size_t>(rank)]); };
      (*trees)[key(at(m.from), at(m.to), step)] = m.first < flow.parts / 2 ? 1 : 2;
    }
  }
  return [trees, key](const systemc::PacketInfo& info) {
    const auto found = trees->find(key(info.head.source, info.head.destination, info.step));
    return found == trees->end() ? 0 : found->second;
  };
}

}  // namespace annelid::simulation
