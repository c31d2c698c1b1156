// PREPARE, START and FREE at one node: what they answer, and what they leave alone. Parameter
// space: room for the list, handles that are new, freed, made again, stale or active, calls that
// cannot be prepared, ordinary transfers beside lists.
#include <gtest/gtest.h>

#include <set>

#include "testbench/firmware/support/fake_node.hpp"
#include "testbench/firmware/support/prepared_network.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

/// A broadcast of node 0 of four by a binomial tree: two sends at the root.
TestCall broadcast() {
  return {.operation = Operation::kBroadcast,
          .algorithm = Algorithm::kBinomial,
          .source = 0x100,
          .count = 8,
          .tag = 5};
}

class HandlesTest : public ::testing::Test {
 protected:
  CallResult answer(const TestCall& call) {
    const std::uint32_t ticket = bus.call(call);
    network[0].firmware->run();
    return network.result(0, ticket);
  }
  CallResult start(std::uint32_t handle) {
    return answer(call_of_handle(Operation::kStart, handle));
  }
  std::uint32_t prepared() {
    EXPECT_EQ(network.prepare(0, broadcast()), CallResult::kSuccess);
    return network.answer(0);
  }
  void plays(std::uint32_t handle, bool does) { bus.set_plays(does ? 1U << handle % 32 : 0); }

  PreparedNetwork network{{2, 2, 1}};
  FakeBus& bus = network.bus(0);
};

TEST_F(HandlesTest, AreNeverZeroAndDifferUntilTheirPlaceWasUsedTwoThousandTimes) {
  std::set<std::uint32_t> seen;
  for (std::uint32_t i = 0; i < 2047; ++i) {
    const std::uint32_t handle = prepared();
    EXPECT_NE(handle, 0U);
    EXPECT_LE(handle, 0xFFFFU);
    EXPECT_EQ(handle % 32, 0U) << "the lowest free place";
    EXPECT_TRUE(seen.insert(handle).second) << handle;
    EXPECT_EQ(network.free(0, handle), CallResult::kSuccess);
  }
  const std::uint32_t again = prepared();
  EXPECT_TRUE(seen.contains(again)) << again;
  EXPECT_NE(again, 0U);
}

TEST_F(HandlesTest, ThirtyTwoAreGivenAway) {
  std::vector<std::uint32_t> handles;
  for (std::uint32_t i = 0; i < 32; ++i) {
    handles.push_back(prepared());
    EXPECT_EQ(handles.back() % 32, i);
  }
  EXPECT_EQ(network.prepare(0, broadcast()), CallResult::kNoRoom);
  EXPECT_EQ(network.answer(0), 0U);
  EXPECT_EQ(network.answer(0, 1), 0U);
  EXPECT_EQ(bus.lists.size(), 32U);
  EXPECT_EQ(network.free(0, handles[17]), CallResult::kSuccess);
  EXPECT_FALSE(bus.lists.contains(17));
  const std::uint32_t again = prepared();
  EXPECT_EQ(again % 32, 17U);
  EXPECT_NE(again, handles[17]);
  EXPECT_EQ(network.free(0, handles[17]), CallResult::kStaleHandle);
  EXPECT_EQ(bus.lists.at(17).handle, again);
}

TEST_F(HandlesTest, OfNoPreparedCallAreStale) {
  for (const std::uint32_t handle : {0U, 1U, 32U, 33U, 0xFFFFU, 0x10020U}) {
    EXPECT_EQ(start(handle), CallResult::kStaleHandle) << handle;
    EXPECT_EQ(network.free(0, handle), CallResult::kStaleHandle) << handle;
  }
  const std::uint32_t handle = prepared();
  EXPECT_EQ(start(handle + 0x10000), CallResult::kStaleHandle);
  EXPECT_EQ(network.free(0, handle + 0x10000), CallResult::kStaleHandle);
  EXPECT_EQ(network.free(0, handle), CallResult::kSuccess);
  EXPECT_EQ(start(handle), CallResult::kStaleHandle);
  EXPECT_EQ(network.free(0, handle), CallResult::kStaleHandle);
}

TEST_F(HandlesTest, OfListsThatPlayAreActive) {
  const std::uint32_t first = prepared(), second = prepared();
  plays(second, true);
  EXPECT_EQ(start(second), CallResult::kCallActive);
  EXPECT_EQ(network.free(0, second), CallResult::kCallActive);
  EXPECT_EQ(bus.lists.size(), 2U);
  EXPECT_EQ(network.free(0, first), CallResult::kSuccess);
  plays(second, false);
  EXPECT_EQ(network.free(0, second), CallResult::kSuccess);
  EXPECT_TRUE(bus.lists.empty());
}

TEST_F(HandlesTest, AListThatHasNoRoomSaysHowMuchItNeeds) {
  EXPECT_EQ(network.prepare(0, broadcast(), 32), CallResult::kNoRoom);
  EXPECT_EQ(network.answer(0), 0U);
  EXPECT_EQ(network.answer(0, 1), 64U) << "two sends";
  EXPECT_TRUE(bus.lists.empty());
  EXPECT_EQ(network.prepare(0, broadcast(), 63), CallResult::kNoRoom);
  EXPECT_EQ(network.prepare(0, broadcast(), 0), CallResult::kNoRoom);
  EXPECT_EQ(network.answer(0, 1), 64U);
  EXPECT_EQ(network.prepare(0, broadcast(), 64), CallResult::kSuccess);
  EXPECT_EQ(network.answer(0, 1), 64U);
}

TEST_F(HandlesTest, NothingOutsideTheRoomIsWritten) {
  for (const std::uint32_t room : {0U, 8U, 32U, 40U, 64U, 72U}) {
    constexpr std::uint32_t kGap = 64;
    const std::vector<std::uint8_t> kept(kGap, 0x5A);
    const std::array<std::uint32_t, 2> around = {PreparedAreas::kList - kGap,
                                                 PreparedAreas::kList + room};
    for (const std::uint32_t at : around) bus.put(at, kept.data(), kGap);
    (void)network.prepare(0, broadcast(), room);
    for (const std::uint32_t at : around) {
      EXPECT_EQ(std::memcmp(bus.at(at, kGap), kept.data(), kGap), 0) << room << ", " << at;
    }
  }
}

TEST_F(HandlesTest, WhatCannotBeAListIsRefused) {
  TestCall call = broadcast();
  const auto refused = [&] { return network.prepare(0, call); };
  for (const Operation operation :
       {Operation::kGroup, Operation::kPartition, Operation::kFormGrid, Operation::kFreeGroup,
        Operation::kQueryGroup, Operation::kPrepare, Operation::kStart, Operation::kFree,
        static_cast<Operation>(static_cast<std::uint32_t>(Operation::kBroadcast) | 0x100)}) {
    call.operation = operation;
    EXPECT_EQ(refused(), CallResult::kUnknownOperation);
  }
  call = broadcast();
  call.algorithm = Algorithm::kRing;
  EXPECT_EQ(refused(), CallResult::kUnknownAlgorithm);
  call = broadcast();
  call.group = 3;
  EXPECT_EQ(refused(), CallResult::kNoSuchGroup);
  call = broadcast();
  call.root = 4;
  EXPECT_EQ(refused(), CallResult::kBadArgument);
  call = {.operation = Operation::kScan,
          .algorithm = Algorithm::kLinearPipeline,
          .target = 0x200,
          .count = 2,
          .type = reg::Type::kUint32,
          .op = 16,
          .tag = 1,
          .scratch = 0x400};
  EXPECT_EQ(refused(), CallResult::kBadArgument) << "the core combines";
  EXPECT_TRUE(bus.lists.empty());
  EXPECT_TRUE(bus.queued.empty());
}

TEST_F(HandlesTest, PrepareChecksItsOwnWords) {
  const TestCall good = prepare_call();
  const auto with = [&](std::uint32_t TestCall::*word, std::uint32_t value) {
    TestCall call = good;
    call.*word = value;
    return answer(call);
  };
  const auto words = broadcast().words();
  bus.put(PreparedAreas::kWords, words.data(), sizeof words);
  bus.put(PreparedAreas::kWords + 8, words.data(), sizeof words);
  constexpr std::uint32_t kEnd = FakeBus::kMemoryBytes;
  EXPECT_EQ(with(&TestCall::source, PreparedAreas::kWords + 2), CallResult::kBadArgument);
  EXPECT_EQ(with(&TestCall::source, kEnd - 56), CallResult::kBadArgument);
  EXPECT_EQ(with(&TestCall::target, PreparedAreas::kAnswer + 2), CallResult::kBadArgument);
  EXPECT_EQ(with(&TestCall::target, kEnd - 4), CallResult::kBadArgument);
  EXPECT_EQ(with(&TestCall::scratch, PreparedAreas::kList + 4), CallResult::kBadArgument);
  EXPECT_EQ(with(&TestCall::count, kEnd - PreparedAreas::kList + 1), CallResult::kBadArgument);
  EXPECT_EQ(with(&TestCall::group, 3), CallResult::kNoSuchGroup);
  EXPECT_TRUE(bus.lists.empty());
  EXPECT_EQ(with(&TestCall::source, PreparedAreas::kWords + 8), CallResult::kSuccess);
}

TEST_F(HandlesTest, ANodeWithNothingToDoHasAListOfOneJoin) {
  TestCall call = broadcast();
  call.parameter[2] = 1U << 8;  // one rank: the others are beyond
  call.operation = Operation::kBarrier;
  call.algorithm = Algorithm::kDissemination;
  PreparedNetwork alone{{1, 1, 1}};
  EXPECT_EQ(alone.prepare(0, call), CallResult::kSuccess);
  EXPECT_EQ(alone.bus(0).lists.at(0).counts, 1U);
  const ListDescriptor join(alone.bus(0), PreparedAreas::kList, false);
  EXPECT_TRUE(join.join);
  EXPECT_TRUE(join.dependencies.empty());
}

TEST_F(HandlesTest, TransfersBesideListsAskForPlaces) {
  const std::uint32_t handle = prepared();
  const auto reads = [&](std::uint32_t offset) {
    return std::count_if(bus.accesses.begin(), bus.accesses.end(),
                         [&](const FakeBus::Access& a) { return !a.write && a.offset == offset; });
  };
  const auto exchange = [&] {
    bus.accesses.clear();
    bus.queued.clear();
    bus.call(
        {.operation = Operation::kSendReceive, .root = 1, .count = 4, .tag = 1, .parameter = {1}});
    network[0].firmware->run();
    EXPECT_EQ(bus.queued.size(), 2U);
    return std::pair(reads(reg::kSendSpace), reads(reg::kRecvSpace));
  };
  EXPECT_EQ(exchange(), std::pair(1L, 1L));
  EXPECT_EQ(network.free(0, handle), CallResult::kSuccess);
  EXPECT_EQ(exchange(), std::pair(0L, 0L));
}

// Lists occupy places that the node's own tables know nothing of.
TEST_F(HandlesTest, ATransferWaitsWhileListsHaveAllOtherPlaces) {
  (void)prepared();
  const auto call = [&](Operation operation, std::uint32_t tag) {
    bus.call({.operation = operation, .root = 1, .count = 4, .tag = tag});
    network[0].firmware->run();
  };
  for (const bool receive : {false, true}) {
    bus.queued.clear();
    const Operation operation = receive ? Operation::kReceive : Operation::kSend;
    call(operation, 1);
    bus.take_places(receive, 63);
    call(operation, 2);
    call(operation, 3);
    ASSERT_EQ(bus.queued.size(), 1U);
    bus.complete(bus.queued[0]);
    network[0].firmware->run();
    ASSERT_EQ(bus.queued.size(), 2U) << "the oldest";
    EXPECT_EQ(bus.queued[1].tag, 2U);
    bus.complete(bus.queued[1]);
    network[0].firmware->run();
    ASSERT_EQ(bus.queued.size(), 3U);
    bus.complete(bus.queued[2]);
    network[0].firmware->run();
    EXPECT_EQ(bus.finished.size() % 3, 1U);
  }
}

TEST_F(HandlesTest, PreparingLeavesACallAloneThatIsUnderWay) {
  bus.call({.operation = Operation::kReceive, .root = 1, .target = 0x40, .count = 4, .tag = 9});
  network[0].firmware->run();
  const std::uint32_t awaited = bus.value(reg::kAwait);
  EXPECT_NE(awaited, 0U);
  (void)prepared();
  EXPECT_EQ(bus.value(reg::kAwait), awaited);
  bus.complete(bus.queued[0]);
  network[0].firmware->run();
  EXPECT_EQ(bus.results.at(0), 0U);
}

}  // namespace
}  // namespace annelid::firmware
