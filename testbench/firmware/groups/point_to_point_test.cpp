// SEND, RECEIVE and SEND_RECEIVE as the host calls them, with CCL's semantics (Bala and others,
// Section 3.1), and the API for which they stand.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "firmware/collectives/collective.hpp"
#include "testbench/firmware/support/fake_network.hpp"
#include "testbench/firmware/support/fake_node.hpp"

namespace annelid::firmware {
namespace {

using reg::Operation;

constexpr Size kSize{3, 2, 1};

TestCall send_call(std::uint32_t to, std::uint32_t source, std::uint32_t count, std::uint32_t tag) {
  return {.operation = Operation::kSend, .root = to, .source = source, .count = count, .tag = tag};
}
TestCall receive_call(std::uint32_t from, std::uint32_t target, std::uint32_t count,
                      std::uint32_t tag) {
  return {
      .operation = Operation::kReceive, .root = from, .target = target, .count = count, .tag = tag};
}

TEST(PointToPoint, AMessageGoesToTheReceiveOfItsSourceAndTagWhateverElseIsThere) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    FakeNetwork network(kSize, seed);
    // Nodes 1..5 send to node 0, which asks for them in the reverse order, two calls from each.
    for (std::uint32_t i = 1; i < 6; ++i) {
      for (std::uint32_t k = 0; k < 2; ++k) {
        const std::uint32_t data = 100 * i + k;
        network.bus(i).put(64 * k, &data, 4);
        network.bus(i).call(send_call(0, 64 * k, 4, k));
      }
    }
    for (std::uint32_t i = 5; i > 0; --i) {
      for (std::uint32_t k = 2; k-- > 0;)
        network.bus(0).call(receive_call(i, 8 * (2 * i + k), 4, k));
    }
    EXPECT_EQ(network.run(), 10);
    for (std::uint32_t i = 1; i < 6; ++i) {
      for (std::uint32_t k = 0; k < 2; ++k) {
        EXPECT_EQ(network.bus(0).get<std::uint32_t>(8 * (2 * i + k)), 100 * i + k);
      }
    }
    for (std::uint32_t c = 0; c < 10; ++c) EXPECT_EQ(network.result(0, c), CallResult::kSuccess);
  }
}

TEST(PointToPoint, MessagesOfAPairAndTagArriveInOrder) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    FakeNetwork network(kSize, seed);
    for (std::uint32_t k = 0; k < 20; ++k) {  // more than are in flight at a time
      network.bus(4).put(64 * k, &k, 4);
      network.bus(4).call(send_call(1, 64 * k, 4, 9));
      network.bus(1).call(receive_call(4, 64 * k, 4, 9));
    }
    EXPECT_EQ(network.run(), 20);
    for (std::uint32_t k = 0; k < 20; ++k) EXPECT_EQ(network.bus(1).get<std::uint32_t>(64 * k), k);
  }
}

TEST(PointToPoint, SendReceiveShiftsAroundACycleWithoutDeadlock) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    FakeNetwork network(kSize, seed, 0);  // each send waits for its receive
    for (std::uint32_t shift = 0; shift < 6; ++shift) {
      for (std::uint32_t i = 0; i < 6; ++i) {
        const std::uint32_t data = 10 * shift + i;
        network.bus(i).put(0, &data, 4);
      }
      network.call_all([&](std::size_t i) {
        const auto rank = static_cast<std::uint32_t>(i);
        return TestCall{.operation = Operation::kSendReceive,
                        .root = (rank + shift) % 6,
                        .source = 0,
                        .target = 64,
                        .count = 1,
                        .type = reg::Type::kInt32,
                        .tag = 3,
                        .parameter = {(rank + 6 - shift) % 6}};
      });
      for (std::uint32_t i = 0; i < 6; ++i) {
        EXPECT_EQ(network.bus(i).get<std::uint32_t>(64), 10 * shift + (i + 6 - shift) % 6);
      }
    }
  }
}

TEST(PointToPoint, AStridedSendGathersItsBlocks) {
  FakeNetwork network(kSize);
  std::vector<std::uint8_t> data(1000);
  std::iota(data.begin(), data.end(), std::uint8_t{0});
  network.bus(0).put(0, data.data(), data.size());
  TestCall strided = send_call(5, 8, 40, 1);
  strided.parameter = {16, 100};
  network.bus(0).call(strided);
  network.bus(5).call(receive_call(0, 0, 40, 1));
  EXPECT_EQ(network.run(), 1);
  for (std::uint32_t i = 0; i < 40; ++i) {
    EXPECT_EQ(network.bus(5).get<std::uint8_t>(i), data[8 + i / 16 * 100 + i % 16]);
  }
}

TEST(PointToPoint, ACombiningReceiveAddsToItsTarget) {
  FakeNetwork network(kSize);
  std::vector<std::uint32_t> data(10), sum(10);
  for (std::uint32_t i = 0; i < 6; ++i) {
    for (std::uint32_t k = 0; k < 10; ++k) sum[k] += data[k] = 1000 * i + k;
    network.bus(i).put(0, data.data(), 40);
  }
  for (std::uint32_t i = 1; i < 6; ++i) {
    network.bus(i).call(send_call(0, 0, 40, i));
    network.bus(0).call({.operation = Operation::kReceive,
                         .root = i,
                         .target = 0,
                         .count = 10,
                         .type = reg::Type::kUint32,
                         .op = 1,
                         .tag = i,
                         .scratch = 100 * i});
  }
  EXPECT_EQ(network.run(), 5);
  for (std::uint32_t k = 0; k < 10; ++k) {
    EXPECT_EQ(network.bus(0).get<std::uint32_t>(4 * k), sum[k]);
  }
}

TEST(PointToPoint, AMessageLongerThanItsReceiveFailsThatCallAlone) {
  FakeNetwork network(kSize);
  network.bus(1).call(send_call(0, 0, 100, 1));
  network.bus(2).call(send_call(0, 0, 50, 1));
  network.bus(0).call(receive_call(1, 0, 99, 1));
  network.bus(0).call(receive_call(2, 200, 99, 1));
  EXPECT_EQ(network.run(), 2);
  EXPECT_EQ(network.result(1, 0), CallResult::kSuccess);
  EXPECT_EQ(network.result(0, 0), CallResult::kTransferFailed);
  EXPECT_EQ(network.result(0, 1), CallResult::kSuccess);
  EXPECT_FALSE(network.bus(0).event());
}

TEST(PointToPoint, BadArgumentsAreRefusedAndNothingIsSent) {
  TestNode node(at(0, 0), kSize);
  const auto expect_bad = [&](TestCall call) {
    const std::uint32_t ticket = node.bus.call(call);
    node.firmware->run();
    EXPECT_EQ(node.bus.results[ticket], static_cast<std::uint32_t>(CallResult::kBadArgument))
        << "call " << ticket;
  };
  constexpr std::uint32_t kEnd = FakeBus::kMemoryBytes;
  expect_bad(send_call(6, 0, 8, 0));
  expect_bad(send_call(0, kEnd, 1, 0));
  expect_bad(send_call(0, 0, kEnd + 1, 0));
  expect_bad(receive_call(6, 0, 8, 0));
  expect_bad(receive_call(0, kEnd - 7, 8, 0));
  const auto strided = [&](std::uint32_t block, std::uint32_t stride, std::uint32_t count) {
    TestCall call = send_call(1, 8, count, 0);
    call.parameter = {block, stride};
    return call;
  };
  expect_bad(strided(12, 16, 40));
  expect_bad(strided(16, 8, 40));
  expect_bad(strided(8, kEnd - 8, 16));          // one byte too far... the second block ends after
  expect_bad(strided(8, 0xFFFFFFF8, 8 * 1000));  // 64 bits are needed here
  const auto combining_receive = [&](reg::Type type, std::uint32_t op, std::uint32_t scratch) {
    TestCall call = receive_call(1, 0, 8, 0);
    call.type = type;
    call.op = op;
    call.scratch = scratch;
    return call;
  };
  expect_bad(combining_receive(reg::Type::kBytes, 1, 64));
  expect_bad(combining_receive(reg::Type::kInt32, 8, 64));
  expect_bad(combining_receive(reg::Type::kInt32, 1, kEnd - 31));
  const auto exchange = [&](std::uint32_t to, std::uint32_t from, std::uint32_t source,
                            std::uint32_t target) {
    return TestCall{.operation = Operation::kSendReceive,
                    .root = to,
                    .source = source,
                    .target = target,
                    .count = 8,
                    .parameter = {from}};
  };
  expect_bad(exchange(6, 0, 0, 8));
  expect_bad(exchange(0, 6, 0, 8));
  expect_bad(exchange(0, 0, kEnd - 7, 0));
  expect_bad(exchange(0, 0, 0, kEnd - 7));
  TestCall unknown = send_call(1, 0, 8, 0);
  unknown.algorithm = reg::Algorithm::kEdn;
  const std::uint32_t ticket = node.bus.call(unknown);
  node.firmware->run();
  EXPECT_EQ(node.bus.results[ticket], static_cast<std::uint32_t>(CallResult::kUnknownAlgorithm));
  EXPECT_TRUE(node.bus.queued.empty());
  node.bus.call(strided(8, kEnd - 16, 16));  // the second block ends with the memory
  node.firmware->run();
  EXPECT_EQ(node.bus.queued.size(), 1U);
}

// ---- The API -----------------------------------------------------------------------------------

class ApiTest : public ::testing::Test, public FakeNode {
 protected:
  Group all = Group::all(node.topology(), node.memory());
  std::vector<std::uint32_t> log;
};

Task exchange(Context& me, const Group& all, std::vector<std::uint32_t>& log) {
  log.push_back(co_await send_receive(me, all, 3, {0, 10}, 4, {64, 20}, 1));
  co_return CallResult::kSuccess;
}

TEST_F(ApiTest, SendReceiveWaitsForBothAndGivesTheLengthReceived) {
  for (const bool send_first : {false, true}) {
    log.clear();
    bus.queued.clear();
    Task task = exchange(me, all, log);
    task.start();
    ASSERT_EQ(bus.queued.size(), 2U);
    EXPECT_TRUE(bus.queued[0].receive) << "the receive is posted first";
    EXPECT_EQ(bus.queued[0].peer, at(4, 0));
    EXPECT_EQ(bus.queued[1].peer, at(3, 0));
    bus.complete(bus.queued[send_first ? 1 : 0], send_first ? 0 : 15);
    node.run();
    EXPECT_TRUE(log.empty());
    bus.complete(bus.queued[send_first ? 0 : 1], send_first ? 15 : 0);
    node.run();
    EXPECT_THAT(log, ::testing::ElementsAre(15));
  }
}

Task batches(Context& me, const Group& all, std::vector<std::uint32_t>& log) {
  Batch<3> batch;
  co_await batch;  // of nothing
  log.push_back(0);
  for (std::uint32_t round = 1; round <= 2; ++round) {
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
      batch.add(me, Direction::kSend, message(me, all.address(rank), {0, 8}, round));
    }
    co_await batch;
    log.push_back(round);
  }
  co_return CallResult::kSuccess;
}

TEST_F(ApiTest, ABatchWaitsForAllOfItAndCanBeFilledAgain) {
  Task task = batches(me, all, log);
  task.start();
  EXPECT_THAT(log, ::testing::ElementsAre(0));
  for (const std::size_t i : {2, 0}) {
    bus.complete(bus.queued.at(i));
    node.run();
    EXPECT_EQ(log.size(), 1U);
  }
  bus.complete(bus.queued.at(1));
  node.run();
  EXPECT_THAT(log, ::testing::ElementsAre(0, 1));
  ASSERT_EQ(bus.queued.size(), 6U);
  for (const std::size_t i : {5, 4, 3}) bus.complete(bus.queued.at(i));
  node.run();
  EXPECT_THAT(log, ::testing::ElementsAre(0, 1, 2));
}

TEST_F(ApiTest, OneMoreThanABatchHasRoomForStopsTheFirmware) {
  Batch<1> batch;
  const Message m = message(me, at(0, 0), {0, 8});
  batch.add(me, Direction::kSend, m);
  EXPECT_THAT([&] { batch.add(me, Direction::kSend, m); },
              ::testing::ThrowsMessage<std::logic_error>(::testing::HasSubstr("batch")));
}

std::int32_t saturating_add(std::int32_t a, std::int32_t b) {
  const std::int64_t sum = std::int64_t{a} + b;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX));
}

TEST_F(ApiTest, AUserOperatorCombinesElementByElementInNodeMemory) {
  const std::int32_t left[] = {1, INT32_MAX, -5}, right[] = {2, 1, 7};
  bus.put(100, left, sizeof left);
  bus.put(200, right, sizeof right);
  const UserOperator op = elementwise<std::int32_t, saturating_add>;
  op(node.memory(), 200, 100, 200, 3);
  EXPECT_EQ(bus.get<std::int32_t>(200), 3);
  EXPECT_EQ(bus.get<std::int32_t>(204), INT32_MAX);
  EXPECT_EQ(bus.get<std::int32_t>(208), 2);
  EXPECT_EQ(bus.get<std::int32_t>(100), 1);
}

}  // namespace
}  // namespace annelid::firmware
