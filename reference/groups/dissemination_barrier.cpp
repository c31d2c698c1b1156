#include "reference/groups/dissemination_barrier.hpp"

#include <utility>

namespace annelid::reference {

Schedule dissemination_barrier(const Network& net) {
  require_nodes(net);
  const int n = net.nodes();
  Schedule schedule;
  for (int distance = 1; distance < n; distance *= 2) {
    Step step;
    for (int r = 0; r < n; ++r) {
      step.push_back({node_at(net, r), node_at(net, (r + distance) % n), 0});
    }
    schedule.steps.push_back(std::move(step));
  }
  return schedule;
}

}  // namespace annelid::reference
