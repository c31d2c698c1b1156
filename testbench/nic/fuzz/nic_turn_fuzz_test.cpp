// Receives in turn, of any number of sources in any order of posting, on random networks: the
// messages that take offers come in that order (docs/internals/nic/messages.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "testbench/nic/fuzz/world.hpp"

namespace annelid::nic::fuzz {
namespace {

/// In any order, but those of a (from, to, tag) in that of their numbers.
void shuffle(std::vector<Order>& orders, const Plan& plan, Random& random) {
  for (auto i = static_cast<std::uint32_t>(orders.size()); i > 1; --i)
    std::swap(orders[i - 1], orders[random.below(i)]);
  std::map<std::tuple<NodeId, NodeId, std::uint16_t>, std::size_t> streams;
  std::vector<std::size_t> numbers;
  for (const Order& order : orders) numbers.push_back(order.message);
  std::ranges::sort(numbers);
  const auto stream_of = [&](std::size_t number) {
    const Message& m = plan.messages[number];
    return std::tuple(m.from, m.to, m.tag);
  };
  for (Order& order : orders) {
    std::size_t& next = streams[stream_of(order.message)];
    while (stream_of(numbers[next]) != stream_of(order.message)) ++next;
    order.message = numbers[next++];
  }
}

/// Up to 60 sends and 60 receives of a node, which all find places at once: so no order of posting
/// can keep a send back that a receive in turn waits for.
Plan plan_in_turn(const NicConfig& config, Random& random) {
  Plan plan;
  plan.config = config;
  plan.nodes.resize(config.network.nodes());
  const auto nodes = static_cast<std::uint32_t>(plan.nodes.size());
  for (std::uint32_t i = 0; i < 50 * nodes; ++i) {
    const NodeId from = random.below(nodes), to = random.below(random.below(4) == 0 ? 1 : nodes);
    if (plan.nodes[from].sends.size() == 60 || plan.nodes[to].receives.size() == 60) continue;
    const auto tag = static_cast<std::uint16_t>(random.below(4));
    const std::uint32_t bytes = 8 * ((from + 3 * to + 5 * tag) % 40);
    Message& message = plan.messages[plan.add(from, to, tag, bytes)];
    message.in_turn = (to + tag) % 4 != 0;
  }
  for (NodePlan& node : plan.nodes) {
    shuffle(node.sends, plan, random);
    shuffle(node.receives, plan, random);
    for (auto* orders : {&node.sends, &node.receives}) {
      const Cycle pace = random.below(3) * 40;
      for (Order& order : *orders) order.delay = pace == 0 ? 0 : random.below(pace);
    }
  }
  return plan;
}

TEST(NicTurnFuzz, MessagesThatTakeOffersComeInTheOrderOfPosting) {
  Random random(20, 6);
  std::vector<std::unique_ptr<World>> worlds;
  for (int i = 0; i < 24; ++i) {
    NicConfig config;
    systemc::NetworkConfig& network = config.network;
    systemc::RouterConfig& router = network.router;
    network.size = {2 + static_cast<int>(random.below(4)), 1 + static_cast<int>(random.below(3)),
                    1};
    router.local_ports = 1 + static_cast<int>(random.below(4));
    router.local_vcs = 1 + static_cast<int>(random.below(3));
    router.depth = 1 + static_cast<int>(random.below(4));
    router.control_vc = i % 3 == 0;
    config.eager_bytes = random.below(2) * 64;
    config.memory_bytes = std::uint64_t{1} << 24;
    config.half_duplex = random.below(4) == 0;
    worlds.push_back(
        std::make_unique<World>(plan_in_turn(config, random), "world_" + std::to_string(i)));
  }
  Counts counts;
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    SCOPED_TRACE("world " + std::to_string(i));
    worlds[i]->run();
    if (HasFailure()) return;
    counts += worlds[i]->counts();
  }
  EXPECT_GT(counts.in_turn, 3000U);
  EXPECT_GT(counts.own, 300U);
  EXPECT_GT(counts.eager_direct + counts.eager_placed, 100U);
  EXPECT_GT(counts.wire.parks, 100U);
  EXPECT_EQ(counts.sends_full + counts.receives_full, 0U);
}

}  // namespace
}  // namespace annelid::nic::fuzz
