// The broadcasts as the host calls them, on fake NICs: order of sends, what the firmware says that
// it waits for, and the bytes at all nodes. Parameter space: algorithm, size, root, group, played
// by core or triggers, order of events.
#include <gmock/gmock.h>

#include <memory>
#include <vector>

#include "firmware/collectives/edn/edn_mesh.hpp"
#include "testbench/firmware/support/fake_network.hpp"
#include "testbench/firmware/support/plan_check.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::AwaitWhat;
using reg::CallResult;
using reg::Operation;

constexpr Size k8x8{8, 8, 1};

TestCall broadcast(Algorithm algorithm, std::uint32_t root, std::uint32_t offset,
                   std::uint32_t bytes, std::uint32_t tag, std::uint32_t by_core = 0) {
  return {.operation = Operation::kBroadcast,
          .algorithm = algorithm,
          .root = root,
          .source = offset,
          .count = bytes,
          .tag = tag,
          .parameter = {by_core}};
}

std::uint32_t pid(Address a, Size size) { return static_cast<std::uint32_t>(index_of(a, size)); }

TEST(Broadcast, TheRootQueuesAStepAtOnceAndTheNextWhenAllOfItHasLeft) {
  const Address root = at(3, 5);
  const Part part = part_of(edn_mesh::kRule, root, k8x8, root);
  TestNode node(root, k8x8);
  node.firmware->run();
  EXPECT_TRUE(node.bus.queued.empty());
  node.bus.call(broadcast(Algorithm::kEdn, pid(root, k8x8), 4096, 777, 42, 1));
  std::size_t done = 0;
  int steps = 0;
  while (node.bus.results.empty()) {
    node.firmware->run();
    ASSERT_GT(node.bus.queued.size(), done);
    const std::size_t end = node.bus.queued.size();
    for (std::size_t i = done; i < end; ++i) {
      const FakeBus::Descriptor& d = node.bus.queued[i];
      EXPECT_FALSE(d.receive);
      EXPECT_EQ(d.peer, part.sends[i].to);
      EXPECT_EQ(d.step, part.sends[i].step);
      EXPECT_EQ(d.step, part.sends[done].step) << "a send of a later step is queued too early";
      EXPECT_EQ(d.offset, 4096U);
      EXPECT_EQ(d.bytes, 777U);
      EXPECT_EQ(d.tag, 42U);
      EXPECT_EQ(d.port, reg::kPortByRoute);
      EXPECT_FALSE(d.held());
    }
    if (end < part.sends.size()) {
      EXPECT_NE(part.sends[end].step, part.sends[done].step) << "part of a step only";
    }
    for (std::size_t i = end; i-- > done;) {
      EXPECT_EQ(node.bus.awaits(), AwaitWhat::kSend);
      EXPECT_EQ(node.bus.awaited_algorithm(), 1U);
      EXPECT_EQ(node.bus.awaited_step(), part.sends[done].step);
      EXPECT_EQ(node.bus.queued.size(), end);
      node.bus.complete(node.bus.queued[i]);
      node.firmware->run();
    }
    done = end;
    ++steps;
    if (done == part.sends.size()) break;
  }
  EXPECT_EQ(done, part.sends.size());
  EXPECT_GE(steps, 2);
  EXPECT_EQ(node.bus.results, (std::map<std::uint32_t, std::uint32_t>{{0, 0}}));
  EXPECT_EQ(node.bus.awaits(), AwaitWhat::kNothing);
}

TEST(Broadcast, AnotherNodePostsItsReceiveAndSendsNothingBeforeTheMessageIsThere) {
  const Address self = at(2, 7), root = at(0, 0);
  const Part part = part_of(edn_mesh::kRule, self, k8x8, root);
  TestNode node(self, k8x8);
  node.bus.call(broadcast(Algorithm::kEdn, 0, 64, 8, 7, 1));
  node.firmware->run();
  ASSERT_EQ(node.bus.queued.size(), 1U);
  const FakeBus::Descriptor receive = node.bus.queued[0];
  EXPECT_TRUE(receive.receive);
  EXPECT_EQ(receive.peer, *part.parent);
  EXPECT_EQ(receive.offset, 64U);
  EXPECT_EQ(receive.bytes, 8U);
  EXPECT_EQ(receive.tag, 7U);
  EXPECT_EQ(node.bus.awaits(), AwaitWhat::kReceive);
  EXPECT_EQ(node.bus.awaited_node(), *part.parent);
  EXPECT_EQ(node.bus.awaited_step(), static_cast<std::uint32_t>(part.receive_step));
  node.firmware->run();  // awake for nothing
  EXPECT_EQ(node.bus.queued.size(), 1U);
  node.bus.complete(receive);
  node.firmware->run();
  ASSERT_GT(node.bus.queued.size(), 1U);
  EXPECT_EQ(node.bus.queued[1].peer, part.sends[0].to);
  EXPECT_EQ(node.bus.awaits(), AwaitWhat::kSend);
}

TEST(Broadcast, ByTriggersTheNicHoldsAllSendsUntilTheMessageAndTheStepsBeforeThem) {
  const Address self = at(2, 7), root = at(0, 0);
  const Part part = part_of(edn_mesh::kRule, self, k8x8, root);
  TestNode node(self, k8x8);
  node.bus.call(broadcast(Algorithm::kEdn, 0, 64, 8, 7));
  node.firmware->run();
  ASSERT_EQ(node.bus.queued.size(), 1 + part.sends.size());
  EXPECT_EQ(node.bus.queued[0].notify, 0U);  // counter 0
  for (std::size_t i = 0; i < part.sends.size(); ++i) {
    const FakeBus::Descriptor& d = node.bus.queued[1 + i];
    EXPECT_EQ(d.peer, part.sends[i].to);
    EXPECT_EQ(d.trigger, 0U);
    const bool is_last = part.sends[i].step == part.sends.back().step;
    EXPECT_EQ(d.notify & 0xFF, is_last ? reg::kNoCounter : 0U) << "no send waits for the last step";
    std::size_t before = 1;  // the receive
    for (const Part::Send& s : part.sends) before += s.step < part.sends[i].step ? 1 : 0;
    EXPECT_EQ(d.threshold, before);
    EXPECT_EQ(d.quiet(), !is_last);
  }
}

TEST(Broadcast, WhatTheFirmwareCannotDoIsAnsweredWithItsReason) {
  TestNode node(at(0, 0), {5, 3, 1});
  const auto answer = [&](const TestCall& call) {
    const std::uint32_t ticket = node.bus.call(call);
    node.firmware->run();
    return node.bus.results.contains(ticket) ? static_cast<CallResult>(node.bus.results[ticket])
                                             : CallResult{999};
  };
  const TestCall good = broadcast(Algorithm::kRecursiveDoubling, 0, 0, 8, 0);
  TestCall bad = good;
  bad.operation = Operation{99};
  EXPECT_EQ(answer(bad), CallResult::kUnknownOperation);
  bad = good;
  bad.algorithm = Algorithm{99};
  EXPECT_EQ(answer(bad), CallResult::kUnknownAlgorithm);
  bad = good;
  bad.algorithm = Algorithm::kEdn;
  EXPECT_EQ(answer(bad), CallResult::kDoesNotFit);
  bad = good;
  bad.group = 1;
  EXPECT_EQ(answer(bad), CallResult::kNoSuchGroup);
  const auto expect_bad = [&](auto change) {
    bad = good;
    change(bad);
    EXPECT_EQ(answer(bad), CallResult::kBadArgument);
  };
  expect_bad([](TestCall& c) { c.root = 15; });
  expect_bad([](TestCall& c) { c.tag = 0x10000; });
  expect_bad([](TestCall& c) { c.type = reg::Type{5}; });
  expect_bad([](TestCall& c) { c.parameter[0] = 2; });
  expect_bad([](TestCall& c) { c.source = FakeBus::kMemoryBytes - 7; });
  expect_bad([](TestCall& c) { c.source = 0xFFFFFFFC; });  // the sum of 32 bits would wrap around
  expect_bad([](TestCall& c) { c.count = FakeBus::kMemoryBytes + 1; });
  expect_bad([](TestCall& c) {
    c.count = 0x20000001;  // 8 bytes each: 32 bits would wrap around
    c.type = reg::Type::kInt64;
  });
  EXPECT_TRUE(node.bus.queued.empty());
}

TEST(Broadcast, ANodeAloneIsDoneAtOnceAndTakesTheNextCall) {
  TestNode node(at(0, 0), {1, 1, 1});
  for (std::size_t calls = 1; calls <= 3; ++calls) {
    node.bus.call(broadcast(Algorithm::kRecursiveDoubling, 0, 0, 8, 0, calls % 2));
    node.firmware->run();
    EXPECT_EQ(node.bus.finished.size(), calls);
    EXPECT_EQ(node.bus.results.rbegin()->second, 0U);
  }
}

/// Broadcasts over ALL, and looks at every byte.
void expect_broadcast(FakeNetwork& network, Algorithm algorithm, std::uint32_t root,
                      std::uint32_t by_core, std::uint32_t bytes) {
  static std::uint32_t value = 1;
  const std::uint32_t offset = 4096 + 64 * (value % 7);
  std::vector<std::uint8_t> data(bytes);
  for (auto& b : data) b = static_cast<std::uint8_t>(value = value * 1664525 + 1013904223);
  network.bus(root).put(offset, data.data(), bytes);
  const std::size_t before = network.records.size();
  network.call_all([&](std::size_t) {
    return broadcast(algorithm, root, offset, bytes, value & 0xFFFF, by_core);
  });
  EXPECT_EQ(network.records.size() - before, network.nodes() - 1);
  EXPECT_EQ(network.unmatched(), 0U);
  for (std::size_t i = 0; i < network.nodes(); ++i) {
    ASSERT_EQ(std::memcmp(network.bus(i).at(offset, bytes), data.data(), bytes), 0) << "node " << i;
    ASSERT_EQ(network.bus(i).awaits(), AwaitWhat::kNothing);
  }
}

TEST(Broadcast, AThousandNodesInOneProcessServeCallAfterCall) {
  const Size size{32, 32, 1};
  FakeNetwork network(size);
  for (const Address root : {at(0, 0), at(31, 17), at(13, 23)}) {
    for (const Algorithm algorithm : {Algorithm::kEdn, Algorithm::kRecursiveDoubling}) {
      for (const std::uint32_t by_core : {0U, 1U}) {
        expect_broadcast(network, algorithm, pid(root, size), by_core, 100);
      }
    }
  }
}

TEST(Broadcast, ReachesEveryNodeFromEveryRootInAnyOrderOfEvents) {
  for (const Size size : {Size{4, 4, 1}, Size{5, 3, 1}, Size{2, 3, 4}}) {
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
      FakeNetwork network(size, seed);
      for (std::uint32_t root = 0; root < network.nodes(); ++root) {
        for (const std::uint32_t by_core : {0U, 1U}) {
          expect_broadcast(network, Algorithm::kRecursiveDoubling, root, by_core, 40 + seed * 8);
          if (size.x == 4) {
            expect_broadcast(network, Algorithm::kEdn, root, by_core, 40 + seed * 8);
          }
        }
      }
    }
  }
}

TEST(Broadcast, SendsTheSameMessagesByCoreAndByTriggers) {
  std::vector<FakeNetwork::Record> sent[2];
  for (const std::uint32_t by_core : {0U, 1U}) {
    FakeNetwork network(k8x8);
    network.call_all(
        [&](std::size_t) { return broadcast(Algorithm::kEdn, 9, 0, 100, 1, by_core); });
    std::sort(network.records.begin(), network.records.end());
    sent[by_core] = network.records;
  }
  EXPECT_EQ(sent[0].size(), 63U);
  EXPECT_EQ(sent[0], sent[1]);
}

TEST(Broadcast, SeveralAtATimeKeepApartByTheirTags) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    FakeNetwork network({4, 4, 1}, seed);
    std::mt19937 random(seed);
    constexpr std::uint32_t kCalls = 12;  // more than run at a time
    for (std::uint32_t c = 0; c < kCalls; ++c) {
      const std::uint32_t root = (5 * c) % 16, data = 1000 + c;
      network.bus(root).put(4096 * c, &data, 4);
      for (std::size_t i = 0; i < network.nodes(); ++i) {
        network.bus(i).call(broadcast(c % 3 == 0 ? Algorithm::kEdn : Algorithm::kRecursiveDoubling,
                                      root, 4096 * c, 4, 500 + c, c % 2));
      }
    }
    EXPECT_EQ(network.run(), 15 * kCalls);
    for (std::size_t i = 0; i < network.nodes(); ++i) {
      for (std::uint32_t c = 0; c < kCalls; ++c) {
        EXPECT_EQ(network.result(i, c), CallResult::kSuccess);
        EXPECT_EQ(network.bus(i).get<std::uint32_t>(4096 * c), 1000 + c);
      }
    }
  }
}

TEST(Broadcast, FirmwareCanBeThrownAwayInTheMiddleOfACall) {
  TestNode node(at(1, 0), k8x8);
  node.bus.call(broadcast(Algorithm::kEdn, 1, 0, 8, 0));
  node.firmware->run();
  ASSERT_FALSE(node.bus.queued.empty());
  node.firmware.reset();  // the sanitizers watch
}

}  // namespace
}  // namespace annelid::firmware
