#include "reference/all_to_all.hpp"

#include "reference/all_gather.hpp"

namespace annelid::reference {
namespace {

void require_all_to_all(const Network& net) {
  require(net, {});
  if (!squares_supports(net)) throw std::invalid_argument("all-to-all: at most 4096 nodes");
}

}  // namespace

Schedule direct_all_to_all(const Network& net, std::uint64_t bytes) {
  require_all_to_all(net);
  const int n = net.nodes();
  Schedule schedule;
  for (int i = 1; i < n; ++i) {
    Step step;
    for (int r = 0; r < n; ++r) step.push_back({node_at(net, r), node_at(net, (r + i) % n), bytes});
    schedule.steps.push_back(std::move(step));
  }
  return schedule;
}

Schedule token_all_to_all(const Network& net, std::uint64_t bytes) {
  require_all_to_all(net);
  const int n = net.nodes();
  Schedule schedule;
  for (int r = 0; r < n; ++r) {
    for (int i = 1; i < n; ++i) {
      schedule.steps.push_back({{node_at(net, r), node_at(net, (r + n - i) % n), bytes}});
    }
  }
  return schedule;
}

}  // namespace annelid::reference
