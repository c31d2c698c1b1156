#include "firmware/platform/transfer.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

#include "firmware/platform/node.hpp"
#include "testbench/firmware/fake_bus.hpp"

namespace annelid::firmware {
namespace {

using Direction = Transfer::Direction;

class TransferTest : public ::testing::Test {
 protected:
  std::unique_ptr<Transfer> start(Direction direction) {
    return std::make_unique<Transfer>(node, direction, Message{Address{1, 0, 0}, 0, 8, 0, 1});
  }
  FakeBus bus{Address{0, 0, 0}, Size{2, 1, 1}};
  Node node{Registers(bus)};
};

TEST_F(TransferTest, SendsAndReceivesHaveIdsOfTheirOwnThatAreUsedAgain) {
  for (const Direction direction : {Direction::kSend, Direction::kReceive}) {
    bus.queued.clear();
    for (int round = 0; round < 3; ++round) {
      std::vector<std::unique_ptr<Transfer>> all;
      std::set<std::uint32_t> ids;
      for (std::size_t i = 0; i < TransferTable::kPlaces; ++i) {
        all.push_back(start(direction));
        ids.insert(bus.queued.back().id);
        EXPECT_EQ(bus.queued.back().receive, direction == Direction::kReceive);
      }
      EXPECT_EQ(ids.size(), TransferTable::kPlaces);
      for (const std::uint32_t id : ids) bus.complete(direction == Direction::kReceive, id, 8);
      node.run();
      for (const auto& transfer : all) EXPECT_TRUE(transfer->await_ready());
      EXPECT_EQ(node.transfers(direction).in_use(), 0U);
    }
  }
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
  EXPECT_EQ(node.transfers(Direction::kSend).in_use(), 1U);
  const auto next = start(Direction::kSend);
  EXPECT_NE(bus.queued[1].id, id);
  bus.complete(false, id, 0);
  node.run();
  EXPECT_FALSE(next->await_ready());
  EXPECT_EQ(node.transfers(Direction::kSend).in_use(), 1U);
}

TEST_F(TransferTest, OneMoreThanTheNicHasPlacesStopsTheFirmware) {
  std::vector<std::unique_ptr<Transfer>> all;
  for (std::size_t i = 0; i < TransferTable::kPlaces; ++i) all.push_back(start(Direction::kSend));
  EXPECT_DEATH(start(Direction::kSend), "more transfers under way");
}

TEST_F(TransferTest, ACompletionOfNothingStopsTheFirmware) {
  bus.complete(false, 3, 0);
  EXPECT_DEATH(node.run(), "not under way");
}

TEST_F(TransferTest, ACompletionWithAnIdThatCannotBeStopsTheFirmware) {
  bus.complete(true, 64, 0);
  EXPECT_DEATH(node.run(), "not under way");
}

}  // namespace
}  // namespace annelid::firmware
