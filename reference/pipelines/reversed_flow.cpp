#include "reference/pipelines/reversed_flow.hpp"

#include <numeric>

#include "reference/schedule/index.hpp"

namespace annelid::reference {

DataFlow reduction_in_reverse(const DataFlow& broadcast, int root) {
  const int ranks = broadcast.ranks();
  DataFlow flow(ranks, broadcast.parts);
  // partial[packet][rank] is what the rank has of the packet: at first its own.
  std::vector<std::vector<int>> partial(broadcast.parts, std::vector<int>(at(ranks)));
  for (auto& own : partial) std::iota(own.begin(), own.end(), 0);
  const int steps = static_cast<int>(broadcast.steps.size());
  for (int step = 1; step <= steps; ++step) {
    // No rank sends a packet in a step in which it receives the same packet, so the order of these
    // messages does not matter.
    for (const FlowMessage& down : broadcast.steps[at(steps - step)]) {
      auto& of_packet = partial[down.first];
      const int value = of_packet[at(down.to)];
      flow.send(step, {down.to, down.from, down.first, down.end, value});
      int& own = of_packet[at(down.from)];
      own = flow.values.combine(own, value);
    }
  }
  for (std::uint64_t packet = 0; packet < flow.parts; ++packet) {
    flow.results.push_back({root, root + 1, packet, packet + 1, partial[packet][at(root)]});
  }
  return flow;
}

}  // namespace annelid::reference
