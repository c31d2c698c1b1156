// The mailbox: tickets, what the core reads, what the host sees.
#include "nic/call_queue.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace annelid::nic {
namespace {

using Stage = CallQueue::Stage;
using State = CallQueue::State;

constexpr std::uint32_t kValid = 0x80000000;

Call numbered(std::uint32_t number) {
  Call call;
  for (std::uint32_t i = 0; i < reg::kCallWords; ++i) call.words[i] = 100 * number + i;
  return call;
}

TEST(CallQueue, ACallIsSeenFromItsCycleOnAndItsWordsOnceItIsTaken) {
  CallQueue queue;
  EXPECT_EQ(queue.next(), kNever);
  EXPECT_EQ(queue.call(numbered(7), 11), 0u);
  EXPECT_EQ(queue.next(), 11u);
  EXPECT_FALSE(queue.waiting(10));
  EXPECT_EQ(queue.take(10), 0u);
  EXPECT_EQ(queue.state(0), (State{Stage::kWaiting, 0}));
  EXPECT_TRUE(queue.waiting(11));
  EXPECT_EQ(queue.word(3), 0u);
  EXPECT_EQ(queue.take(11), kValid | 0);
  EXPECT_FALSE(queue.waiting(11));
  EXPECT_EQ(queue.state(0), (State{Stage::kTaken, 0}));
  for (std::uint32_t i = 0; i < 15; ++i) EXPECT_EQ(queue.word(i), 700 + i);
  EXPECT_EQ(queue.take(12), 0u);
  EXPECT_EQ(queue.word(3), 703u) << "reading CALL_TICKET without a call leaves the words alone";
  EXPECT_TRUE(queue.finish(5));
  EXPECT_EQ(queue.state(0), (State{Stage::kFinished, 5}));
  EXPECT_EQ(queue.word(3), 703u);
}

TEST(CallQueue, ACallBeforeTheFirstCycleIsSeenInCycle0) {
  CallQueue queue;
  queue.call(numbered(0), 0);
  EXPECT_TRUE(queue.waiting(0));
}

TEST(CallQueue, SeveralAreTakenInOrderAndFinishedInAny) {
  CallQueue queue;
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(queue.call(numbered(i), 5), i);
  EXPECT_EQ(queue.take(5), kValid | 0);
  EXPECT_EQ(queue.take(5), kValid | 1);
  EXPECT_EQ(queue.word(0), 100u);
  EXPECT_FALSE(queue.finish(2u << 16)) << "waits";
  EXPECT_EQ(queue.state(2).stage, Stage::kWaiting);
  EXPECT_TRUE(queue.finish(1u << 16 | 0xFFFF));
  EXPECT_EQ(queue.state(1), (State{Stage::kFinished, 0xFFFF}));
  EXPECT_FALSE(queue.finish(1u << 16)) << "is finished";
  EXPECT_EQ(queue.state(1), (State{Stage::kFinished, 0xFFFF}));
  EXPECT_FALSE(queue.finish(3u << 16)) << "there never was one";
  EXPECT_EQ(queue.state(3), State{});
  EXPECT_EQ(queue.unfinished(), 2u);
  EXPECT_TRUE(queue.finish(0));
  EXPECT_EQ(queue.take(5), kValid | 2);
  EXPECT_TRUE(queue.finish(2u << 16));
  EXPECT_EQ(queue.unfinished(), 0u);
}

TEST(CallQueue, SixteenMayBeUnfinishedTakenOrNot) {
  CallQueue queue;
  for (std::uint32_t i = 0; i < 16; ++i) {
    EXPECT_FALSE(queue.full());
    queue.call(numbered(i), 0);
  }
  EXPECT_TRUE(queue.full());
  EXPECT_THROW(queue.call(numbered(16), 0), std::logic_error);
  EXPECT_EQ(queue.take(0), kValid | 0);
  EXPECT_THROW(queue.call(numbered(16), 0), std::logic_error);
  EXPECT_TRUE(queue.finish(0));
  EXPECT_EQ(queue.call(numbered(16), 0), 16u);
  EXPECT_EQ(queue.state(0).stage, Stage::kFinished) << "the host still sees the result";
}

TEST(CallQueue, ACallThatTheListUnitTakesIsNotTheCoresToFinish) {
  CallQueue queue;
  queue.call(numbered(1), 0);
  queue.call(numbered(2), 5);
  ASSERT_NE(queue.waiting_call(0), nullptr);
  EXPECT_EQ(queue.waiting_call(0)->words[3], 103u);
  EXPECT_EQ(queue.take_unseen(), 0u);
  EXPECT_EQ(queue.waiting_call(4), nullptr) << "the second comes later";
  EXPECT_EQ(queue.word(3), 0u);
  EXPECT_EQ(queue.state(0), (State{Stage::kTaken, 0}));
  EXPECT_FALSE(queue.finish(0));
  EXPECT_EQ(queue.unfinished(), 2u);
  queue.finish_unseen(0, reg::CallResult::kTransferFailed);
  EXPECT_EQ(queue.state(0), (State{Stage::kFinished, 8}));
  EXPECT_EQ(queue.unfinished(), 1u);
  EXPECT_EQ(queue.take(5), kValid | 1);
  EXPECT_TRUE(queue.finish(1u << 16));
}

TEST(CallQueue, TicketsWrapAroundAndSkipNobody) {
  CallQueue queue;
  ASSERT_EQ(queue.call(numbered(0), 0), 0u);  // stays unfinished
  ASSERT_EQ(queue.take(0), kValid | 0);
  for (std::uint32_t i = 1; i < 65536; ++i) {
    ASSERT_EQ(queue.call(numbered(i), 0), i);
    ASSERT_EQ(queue.take(0), kValid | i);
    ASSERT_EQ(queue.word(1), 100 * i + 1);
    ASSERT_TRUE(queue.finish(i << 16 | (i % 9)));
  }
  EXPECT_THROW(queue.call(numbered(0), 0), std::logic_error) << "ticket 0 is still in use";
  EXPECT_EQ(queue.state(65535), (State{Stage::kFinished, 65535 % 9}));
  EXPECT_TRUE(queue.finish(4));
  EXPECT_EQ(queue.call(numbered(0), 0), 0u);
  EXPECT_EQ(queue.state(0), (State{Stage::kWaiting, 0}));
}

}  // namespace
}  // namespace annelid::nic
