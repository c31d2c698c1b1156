#include "reference/trees/fibonacci_tree.hpp"

#include "reference/schedule/data_flow.hpp"

namespace annelid::reference {
namespace {

/// N(0), N(1), ... up to the first value of at least `nodes`.
std::vector<std::uint64_t> sizes_up_to(std::uint64_t nodes, int packets) {
  std::vector<std::uint64_t> n{1};
  while (n.back() < nodes) {
    if (n.back() >> 62 != 0) throw std::overflow_error("N(t, k) is above 2^62");
    const std::size_t t = n.size(), k = static_cast<std::size_t>(packets);
    n.push_back(t < k ? 1 : n[t - k] + n[t - 1]);
  }
  return n;
}

/// `length` nodes of the list; the first of them has packet j since step `start` + j - 1.
struct Stretch {
  int first, length, start;
};

}  // namespace

std::uint64_t fibonacci_nodes(int steps, int packets) {
  std::vector<std::uint64_t> n;
  for (int t = 0; t <= steps; ++t) {
    n.push_back(t < packets ? 1
                            : n[static_cast<std::size_t>(t - packets)] +
                                  n[static_cast<std::size_t>(t - 1)]);
    if (n.back() >> 62 != 0) throw std::overflow_error("N(t, k) is above 2^62");
  }
  return n.back();
}

int fibonacci_steps(std::uint64_t nodes, int packets) {
  return static_cast<int>(sizes_up_to(nodes, packets).size()) - 1;
}

int fibonacci_packets(std::uint32_t parameter, std::uint64_t bytes) {
  if (parameter > kMaxPackets) throw std::invalid_argument("Fibonacci tree: at most 64 packets");
  if (parameter != 0) return static_cast<int>(parameter);
  return static_cast<int>(std::clamp<std::uint64_t>((bytes + 511) / 512, 1, 16));
}

PartSchedule fibonacci_packets_sent(const Network& net, Node root, int packets) {
  require(net, root);
  const int k = packets;
  const auto nodes = static_cast<std::uint64_t>(net.nodes());
  const std::vector<std::uint64_t> n = sizes_up_to(nodes, k);
  const int turn = place_of(net, root);
  const auto count = [&](int t) { return static_cast<int>(n[static_cast<std::size_t>(t)]); };

  DataFlow flow(net.nodes(), static_cast<std::uint64_t>(k));  // of the list's first node
  std::vector<Stretch> segments{{0, net.nodes(), 0}};
  while (!segments.empty()) {
    const auto [first, whole, start] = segments.back();
    segments.pop_back();
    for (int length = whole, child = 0; length >= 2; ++child) {
      int t = 0;
      while (count(t) < length) ++t;
      const int fewest = std::max(1, length - count(t - 1));
      const int most = std::min(length - 1, count(t - k));
      const int kept = (fewest + most) / 2;
      const int begin = start + child * k + 1;
      flow.send(Stream{.from = first,
                       .to = first + kept,
                       .step = begin,
                       .period = 1,
                       .first = 0,
                       .end = flow.parts,
                       .value = 0});
      segments.push_back({first + kept, length - kept, begin});
      length = kept;
    }
  }
  std::vector<Node> list;
  list.reserve(static_cast<std::size_t>(net.nodes()));
  for (int i = 0; i < net.nodes(); ++i) {
    list.push_back(node_at_place(net, (i + turn) % net.nodes()));
  }
  return placed(flow, list);
}

Schedule fibonacci_broadcast(const Network& net, Node root, std::uint64_t bytes,
                             std::uint32_t packets) {
  const int k = fibonacci_packets(packets, bytes);
  return schedule_of(fibonacci_packets_sent(net, root, k), {bytes, static_cast<std::uint64_t>(k)});
}

}  // namespace annelid::reference
