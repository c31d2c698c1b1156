#include "reference/schedule/network.hpp"

#include <algorithm>

namespace annelid::reference {

std::string to_string(const Network& net) {
  std::string text = std::to_string(net.x) + "x" + std::to_string(net.y);
  if (net.z > 1) text += "x" + std::to_string(net.z);
  if (net.ideal) return text + " ideal";
  if (!net.has_rings()) return text;
  std::string rings, others;
  for (std::size_t d = 0; d < 3; ++d) {
    if (net.size()[d] > 1) (net.ring[d] ? rings : others) += "xyz"[d];
  }
  return text + (others.empty() ? " torus" : " with rings in " + rings);
}

void require_nodes(const Network& net) {
  const auto sizes = net.size();
  if (std::ranges::any_of(sizes, [](int n) { return n < 1; })) {
    throw std::invalid_argument("network " + to_string(net) + ": sizes are 1 or more");
  }
}

void require(const Network& net, Node root) {
  const auto sizes = net.size();
  if (std::any_of(sizes.begin(), sizes.end(), [](int n) { return n < 1 || n > 256; })) {
    throw std::invalid_argument("network " + to_string(net) + ": sizes are 1 to 256");
  }
  if (!contains(net, root)) {
    throw std::invalid_argument("root " + to_string(root) + " is outside the network");
  }
}

std::uint64_t hops(const Network& net, const Schedule& schedule) {
  std::uint64_t n = 0;
  for (const Step& s : schedule.steps) {
    for (const Message& m : s) n += static_cast<std::uint64_t>(distance(net, m.from, m.to));
  }
  return n;
}

bool is_in(const std::vector<Node>& nodes, Node n) {
  return std::find(nodes.begin(), nodes.end(), n) != nodes.end();
}

Schedule followed_by(Schedule first, const Schedule& second) {
  first.steps.insert(first.steps.end(), second.steps.begin(), second.steps.end());
  return first;
}

int fewest_steps(std::uint64_t nodes, int ports) {
  int steps = 0;
  for (std::uint64_t reached = 1; reached < nodes; ++steps) {
    reached *= static_cast<std::uint64_t>(ports) + 1;
  }
  return steps;
}

}  // namespace annelid::reference
