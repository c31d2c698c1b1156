#include "reference/rings/scatter_collect.hpp"

#include "reference/schedule/lines.hpp"
#include "reference/trees/halving.hpp"

namespace annelid::reference {
namespace {

PartSchedule scatter_parts(const Network& net, Node root) {
  PartSchedule schedule;
  std::vector<Node> holders{root};
  for (std::size_t d = 0; d < 3; ++d) {
    for (const auto& halvings : halved_line(net.size()[d], position(root, d))) {
      std::vector<PartMessage> step;
      for (Node line : holders) {
        for (const Halving& h : halvings) {
          const Piece first = piece_of(net, moved(line, d, h.first), d);
          const Piece last = piece_of(net, moved(line, d, h.first + h.length - 1), d);
          step.push_back({moved(line, d, h.from), moved(line, d, h.to), first.first, last.end});
        }
      }
      schedule.push_back(std::move(step));
    }
    holders = all_along(net, holders, d);
  }
  return schedule;
}

/// The line's positions in the order in which the pieces pass them.
std::vector<int> ring_order(int size, bool folded) {
  std::vector<int> order;
  for (int p = 0; p < size; p += folded ? 2 : 1) order.push_back(p);
  for (int p = size - 1; folded && p > 0; --p) {
    if (p % 2 == 1) order.push_back(p);
  }
  return order;
}

}  // namespace

PartSchedule collect_parts(const Network& net, LogicalRing ring) {
  PartSchedule schedule;
  for (std::size_t d = 3; d-- > 0;) {
    const auto size = static_cast<std::size_t>(net.size()[d]);
    const auto order =
        ring_order(static_cast<int>(size), ring == LogicalRing::kFolded && !net.ring[d]);
    for (std::size_t i = 1; i < size; ++i) {
      std::vector<PartMessage> step;
      for (int n = 0; n < net.nodes(); ++n) {
        const Node first = node_at(net, n);
        if (position(first, d) != 0) continue;
        for (std::size_t at = 0; at < size; ++at) {
          const int origin = order[(at + size - (i - 1)) % size];  // whose piece is passed on
          const Piece piece = piece_of(net, moved(first, d, origin), d);
          step.push_back({moved(first, d, order[at]), moved(first, d, order[(at + 1) % size]),
                          piece.first, piece.end});
        }
      }
      schedule.push_back(std::move(step));
    }
  }
  return schedule;
}

PartSchedule scatter_collect_parts(const Network& net, Node root, LogicalRing ring) {
  require(net, root);
  PartSchedule schedule = scatter_parts(net, root);
  PartSchedule collect = collect_parts(net, ring);
  for (auto& step : collect) schedule.push_back(std::move(step));
  return schedule;
}

Schedule scatter_collect_broadcast(const Network& net, Node root, std::uint64_t bytes,
                                   LogicalRing ring) {
  return schedule_of(scatter_collect_parts(net, root, ring),
                     {bytes, static_cast<std::uint64_t>(net.nodes())});
}

}  // namespace annelid::reference
