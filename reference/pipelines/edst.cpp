#include "reference/pipelines/edst.hpp"

#include <bit>
#include <stdexcept>
#include <string>

#include "reference/pipelines/reversed_flow.hpp"

namespace annelid::reference {
namespace {

/// The trees are followed packet by packet here: which process gets a packet when, and over which
/// dimension. The page says the same from the point of view of a process.
void spread(DataFlow& flow, int packet, int root) {
  const int ranks = flow.ranks(), dimensions = std::countr_zero(static_cast<unsigned>(ranks));
  const bool is_last = static_cast<std::uint64_t>(packet) + 1 == flow.parts;
  const auto part = static_cast<std::uint64_t>(packet);
  std::vector<int> reached = {0};
  // Step `packet` is the root's. In the steps after it, all that have the packet send it on: the
  // root only if there is no packet after this one, which then needs one step less.
  const int end = packet + dimensions + (is_last ? 0 : 1);
  for (int t = packet; t < end; ++t) {
    const int bit = 1 << (t % dimensions);
    std::vector<int> fresh;
    for (const int r : reached) {
      if (r == 0 && t > packet && !is_last) continue;
      const int to = r ^ bit;
      if (to == 0) continue;  // from 2^j to the root, when dimension j comes again
      flow.send(t + 1, {(root + r) % ranks, (root + to) % ranks, part, part + 1, root});
      fresh.push_back(to);
    }
    reached.insert(reached.end(), fresh.begin(), fresh.end());
  }
}

}  // namespace

bool edst_takes(int ranks) { return std::has_single_bit(static_cast<unsigned>(ranks)); }

DataFlow edst_broadcast(int ranks, int root, int packets) {
  if (!edst_takes(ranks)) {
    throw std::invalid_argument("edst on " + std::to_string(ranks) + " ranks: expected 2^d");
  }
  DataFlow flow(ranks, static_cast<std::uint64_t>(packets));
  flow.results.push_back({0, ranks, 0, flow.parts, root});
  if (ranks == 1) return flow;
  for (int packet = 0; packet < packets; ++packet) spread(flow, packet, root);
  return flow;
}

DataFlow edst_reduction(int ranks, int root, int packets) {
  return reduction_in_reverse(edst_broadcast(ranks, root, packets), root);
}

}  // namespace annelid::reference
