// Tasks and the scheduler, apart from any collective.
#include "firmware/platform/node.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "firmware/platform/task.hpp"
#include "testbench/firmware/fake_bus.hpp"

namespace annelid::firmware {
namespace {

using reg::CallResult;

class NodeTest : public ::testing::Test {
 protected:
  FakeBus bus{Address{1, 2, 0}, Size{8, 4, 1}};
  Node node{Registers(bus)};
  std::vector<int> log;
};

Task receive_one(Node& node, std::vector<int>& log, std::uint8_t from) {
  const std::uint32_t bytes = co_await receive(node, {Address{from, 0, 0}, 0, 100, 0, 1});
  log.push_back(static_cast<int>(bytes));
  co_return CallResult::kSuccess;
}

Task two_after_each_other(Node& node, std::vector<int>& log) {
  log.push_back(1);
  co_await receive_one(node, log, 3);
  log.push_back(2);
  const CallResult last = co_await receive_one(node, log, 4);
  log.push_back(last == CallResult::kSuccess ? 3 : -1);
  co_return CallResult::kDoesNotFit;
}

TEST_F(NodeTest, KnowsWhereItIsAndHowLargeTheNetworkIs) {
  EXPECT_EQ(node.self(), (Address{1, 2, 0}));
  EXPECT_EQ(node.size(), (Size{8, 4, 1}));
}

TEST_F(NodeTest, ATaskRunsWhenItIsStartedAndATaskThatItAwaitsGoesFirst) {
  Task task = two_after_each_other(node, log);
  EXPECT_TRUE(log.empty());
  task.start();
  EXPECT_THAT(log, ::testing::ElementsAre(1));
  node.run();  // nothing has happened
  EXPECT_THAT(log, ::testing::ElementsAre(1));
  bus.complete(true, bus.queued.at(0).id, 33);
  node.run();
  EXPECT_THAT(log, ::testing::ElementsAre(1, 33, 2));
  bus.complete(true, bus.queued.at(1).id, 44);
  node.run();
  EXPECT_THAT(log, ::testing::ElementsAre(1, 33, 2, 44, 3));
  EXPECT_EQ(task.await_resume(), CallResult::kDoesNotFit);
}

TEST_F(NodeTest, FramesLiveInTheNodeAndAreGivenBack) {
  {
    Task task = two_after_each_other(node, log);
    EXPECT_EQ(node.frames().in_use(), 1U);
    task.start();
    EXPECT_EQ(node.frames().in_use(), 2U);
  }
  EXPECT_EQ(node.frames().in_use(), 0U);
}

TEST_F(NodeTest, CompletionsWakeTheCoroutinesThatTheyBelongTo) {
  Task a = receive_one(node, log, 1), b = receive_one(node, log, 2);
  a.start();
  b.start();
  bus.complete(true, bus.queued.at(1).id, 22);
  bus.complete(true, bus.queued.at(0).id, 11);
  node.run();  // both in one go
  EXPECT_THAT(log, ::testing::ElementsAre(22, 11));
}

Task answer(Node& node, std::vector<int>& log) {
  const Transfer late = receive(node, {Address{2, 0, 0}, 64, 8, 5, 2});
  co_await receive(node, {Address{1, 0, 0}, 0, 8, 5, 1});
  co_await send(node, {Address{1, 0, 0}, 0, 8, 6, 2});
  log.push_back(late.await_ready() ? 1 : 0);
  co_return CallResult::kSuccess;
}

TEST_F(NodeTest, ATransferCanBeStartedNowAndAwaitedLater) {
  Task task = answer(node, log);
  task.start();
  ASSERT_EQ(bus.queued.size(), 2U);  // both receives are posted before either is awaited
  bus.complete(bus.queued[0]);
  node.run();
  EXPECT_EQ(bus.queued.size(), 2U);
  bus.complete(bus.queued[1]);
  node.run();
  ASSERT_EQ(bus.queued.size(), 3U);
  EXPECT_FALSE(bus.queued[2].receive);
  EXPECT_EQ(bus.queued[2].tag, 6U);
  EXPECT_TRUE(log.empty());
  bus.complete(bus.queued[2]);
  node.run();
  EXPECT_THAT(log, ::testing::ElementsAre(1));
}

TEST_F(NodeTest, OneCoroutineMoreThanThereIsRoomForStopsTheFirmware) {
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < FramePool::kFrames; ++i) tasks.push_back(receive_one(node, log, 1));
  EXPECT_DEATH((void)receive_one(node, log, 1), "no room for a coroutine");
}

}  // namespace
}  // namespace annelid::firmware
