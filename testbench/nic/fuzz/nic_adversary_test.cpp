// Traffic that is made to hurt: what would deadlock a NIC that only back-pressures, messages that
// are wanted behind many that are not, nodes that begin long after the others, trees that run
// without the core. By hand, with the smallest buffers.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <ostream>

#include "testbench/nic/fuzz/reference.hpp"
#include "testbench/nic/fuzz/world.hpp"

namespace annelid::nic::fuzz {
namespace {

struct Small {
  std::array<int, kMaxDims> size{4, 4, 1};
  bool ring = false;
  std::uint32_t eager = 0;
  int ports = 1;
};

NicConfig small(const Small& wish) {
  NicConfig config;
  config.network.size = wish.size;
  systemc::RouterConfig& router = config.network.router;
  router.local_ports = wish.ports;
  router.depth = 1;
  router.torus = {wish.ring, wish.ring && wish.size[1] > 1, false};
  router.vcs = wish.ring ? 2 : 1;
  config.eager_bytes = wish.eager;
  return config;
}

Plan empty_plan(const NicConfig& config) {
  Plan plan;
  plan.config = config;
  plan.nodes.resize(config.network.nodes());
  return plan;
}

/// Nobody posts a receive before cycle `at`.
void receive_late(Plan& plan, Cycle at) {
  for (NodePlan& node : plan.nodes) {
    if (!node.receives.empty()) node.receives.front().delay = at;
  }
}

struct Case {
  bool ring;
  std::uint32_t eager;
  Cycle skew;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << (c.ring ? "torus" : "mesh") << "E" << c.eager << "skew" << c.skew;
}
class NicAdversary : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Skewed, NicAdversary,
                         ::testing::Values(Case{false, 0, 0}, Case{false, 0, 100'000},
                                           Case{false, 8, 100'000}, Case{true, 0, 20'000},
                                           Case{true, 8, 100'000}),
                         ::testing::PrintToStringParamName());

/// Every node sends long messages to all four neighbours, all the way round, before anybody posts a
/// receive; then receives are posted in the reverse order of the sends' tags. A NIC that keeps what
/// has no receive in the network is deadlocked at once.
TEST_P(NicAdversary, EverybodySendsToTheNeighboursBeforeAnybodyReceives) {
  const Case& c = GetParam();
  Plan plan = empty_plan(small({.ring = c.ring, .eager = c.eager}));
  for (std::uint16_t tag = 0; tag < 6; ++tag) {
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 4; ++x) {
        const auto node = [](int a, int b) { return static_cast<NodeId>(b % 4 * 4 + a % 4); };
        const NodeId from = node(x, y);
        for (const NodeId to : {node(x + 1, y), node(x + 3, y), node(x, y + 1), node(x, y + 3)}) {
          plan.add(from, to, tag, tag == 3 ? 8 : 400 + 8 * tag);
        }
      }
    }
  }
  for (NodePlan& node : plan.nodes) std::ranges::reverse(node.receives);
  receive_late(plan, c.skew);
  World world(std::move(plan), "world");
  world.run();
  EXPECT_TRUE(c.skew == 0 || world.counts().unexpected == std::uint64_t{16} * 4 * 6);
}

/// All to all, with more messages than there are eager places and nearly as many as send places.
TEST_P(NicAdversary, AllToAllBeforeAnybodyReceives) {
  const Case& c = GetParam();
  Plan plan = empty_plan(small({.ring = c.ring, .eager = c.eager}));
  for (std::uint16_t tag = 0; tag < 4; ++tag) {
    for (NodeId from = 0; from < 16; ++from) {
      for (NodeId to = 0; to < 16; ++to) {
        if (from != to) plan.add(from, to, tag, 8 * tag + 20 * (from + to));
      }
    }
  }
  // Each receiver in an order of its own: tags from the last, sources rotated.
  for (NodeId node = 0; node < 16; ++node) {
    auto& receives = plan.nodes[node].receives;
    std::ranges::reverse(receives);
    std::rotate(receives.begin(), receives.begin() + node, receives.end());
  }
  receive_late(plan, c.skew);
  World world(std::move(plan), "world");
  world.run();
  EXPECT_TRUE(c.skew == 0 || world.counts().unexpected == std::uint64_t{16} * 15 * 4);
}

/// A receiver wants one message first that stands behind all the others: from the same source, and
/// from all other nodes, long ones and ones that fill the eager places.
TEST_P(NicAdversary, TheWantedMessageOvertakesAllUnwantedOnes) {
  const Case& c = GetParam();
  constexpr NodeId kReceiver = 5, kWanted = 6;
  Plan plan = empty_plan(small({.ring = c.ring, .eager = c.eager}));
  for (NodeId from = 0; from < 16; ++from) {
    if (from == kReceiver) continue;
    // 15 nodes, 4 each: less than 64 receives when the receiver comes to them.
    for (std::uint16_t tag = 0; tag < 3; ++tag) plan.add(from, kReceiver, tag, tag == 0 ? 8 : 2000);
  }
  const std::size_t wanted_long = plan.add(kWanted, kReceiver, 100, 1500);
  const std::size_t wanted_short = plan.add(kWanted, kReceiver, 101, 8);
  auto& receives = plan.nodes[kReceiver].receives;
  std::ranges::reverse(receives);  // the wanted ones come first
  receives[0].delay = c.skew;
  receives[2].delay = 30'000;  // nothing else is posted for long
  World world(std::move(plan), "world");
  world.run();
  // Long before anything else was posted, and in the time that the two need.
  EXPECT_LT(world.received_at(wanted_long), c.skew + 1500);
  EXPECT_LT(world.received_at(wanted_short), c.skew + 1500);
}

/// Around a ring, each node posts its receive of a long message only when it has a later and
/// shorter one of the same source, and all of them send the long one first.
TEST_P(NicAdversary, ALaterMessageThatIsAwaitedFirstPassesAroundARing) {
  const Case& c = GetParam();
  Plan plan = empty_plan(small({.size = {8, 1, 1}, .ring = c.ring, .eager = c.eager}));
  for (NodeId from = 0; from < 8; ++from) {
    const NodeId to = (from + 1) % 8;
    for (int round = 0; round < 8; ++round) {
      const std::size_t first = plan.add(from, to, 7, 3000);
      const std::size_t second = plan.add(from, to, 8, round % 2 == 0 ? 8 : 100);
      auto& receives = plan.nodes[to].receives;
      std::swap(receives[receives.size() - 2], receives.back());
      receives.back() = {first, 0, second};
    }
  }
  for (NodeId node = 0; node < 8; ++node) {
    plan.nodes[node].receives.front().delay = node % 2 == 0 ? c.skew : 0;
  }
  World world(std::move(plan), "world");
  world.run();
}

/// A node posts its receives of replies before it has asked for them, and the question last: the
/// oldest receive, which is offered first, is the one whose message comes last. What is sent next
/// depends on what was received before, so an offer that is kept in vain stops everything.
TEST_P(NicAdversary, QuestionsPassTheReceivesOfTheirAnswers) {
  const Case& c = GetParam();
  Plan plan = empty_plan(small({.ring = c.ring, .eager = c.eager}));
  for (NodeId a = 0; a < 16; a += 2) {
    const NodeId b = (a + 5) % 16;
    std::size_t before = kNone;
    for (int round = 0; round < 10; ++round) {
      const std::uint32_t bytes = round % 3 == 0 ? 8 : 700;
      // a awaits `last`, then `first`; b sends `first`, and `last` when it has the question.
      const std::size_t last = plan.add(b, a, 1, bytes), first = plan.add(b, a, 2, bytes);
      const std::size_t question = plan.add(a, b, 3, bytes);
      plan.nodes[a].sends.back() = {question, 0, first};
      std::swap(plan.nodes[b].sends.end()[-1], plan.nodes[b].sends.end()[-2]);
      plan.nodes[b].sends.end()[-1] = {last, 0, question};
      plan.nodes[b].sends.end()[-2].after = before;
      before = question;
    }
    plan.nodes[a].receives.front().delay = c.skew;
  }
  World world(std::move(plan), "world");
  world.run();
  EXPECT_GT(world.counts().waited, 0u);
}

/// Messages go round through one buffer of each node: received into it, sent on from it when the
/// receive is complete, overwritten by the next when the send is. Any byte that comes late or is
/// read late is wrong, and any range that is held too long is an error.
TEST_P(NicAdversary, MessagesGoRoundThroughOneBufferOfEachNode) {
  const Case& c = GetParam();
  constexpr NodeId kNodes = 6;
  Plan plan = empty_plan(small({.size = {kNodes, 1, 1}, .ring = c.ring, .eager = c.eager}));
  plan.reused = true;
  std::array<std::uint32_t, kNodes> buffer{};
  for (NodeId node = 0; node < kNodes; ++node) buffer[node] = plan.take(node, 2000);
  for (std::size_t round = 0; round < 12; ++round) {
    for (NodeId from = 0; from < kNodes; ++from) {
      const NodeId to = (from + 1) % kNodes;
      const std::size_t number = plan.messages.size();
      Message message{.from = from, .to = to, .tag = 9, .room = 2000, .target = buffer[to]};
      message.source = from == 0 ? plan.take(0, 2000) : buffer[from];
      message.bytes =
          from == 0 ? static_cast<std::uint32_t>(1 + 160 * round) : plan.messages[number - 1].bytes;
      if (from != 0) message.forwards = number - 1;
      plan.messages.push_back(message);
      Order send{number}, receive{number};
      if (from != 0) send.after = number - 1;
      // The buffer is free when the message of the round before has left it.
      if (round > 0 && to != 0) receive.after_sent = number - kNodes + 1;
      if (round > 0 && to == 0) receive.after = number - kNodes;
      plan.nodes[from].sends.push_back(send);
      plan.nodes[to].receives.push_back(receive);
    }
  }
  plan.nodes[2].receives.front().delay = c.skew;
  World world(std::move(plan), "world");
  world.run();
}

/// One node begins long after all others, and everything passes through it.
TEST_P(NicAdversary, ANodeThatSleepsLongDoesNotStopTheOthers) {
  const Case& c = GetParam();
  constexpr NodeId kSleeper = 2;
  Plan plan = empty_plan(small({.size = {5, 1, 1}, .ring = c.ring, .eager = c.eager}));
  std::vector<std::size_t> others;
  for (std::uint16_t i = 0; i < 20; ++i) {
    for (NodeId from = 0; from < 5; ++from) {
      const std::size_t message = plan.add(from, 4 - from, i % 3, 64 * i);
      if (from != kSleeper) others.push_back(message);
      plan.add(from == kSleeper ? 0 : from, kSleeper, i % 3, 64 * i);
    }
  }
  auto& sleeper = plan.nodes[kSleeper];
  // To itself it sends as well; it has at most 64 of each.
  sleeper.receives.front().delay = sleeper.sends.front().delay = c.skew;
  World world(std::move(plan), "world");
  world.run();
  if (c.skew < 100'000) return;
  // Send places are taken in order: what stands behind 64 messages to the sleeper may wait.
  const auto early = std::ranges::count_if(
      others, [&](std::size_t message) { return world.received_at(message) < c.skew; });
  EXPECT_EQ(early, static_cast<std::ptrdiff_t>(others.size()));
}

// ---- Trees without the core ---------------------------------------------------------------------

/// A reduction up a binary tree and a broadcast down it, in which every send but the leaves' waits
/// for a counter: the cores do nothing after they have posted it all.
TEST(NicTree, ReducesAndBroadcastsWithoutTheCore) {
  constexpr std::uint32_t kBytes = 1024;
  NicConfig config = small({.ports = 2});
  config.network.router.depth = 2;
  const NodeId nodes = config.network.nodes();
  systemc::Fabric fabric("fabric");
  systemc::Network network("network", fabric, config.network);
  std::vector<std::unique_ptr<Nic>> nics;
  std::vector<std::byte> expected;
  std::vector<std::vector<std::byte>> inputs(nodes);

  class Post : public Processor {
   public:
    explicit Post(std::function<void()> post) : post_(std::move(post)) {}
    void step(Cycle now) override {
      if (now == 0) post_();
    }
    [[nodiscard]] Next next(Cycle) const override { return {}; }
    [[nodiscard]] std::string describe() const override { return "post"; }

   private:
    std::function<void()> post_;
  };

  const auto send = [&](Nic& nic, NodeId to, std::uint32_t offset, std::uint32_t tag,
                        std::uint32_t counter, std::uint32_t threshold) {
    nic.write(reg::kSendDestination, pack(config.network.address(to)));
    nic.write(reg::kSendOffset, offset);
    nic.write(reg::kSendBytes, kBytes);
    nic.write(reg::kSendTag, tag);
    nic.write(reg::kSendTrigger, counter);
    nic.write(reg::kSendThreshold, threshold);
    nic.write(reg::kSendNotify, 0x1FF);
    nic.write(reg::kSendGo, tag);
  };
  const auto receive = [&](Nic& nic, NodeId from, std::uint32_t offset, std::uint32_t stage,
                           std::uint32_t tag, std::uint32_t counter) {
    nic.write(reg::kRecvSource, pack(config.network.address(from)));
    nic.write(reg::kRecvOffset, offset);
    nic.write(reg::kRecvBytes, kBytes);
    nic.write(reg::kRecvTag, tag);
    nic.write(reg::kRecvCombine, stage == 0 ? 0u : 0x41u);  // FLOAT32 SUM
    nic.write(reg::kRecvStage, stage);
    nic.write(reg::kRecvNotify, 0x100 | counter);
    nic.write(reg::kRecvGo, tag);
  };

  for (NodeId node = 0; node < nodes; ++node) {
    nics.push_back(
        std::make_unique<Nic>(("nic_" + std::to_string(node)).c_str(), config, node, fabric));
    Nic& nic = *nics.back();
    for (int l = 0; l < config.network.router.local_ports; ++l) {
      const auto port = static_cast<std::size_t>(l);
      network.attach(node, l, nic.to_router[port], nic.from_router[port]);
    }
    Message input{.bytes = kBytes, .type = reg::Type::kFloat32};
    inputs[node] = content(input, node);
    nic.memory().write(0, inputs[node]);
    nic.load(std::make_unique<Post>([&, node] {
      // Counter 0 counts children's sums, counter 1 the result. It lands at 8192.
      const NodeId parent = (node - 1) / 2;
      std::uint32_t children = 0;
      for (const NodeId child : {2 * node + 1, 2 * node + 2}) {
        if (child >= nodes) continue;
        ++children;
        receive(*nics[node], child, 0, 2048 * children, 1, 0);
      }
      if (node != 0) {
        receive(*nics[node], parent, 8192, 0, 2, 1);
        send(*nics[node], parent, 0, 1, 0, children);
      }
      for (const NodeId child : {2 * node + 1, 2 * node + 2}) {
        if (child >= nodes) continue;
        if (node == 0) {
          send(*nics[node], child, 0, 2, 0, children);
        } else {
          send(*nics[node], child, 8192, 2, 1, 1);
        }
      }
    }));
  }
  EXPECT_EQ(fabric.run_until(100'000), systemc::RunStatus::kQuiet);
  for (NodeId node = nodes; node-- > 0;) {  // children have greater numbers
    for (const NodeId child : {2 * node + 1, 2 * node + 2}) {
      if (child >= nodes) continue;
      reference_combine(reg::Operator::kSum, reg::Type::kFloat32, false, inputs[node],
                        inputs[child]);
    }
  }
  for (NodeId node = 0; node < nodes; ++node) {
    std::vector<std::byte> result(kBytes);
    nics[node]->memory().read(node == 0 ? 0 : 8192, result);
    EXPECT_TRUE(result == inputs[0]) << "node " << node;
    EXPECT_TRUE(nics[node]->idle());
    EXPECT_EQ(nics[node]->error(), reg::ErrorCause::kNone);
  }
}

}  // namespace
}  // namespace annelid::nic::fuzz
