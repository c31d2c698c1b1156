#include "reference/trees/line_doubling.hpp"

#include "reference/schedule/lines.hpp"
#include "reference/trees/halving.hpp"

namespace annelid::reference {
namespace {

Schedule by_dimensions(const Network& net, Node root, std::uint64_t bytes,
                       Halvings (*halve)(int size, int holder)) {
  require(net, root);
  Schedule schedule;
  std::vector<Node> holders{root};
  for (std::size_t d = 0; d < 3; ++d) {
    for (const auto& halvings : halve(net.size()[d], position(root, d))) {
      Step step;
      for (Node line : holders) {
        for (const Halving& h : halvings) {
          step.push_back({moved(line, d, h.from), moved(line, d, h.to), bytes});
        }
      }
      schedule.steps.push_back(std::move(step));
    }
    holders = all_along(net, holders, d);
  }
  return schedule;
}

}  // namespace

Schedule dimensional_broadcast(const Network& net, Node root, std::uint64_t bytes) {
  return by_dimensions(net, root, bytes, halved_line);
}

Schedule cyclic_doubling_broadcast(const Network& net, Node root, std::uint64_t bytes) {
  return by_dimensions(net, root, bytes, halved_ring);
}

Schedule u_torus_broadcast(const Network& net, Node root, std::uint64_t bytes) {
  if (!u_torus_supports(net)) {
    throw std::invalid_argument("U-torus is for networks with rings in all dimensions");
  }
  return cyclic_doubling_broadcast(net, root, bytes);
}

bool u_torus_supports(const Network& net) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (net.size()[d] > 1 && !net.ring[d]) return false;
  }
  return true;
}

}  // namespace annelid::reference
