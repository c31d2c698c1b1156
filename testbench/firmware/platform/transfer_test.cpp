#include "firmware/platform/transfer.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <set>
#include <stdexcept>
#include <vector>

#include "testbench/firmware/support/fake_node.hpp"

namespace annelid::firmware {
namespace {

constexpr std::uint32_t kPlaces = TransferTable::kPlaces;

class TransferTest : public ::testing::Test, public FakeNode {
 protected:
  std::unique_ptr<Transfer> start(Direction direction, std::uint32_t tag = 0) {
    return std::make_unique<Transfer>(me, direction, Message{Address{1, 0, 0}, 0, 8, tag, 1});
  }
};

TEST_F(TransferTest, SendsAndReceivesHaveIdsOfTheirOwnThatAreUsedAgain) {
  std::set<std::uint32_t> of_both;
  for (const Direction direction : {Direction::kSend, Direction::kReceive}) {
    bus.queued.clear();
    for (int round = 0; round < 3; ++round) {
      std::vector<std::unique_ptr<Transfer>> all;
      std::set<std::uint32_t> ids;
      for (std::size_t i = 0; i < kPlaces; ++i) {
        all.push_back(start(direction));
        ids.insert(bus.queued.back().id);
        EXPECT_EQ(bus.queued.back().receive, direction == Direction::kReceive);
      }
      EXPECT_EQ(ids.size(), kPlaces);
      of_both.insert(ids.begin(), ids.end());
      for (const std::uint32_t id : ids) bus.complete(direction == Direction::kReceive, id, 8);
      node.run();
      for (const auto& transfer : all) EXPECT_TRUE(transfer->await_ready());
      EXPECT_EQ(node.table(direction).in_use(), 0U);
    }
  }
  EXPECT_EQ(of_both.size(), 2 * kPlaces);
}

TEST_F(TransferTest, OneThatIsAwaitedLateGivesItsLengthAtOnce) {
  const auto transfer = start(Direction::kReceive);
  EXPECT_FALSE(transfer->await_ready());
  bus.complete(true, bus.queued[0].id, 5);
  node.run();
  ASSERT_TRUE(transfer->await_ready());
  EXPECT_EQ(transfer->await_resume(), 5U);
}

TEST_F(TransferTest, AForgottenOneKeepsItsPlaceUntilTheNicHasCompletedIt) {
  start(Direction::kSend).reset();
  const std::uint32_t id = bus.queued[0].id;
  EXPECT_EQ(node.table(Direction::kSend).in_use(), 1U);
  const auto next = start(Direction::kSend);
  EXPECT_NE(bus.queued[1].id, id);
  bus.complete(false, id, 0);
  node.run();
  EXPECT_FALSE(next->await_ready());
  EXPECT_EQ(node.table(Direction::kSend).in_use(), 1U);
}

TEST_F(TransferTest, MoreThanTheNicHasPlacesWaitInOrderForThoseThatAreFreed) {
  for (const Direction direction : {Direction::kSend, Direction::kReceive}) {
    bus.queued.clear();
    std::vector<std::unique_ptr<Transfer>> all;
    for (std::uint32_t tag = 0; tag < kPlaces + 5; ++tag) all.push_back(start(direction, tag));
    EXPECT_EQ(bus.queued.size(), kPlaces);
    all[kPlaces + 1].reset();  // one that was never queued at the NIC can be forgotten too
    bus.complete(bus.queued[7]);
    bus.complete(bus.queued[3]);
    node.run();
    ASSERT_EQ(bus.queued.size(), kPlaces + 2);
    EXPECT_EQ(bus.queued[kPlaces].tag, kPlaces);
    EXPECT_EQ(bus.queued[kPlaces + 1].tag, kPlaces + 2);
    all[kPlaces + 4].reset();  // the last one
    all.push_back(start(direction, 99));
    EXPECT_EQ(bus.queued.size(), kPlaces + 2) << "no overtaking";
    for (std::size_t i = 0; i < bus.queued.size(); ++i) {
      if (i == 3 || i == 7) continue;
      bus.complete(bus.queued[i]);
      node.run();
    }
    ASSERT_EQ(bus.queued.size(), kPlaces + 4);
    EXPECT_EQ(bus.queued[kPlaces + 2].tag, kPlaces + 3);
    EXPECT_EQ(bus.queued[kPlaces + 3].tag, 99U);
    EXPECT_TRUE(all.back()->await_ready());
    EXPECT_EQ(node.table(direction).in_use(), 0U);
  }
}

TEST_F(TransferTest, WhatIsRarelyUsedIsWrittenForThoseThatUseItAndNotLeftToOthers) {
  const Transfer special(me, Message{Address{2, 3, 0}, 64, 48, 7, 1},
                         SendOptions{16, 32, 2, 5, 9, 6});
  const Transfer plain(me, Direction::kSend, Message{Address{2, 3, 0}, 64, 48, 7, 2});
  const Transfer combines(
      me, Message{Address{2, 3, 0}, 64, 48, 7, 1},
      ReceiveOptions{combining_apart(reg::Operator::kMax, reg::Type::kInt64, true), 4096, 8192, 3});
  const Transfer overwrites(me, Direction::kReceive, Message{Address{2, 3, 0}, 64, 48, 7, 2});
  ASSERT_EQ(bus.queued.size(), 4U);
  const auto& d = bus.queued[0];
  EXPECT_THAT((std::vector{d.block, d.stride, d.port, d.trigger, d.threshold, d.notify}),
              ::testing::ElementsAre(16, 32, 2, 5, 9, 6));
  const auto& after = bus.queued[1];
  EXPECT_THAT((std::vector{after.block, after.port, after.trigger, after.notify}),
              ::testing::ElementsAre(0, reg::kPortByRoute, reg::kNoCounter, reg::kNoCounter));
  EXPECT_EQ(bus.queued[2].combine, 0x333U);  // MAX, INT64, message left, operand apart
  EXPECT_EQ(bus.queued[2].operand, 8192U);
  EXPECT_EQ(bus.queued[2].stage, 4096U);
  EXPECT_EQ(bus.queued[2].notify, 3U);
  EXPECT_EQ(bus.queued[3].combine, 0U);
  EXPECT_EQ(bus.queued[3].notify, reg::kNoCounter);
}

TEST_F(TransferTest, OneThatTheNicRefusesFailsAtOnceAndGivesItsPlaceBack) {
  for (const Direction direction : {Direction::kSend, Direction::kReceive}) {
    bus.refuse_next(reg::ErrorCause::kBadRange);
    const auto refused = start(direction);
    EXPECT_TRUE(refused->await_ready());
    EXPECT_EQ(refused->await_resume(), 0U);
    EXPECT_EQ(node.table(direction).in_use(), 0U);
    EXPECT_EQ(bus.value(reg::kError), 0U) << "cleared for the next one";
    const auto next = start(direction);
    EXPECT_FALSE(next->await_ready());
  }
  EXPECT_EQ(bus.queued.size(), 2U);
}

TEST_F(TransferTest, AnErrorOfSomethingElseRefusesNothing) {
  const auto first = start(Direction::kReceive);
  bus.raise_error(reg::ErrorCause::kTooLong, bus.queued[0].id);  // its completion says the rest
  const auto second = start(Direction::kReceive);
  EXPECT_FALSE(first->await_ready());
  EXPECT_FALSE(second->await_ready());
  EXPECT_EQ(bus.value(reg::kError), 0U);
  bus.raise_error(reg::ErrorCause::kBadPacket, 0);
  node.run();
  EXPECT_FALSE(bus.event()) << "an error that nobody clears would keep the core awake";
}

TEST_F(TransferTest, AHeldSendThatFailsWhenItFiresIsNotTakenForARefusedOne) {
  bus.fail_next(reg::ErrorCause::kOverlap);  // its counter is there already
  const Transfer held(me, Message{Address{1, 0, 0}, 0, 8, 0, 1}, SendOptions{.trigger = 2});
  ASSERT_EQ(bus.queued.size(), 1U);
  EXPECT_FALSE(held.await_ready());
  bus.complete(bus.queued[0], 0, true);
  node.run();
  EXPECT_TRUE(held.await_ready());
}

TEST_F(TransferTest, PostedSendsHaveNoEntryAndLeaveHalfOfThePlaces) {
  const SendOptions options{.trigger = 1, .threshold = 1, .notify = 0};
  std::uint32_t posted = 0;
  for (; node.post_room() > 0; ++posted) {
    node.post(me, Message{Address{1, 0, 0}, 0, 8, 0, 1}, options);
    EXPECT_TRUE(bus.queued.back().quiet());
    EXPECT_EQ(bus.queued.back().notify & 0xFF, 0U);
  }
  EXPECT_EQ(posted, kPlaces / 2);
  std::vector<std::unique_ptr<Transfer>> all;
  for (std::uint32_t i = 0; i < kPlaces; ++i) all.push_back(start(Direction::kSend));
  EXPECT_EQ(bus.queued.size(), kPlaces) << "the NIC has no more places than that";
  bus.complete(bus.queued[0]);  // a posted one: nobody is told that a place is free
  all.push_back(start(Direction::kSend, 99));
  EXPECT_EQ(bus.queued.size(), kPlaces) << "no overtaking of those that wait";
  for (std::uint32_t i = 1; i < kPlaces; ++i) bus.complete(bus.queued[i]);
  node.run();
  EXPECT_EQ(bus.value(reg::kCounter), posted);
  ASSERT_EQ(bus.queued.size(), kPlaces + kPlaces / 2 + 1);
  EXPECT_EQ(bus.queued.back().tag, 99U);
}

TEST_F(TransferTest, ACompletionOfNothingStopsTheFirmware) {
  bus.complete(false, 3, 0);
  EXPECT_THAT([&] { node.run(); },
              ::testing::ThrowsMessage<std::logic_error>(::testing::HasSubstr("not under way")));
}

TEST_F(TransferTest, ACompletionWithAnIdThatCannotBeStopsTheFirmware) {
  bus.complete(true, 2 * kPlaces, 0);
  EXPECT_THAT([&] { node.run(); },
              ::testing::ThrowsMessage<std::logic_error>(::testing::HasSubstr("not under way")));
}

}  // namespace
}  // namespace annelid::firmware
