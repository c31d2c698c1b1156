// The firmware as a whole, on fake NICs: calls, order of sends, what it says that it waits for.
#include <gmock/gmock.h>

#include <memory>
#include <vector>

#include "firmware/collectives/edn_broadcast.hpp"
#include "testbench/firmware/fake_network.hpp"
#include "testbench/firmware/plan_check.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::AwaitWhat;
using reg::CallResult;
using reg::Operation;

constexpr Size k8x8{8, 8, 1};

TEST(Broadcast, TheRootQueuesAStepAtOnceAndTheNextWhenAllOfItHasLeft) {
  const Address root = at(3, 5);
  const BroadcastPlan plan = edn::plan(root, k8x8, root);
  TestNode node(root, k8x8);
  node.firmware->run();
  EXPECT_TRUE(node.bus.queued.empty());
  node.bus.call(Operation::kBroadcast, Algorithm::kEdn, root, 4096, 777, 42);
  std::size_t done = 0;
  int steps = 0;
  while (node.bus.results.empty()) {
    node.firmware->run();
    ASSERT_GT(node.bus.queued.size(), done);
    const std::size_t end = node.bus.queued.size();
    for (std::size_t i = done; i < end; ++i) {
      const FakeBus::Descriptor& d = node.bus.queued[i];
      EXPECT_FALSE(d.receive);
      EXPECT_EQ(d.peer, plan.sends()[i].to);
      EXPECT_EQ(d.step, plan.sends()[i].step);
      EXPECT_EQ(d.step, plan.sends()[done].step) << "a send of a later step is queued too early";
      EXPECT_EQ(d.offset, 4096U);
      EXPECT_EQ(d.bytes, 777U);
      EXPECT_EQ(d.tag, 42U);
      EXPECT_EQ(d.port, reg::kPortByRoute);
    }
    if (end < plan.sends().size()) {
      EXPECT_NE(plan.sends()[end].step, plan.sends()[done].step) << "part of a step only";
    }
    // The last of the step first: the firmware then names one that is still under way.
    for (std::size_t i = end; i-- > done;) {
      EXPECT_EQ(node.bus.awaits(), AwaitWhat::kSend);
      EXPECT_EQ(node.bus.awaited_algorithm(), 1U);
      EXPECT_EQ(node.bus.awaited_step(), plan.sends()[done].step);
      EXPECT_EQ(node.bus.awaited_node(), plan.sends()[done].to);
      EXPECT_EQ(node.bus.queued.size(), end);
      node.bus.complete(node.bus.queued[i]);
      node.firmware->run();
    }
    done = end;
    ++steps;
    if (done == plan.sends().size()) break;
  }
  EXPECT_EQ(done, plan.sends().size());
  EXPECT_GE(steps, 2);
  EXPECT_THAT(node.bus.results, ::testing::ElementsAre(0U));
  EXPECT_EQ(node.bus.awaits(), AwaitWhat::kNothing);
}

TEST(Broadcast, AnotherNodePostsItsReceiveAndSendsNothingBeforeTheMessageIsThere) {
  const Address self = at(2, 7), root = at(0, 0);
  const BroadcastPlan plan = edn::plan(self, k8x8, root);
  TestNode node(self, k8x8);
  node.bus.call(Operation::kBroadcast, Algorithm::kEdn, root, 64, 8, 7);
  node.firmware->run();
  ASSERT_EQ(node.bus.queued.size(), 1U);
  const FakeBus::Descriptor receive = node.bus.queued[0];
  EXPECT_TRUE(receive.receive);
  EXPECT_EQ(receive.peer, *plan.parent);
  EXPECT_EQ(receive.offset, 64U);
  EXPECT_EQ(receive.bytes, 8U);
  EXPECT_EQ(receive.tag, 7U);
  EXPECT_EQ(node.bus.awaits(), AwaitWhat::kReceive);
  EXPECT_EQ(node.bus.awaited_node(), *plan.parent);
  EXPECT_EQ(node.bus.awaited_step(), static_cast<std::uint32_t>(plan.receive_step));
  node.firmware->run();  // awake for nothing
  EXPECT_EQ(node.bus.queued.size(), 1U);
  node.bus.complete(receive);
  node.firmware->run();
  ASSERT_GT(node.bus.queued.size(), 1U);
  EXPECT_EQ(node.bus.queued[1].peer, plan.sends()[0].to);
  EXPECT_EQ(node.bus.awaits(), AwaitWhat::kSend);
}

TEST(Broadcast, WhatTheFirmwareCannotDoIsAnsweredWithItsReason) {
  TestNode node(at(0, 0), {5, 3, 1});
  const auto answer = [&](std::uint32_t operation, std::uint32_t algorithm, Address root) {
    node.bus.call(static_cast<Operation>(operation), static_cast<Algorithm>(algorithm), root, 0, 8,
                  0);
    node.firmware->run();
    return node.bus.results.empty() ? 999U : node.bus.results.back();
  };
  EXPECT_EQ(answer(9, 1, at(0, 0)), static_cast<std::uint32_t>(CallResult::kUnknownOperation));
  EXPECT_EQ(answer(1, 9, at(0, 0)), static_cast<std::uint32_t>(CallResult::kUnknownAlgorithm));
  EXPECT_EQ(answer(1, 1, at(0, 0)), static_cast<std::uint32_t>(CallResult::kDoesNotFit));
  EXPECT_EQ(answer(1, 2, at(5, 0)), static_cast<std::uint32_t>(CallResult::kDoesNotFit));
  EXPECT_EQ(node.bus.results.size(), 4U);
  EXPECT_TRUE(node.bus.queued.empty());
}

TEST(Broadcast, ANodeAloneIsDoneAtOnceAndTakesTheNextCall) {
  TestNode node(at(0, 0), {1, 1, 1});
  for (std::size_t calls = 1; calls <= 3; ++calls) {
    node.bus.call(Operation::kBroadcast, Algorithm::kRecursiveDoubling, at(0, 0), 0, 8, 0);
    node.firmware->run();
    EXPECT_EQ(node.bus.results, std::vector<std::uint32_t>(calls, 0U));
  }
}

TEST(Broadcast, AThousandNodesInOneProcessServeCallAfterCall) {
  const Size size{32, 32, 1};
  std::vector<std::unique_ptr<TestNode>> nodes;
  for (const Address a : nodes_of(size)) nodes.push_back(std::make_unique<TestNode>(a, size));
  for (const auto& node : nodes) node->firmware->run();
  std::size_t calls = 0;
  for (const Address root : {at(0, 0), at(31, 17), at(13, 23)}) {
    for (const Algorithm algorithm : {Algorithm::kEdn, Algorithm::kRecursiveDoubling}) {
      ++calls;
      for (const auto& node : nodes) {
        node->bus.call(Operation::kBroadcast, algorithm, root, 0, 100, 5);
      }
      EXPECT_EQ(deliver(nodes, size), 1023);
      for (const auto& node : nodes) {
        ASSERT_EQ(node->bus.results, std::vector<std::uint32_t>(calls, 0U));
        ASSERT_EQ(node->bus.awaits(), AwaitWhat::kNothing);
      }
    }
  }
}

TEST(Broadcast, FirmwareCanBeThrownAwayInTheMiddleOfACall) {
  TestNode node(at(1, 0), k8x8);
  node.bus.call(Operation::kBroadcast, Algorithm::kEdn, at(1, 0), 0, 8, 0);
  node.firmware->run();
  ASSERT_FALSE(node.bus.queued.empty());
  node.firmware.reset();  // the sanitizers watch
}

}  // namespace
}  // namespace annelid::firmware
