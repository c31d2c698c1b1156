#include "reference/trees/recursive_doubling.hpp"

#include "reference/schedule/parts.hpp"
#include "reference/trees/halving.hpp"

namespace annelid::reference {

Schedule recursive_doubling_broadcast(const Network& size, Node root, std::uint64_t bytes) {
  require(size, root);
  Schedule schedule;
  for (const auto& halvings : halved_line(size.nodes(), place_of(size, root))) {
    Step& step = schedule.steps.emplace_back();
    for (const Halving& h : halvings) {
      step.push_back({node_at_place(size, h.from), node_at_place(size, h.to), bytes});
    }
  }
  return schedule;
}

}  // namespace annelid::reference
