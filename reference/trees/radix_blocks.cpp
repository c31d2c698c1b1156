#include "reference/trees/radix_blocks.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "reference/schedule/index.hpp"

namespace annelid::reference {
namespace {

std::int64_t radix_of(std::uint32_t radix, std::int64_t ranks) {
  if (radix == 1) throw std::invalid_argument("a radix of 2 or more, or 0 for 2");
  return std::max<std::int64_t>(2, std::min<std::int64_t>(radix, ranks));
}

}  // namespace

BlockSchedule radix_scatter(const Network& net, const std::vector<Node>& nodes, int root,
                            std::uint32_t radix) {
  const auto ranks = static_cast<std::int64_t>(nodes.size());
  const std::int64_t base = radix_of(radix, ranks);
  const auto node = [&](std::int64_t relative) {
    return nodes[at(static_cast<int>((relative + root) % ranks))];
  };
  std::int64_t weight = 1;  // R^x of the first place
  while (weight * base < ranks) weight *= base;

  BlockSchedule schedule;
  for (; weight > 0; weight /= base) {
    for (std::int64_t digit = 1; digit < base && digit * weight < ranks; ++digit) {
      auto& step = schedule.emplace_back();
      for (std::int64_t holder = 0; holder + digit * weight < ranks; holder += weight * base) {
        const std::int64_t first = holder + digit * weight;
        BlockMessage& message = step.emplace_back(BlockMessage{node(holder), node(first), {}});
        for (std::int64_t r = first; r < std::min(ranks, first + weight); ++r) {
          message.blocks.push_back(index_of(net, node(r)));
        }
      }
    }
  }
  return schedule;
}

BlockSchedule radix_gather(const Network& net, const std::vector<Node>& nodes, int root,
                           std::uint32_t radix) {
  BlockSchedule schedule = radix_scatter(net, nodes, root, radix);
  std::ranges::reverse(schedule);
  for (auto& step : schedule) {
    for (BlockMessage& message : step) std::swap(message.from, message.to);
  }
  return schedule;
}

}  // namespace annelid::reference
