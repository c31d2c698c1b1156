#include "reference/rings/ring_all_reduce.hpp"

#include "reference/rings/scatter_collect.hpp"
#include "reference/schedule/lines.hpp"

namespace annelid::reference {

PartSchedule combining_parts(const Network& net) {
  PartSchedule steps;
  for (std::size_t d = 0; d < 3; ++d) {
    const int size = net.size()[d];
    for (int i = 1; i < size; ++i) {
      std::vector<PartMessage> step;
      for (int n = 0; n < net.nodes(); ++n) {
        const Node from = node_at(net, n);
        const int p = position(from, d);
        const Piece piece = piece_of(net, moved(from, d, (p - i + size) % size), d);
        step.push_back({from, moved(from, d, (p + 1) % size), piece.first, piece.end});
      }
      steps.push_back(std::move(step));
    }
  }
  return steps;
}

Schedule ring_all_reduce(const Network& net, std::uint64_t bytes) {
  require(net, {});
  PartSchedule messages = combining_parts(net);
  PartSchedule collect = collect_parts(net, LogicalRing::kPlain);
  for (auto& step : collect) messages.push_back(std::move(step));
  return schedule_of(messages, {bytes, static_cast<std::uint64_t>(net.nodes())});
}

std::vector<std::byte> ring_all_reduce_result(const Network& net,
                                              const std::vector<std::vector<std::byte>>& blocks,
                                              const Combine& combine) {
  require(net, {});
  const auto nodes = static_cast<std::size_t>(net.nodes());
  bool fits = blocks.size() == nodes;
  for (const auto& block : blocks) fits = fits && block.size() == blocks.front().size();
  if (!fits) throw std::invalid_argument("all-reduce: a block of one length for each node");

  const Parts parts(blocks.front().size(), nodes);
  const auto piece = [&](std::vector<std::byte>& block, const PartMessage& t) {
    return std::span(block).subspan(parts.begin(t.first), parts.bytes(t.first, t.end));
  };
  std::vector<std::vector<std::byte>> partial = blocks;
  for (const auto& step : combining_parts(net)) {
    // No piece is sent in the step in which it is combined, so the order here does not matter.
    for (const PartMessage& t : step) {
      combine(piece(partial[static_cast<std::size_t>(index_of(net, t.to))], t),
              piece(partial[static_cast<std::size_t>(index_of(net, t.from))], t));
    }
  }
  std::vector<std::byte> result;
  for (int place = 0; place < net.nodes(); ++place) {
    const auto owner = static_cast<std::size_t>(index_of(net, node_at_place(net, place)));
    const auto p = static_cast<std::uint64_t>(place);
    const auto own = std::span(partial[owner]).subspan(parts.begin(p), parts.bytes(p, p + 1));
    result.insert(result.end(), own.begin(), own.end());
  }
  return result;
}

}  // namespace annelid::reference
