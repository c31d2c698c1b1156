// Tasks and the scheduler, apart from any collective.
#include "firmware/platform/node.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "testbench/firmware/support/fake_node.hpp"

namespace annelid::firmware {
namespace {

using reg::CallResult;

class NodeTest : public ::testing::Test, public FakeNode {
 protected:
  std::vector<int> log;
};

Transfer receive_from(Context& me, std::uint8_t x, std::uint32_t tag = 0) {
  return {me, Direction::kReceive, Message{Address{x, 0, 0}, 0, 100, tag, 1}};
}

Task receive_one(Context& me, std::vector<int>& log, std::uint8_t from) {
  const std::uint32_t bytes = co_await receive_from(me, from);
  log.push_back(static_cast<int>(bytes));
  co_return CallResult::kSuccess;
}

Task two_after_each_other(Context& me, std::vector<int>& log) {
  log.push_back(1);
  co_await receive_one(me, log, 3);
  log.push_back(2);
  const CallResult last = co_await receive_one(me, log, 4);
  log.push_back(last == CallResult::kSuccess ? 3 : -1);
  co_return CallResult::kDoesNotFit;
}

TEST_F(NodeTest, KnowsWhereItIsAndHowLargeTheNetworkIs) {
  EXPECT_EQ(node.topology().self(), (Address{1, 2, 0}));
  EXPECT_EQ(node.topology().size(), (Size{8, 4, 1}));
  EXPECT_EQ(node.topology().pid(), 17U);
  EXPECT_EQ(node.topology().nodes(), 32U);
  EXPECT_EQ(node.topology().dims(), 2U);
  EXPECT_EQ(node.topology().ports(), 4U);
  EXPECT_FALSE(node.topology().has_rings());
  EXPECT_FALSE(node.topology().one_port());
  EXPECT_EQ(node.memory_bytes(), FakeBus::kMemoryBytes);
}

TEST_F(NodeTest, ATaskRunsWhenItIsStartedAndATaskThatItAwaitsGoesFirst) {
  Task task = two_after_each_other(me, log);
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

TEST_F(NodeTest, FramesLiveInTheirCallAndAreGivenBack) {
  {
    Task task = two_after_each_other(me, log);
    const std::size_t one = me.frames().blocks_in_use();
    EXPECT_GT(one, 0U);
    task.start();
    EXPECT_GT(me.frames().blocks_in_use(), one);
  }
  EXPECT_EQ(me.frames().blocks_in_use(), 0U);
}

TEST_F(NodeTest, CompletionsWakeTheCoroutinesThatTheyBelongTo) {
  Task a = receive_one(me, log, 1), b = receive_one(me, log, 2);
  a.start();
  b.start();
  bus.complete(true, bus.queued.at(1).id, 22);
  bus.complete(true, bus.queued.at(0).id, 11);
  node.run();  // both in one go
  EXPECT_THAT(log, ::testing::ElementsAre(22, 11));
}

Task both_at_once(Context& me, std::vector<int>& log) {
  Task a = receive_one(me, log, 1), b = receive_one(me, log, 2);
  a.start();
  b.start();
  log.push_back(1);
  co_await a;
  log.push_back(2);
  co_await b;
  log.push_back(3);
  co_return CallResult::kSuccess;
}

TEST_F(NodeTest, TasksThatWereStartedRunBesideTheTaskThatAwaitsThemLater) {
  for (const bool first_one_first : {true, false}) {
    log.clear();
    bus.queued.clear();
    Task task = both_at_once(me, log);
    task.start();
    ASSERT_EQ(bus.queued.size(), 2U);
    bus.complete(true, bus.queued[first_one_first ? 0 : 1].id, 11);
    node.run();
    bus.complete(true, bus.queued[first_one_first ? 1 : 0].id, 22);
    node.run();
    if (first_one_first) {
      EXPECT_THAT(log, ::testing::ElementsAre(1, 11, 2, 22, 3));
    } else {
      EXPECT_THAT(log, ::testing::ElementsAre(1, 11, 22, 2, 3));
    }
  }
}

Task nothing(Context&, std::uintptr_t& deepest) {
  const char here = 0;
  const auto depth = reinterpret_cast<std::uintptr_t>(&here);
  if (deepest == 0 || depth < deepest) deepest = depth;
  co_return CallResult::kSuccess;
}

Task many_times_nothing(Context& me, std::vector<int>& log, std::uintptr_t& first,
                        std::uintptr_t& deepest) {
  for (int i = 0; i < 1000; ++i) {
    co_await nothing(me, deepest);
    if (i == 0) first = deepest;
  }
  log.push_back(1);
  co_return CallResult::kSuccess;
}

TEST(Node, ALoopOfTasksThatNeverWaitDoesNotGrowTheStack) {
  static std::vector<int> log;  // of a function without a place for it
  static std::uintptr_t first = 0, deepest = 0;
  FakeBus bus{Address{1, 2, 0}, Size{8, 4, 1}};
  Node node{Registers(bus), Memory(bus), [](Context& me, std::optional<Task>& task) {
              task.emplace(many_times_nothing(me, log, first, deepest));
              return CallResult::kSuccess;
            }};
  bus.call({});
  node.run();
  EXPECT_THAT(log, ::testing::ElementsAre(1));
  EXPECT_LT(first - deepest, 1024U) << "bytes of stack";
  EXPECT_EQ(bus.results[0], 0U);
}

Task answer(Context& me, std::vector<int>& log) {
  const Transfer late = receive_from(me, 2, 5);
  co_await receive_from(me, 1, 5);
  co_await Transfer(me, Direction::kSend, Message{Address{1, 0, 0}, 0, 8, 6, 2});
  log.push_back(late.await_ready() ? 1 : 0);
  co_return CallResult::kSuccess;
}

TEST_F(NodeTest, ATransferCanBeStartedNowAndAwaitedLater) {
  Task task = answer(me, log);
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

TEST_F(NodeTest, ATaskWithoutRoomTellsNoRoomToTheTaskThatAwaitsIt) {
  std::vector<Task> tasks;
  while (me.frames().blocks_in_use() < FrameArena::kBlocks) {
    tasks.push_back(receive_one(me, log, 1));
  }
  Task refused = receive_one(me, log, 1);
  EXPECT_TRUE(refused.await_ready());
  EXPECT_EQ(refused.await_resume(), CallResult::kNoRoom);
  refused.start();
  EXPECT_TRUE(bus.queued.empty());
}

Task await_counters(Context& me, std::vector<int>& log) {
  co_await counter_reaches(me, me.counter(1), 0);  // is reached already
  log.push_back(0);
  co_await counter_reaches(me, me.counter(1), 2);
  log.push_back(2);
  co_await counter_reaches(me, me.counter(1), 3);
  log.push_back(3);
  co_return CallResult::kSuccess;
}

TEST_F(NodeTest, ACounterThatReachesItsValueWakesTheTaskThatAwaitsIt) {
  // Three receives that nobody awaits, but through the counter that they increment.
  const ReceiveOptions options{.notify = me.counter(1)};
  for (int i = 0; i < 3; ++i) Transfer(me, Message{Address{1, 0, 0}, 0, 8, 0, 1}, options);
  Task first = await_counters(me, log), second = await_counters(me, log);
  first.start();
  second.start();
  EXPECT_THAT(log, ::testing::ElementsAre(0, 0));
  bus.complete(bus.queued[0]);
  node.run();
  EXPECT_EQ(log.size(), 2U);
  bus.complete(bus.queued[1]);
  node.run();
  EXPECT_THAT(log, ::testing::ElementsAre(0, 0, 2, 2));
  bus.complete(bus.queued[2]);
  node.run();
  EXPECT_THAT(log, ::testing::ElementsAre(0, 0, 2, 2, 3, 3));
}

TEST_F(NodeTest, ATaskThatAwaitsACounterMayBeThrownAway) {
  {
    Task task = await_counters(me, log);
    task.start();
  }
  bus.complete(Transfer(me, Direction::kSend, {}).await_ready() ? FakeBus::Descriptor{}
                                                                : bus.queued[0]);
  node.run();  // the sanitizers watch
  EXPECT_THAT(log, ::testing::ElementsAre(0));
}

TEST_F(NodeTest, SaysWhatItWaitsForWhenItFallsAsleep) {
  Task a = receive_one(me, log, 1), b = receive_one(me, log, 2);
  node.run();
  EXPECT_EQ(bus.awaits(), reg::AwaitWhat::kNothing);
  a.start();
  b.start();
  node.run();
  EXPECT_EQ(bus.awaits(), reg::AwaitWhat::kReceive);
  EXPECT_EQ(bus.awaited_node(), (Address{2, 0, 0}));  // one of them
  bus.complete(bus.queued[1]);
  node.run();
  EXPECT_EQ(bus.awaited_node(), (Address{1, 0, 0}));  // the other one
  bus.complete(bus.queued[0]);
  node.run();
  EXPECT_EQ(bus.awaits(), reg::AwaitWhat::kNothing);
}

// ---- Calls -------------------------------------------------------------------------------------

Task wait_for_root(Context& me) {
  const auto from = static_cast<std::uint8_t>(me.call().root());
  co_await receive_from(me, from, me.tag());
  co_return me.call().count() == 0 ? CallResult::kSuccess : CallResult::kDoesNotFit;
}

Task too_large(Context& me) {
  std::array<char, FrameArena::kLargest> much{};
  co_await receive_from(me, static_cast<std::uint8_t>(much[me.tag()]));
  co_return much[me.tag()] == 0 ? CallResult::kSuccess : CallResult::kDoesNotFit;
}

Task starts_too_large(Context& me) { co_return co_await too_large(me); }

Task large(Context& me) {
  std::array<char, FrameArena::kLargest / 2> much{};
  co_await receive_from(me, static_cast<std::uint8_t>(much[me.tag()]));
  co_return CallResult::kDoesNotFit;
}

/// What ROOT says.
CallResult serve_root(Context& me, std::optional<Task>& task) {
  if (me.call().root() == 1) {
    task.emplace(large(me));
  } else if (me.call().root() == 2) {
    task.emplace(too_large(me));
  } else {
    return CallResult::kUnknownAlgorithm;
  }
  return CallResult::kSuccess;
}

/// Takes most of the arena until a message has come.
Task becomes_another(Context& me) {
  std::array<char, FrameArena::kLargest * 3 / 4> much{};
  co_await receive_from(me, static_cast<std::uint8_t>(much[me.tag()]));
  co_await me.served_again(serve_root);
  co_return CallResult::kSuccess;
}

CallResult serve_waits(Context& me, std::optional<Task>& task) {
  switch (static_cast<std::uint32_t>(me.call().operation())) {
    case 1:
      task.emplace(wait_for_root(me));
      return CallResult::kSuccess;
    case 2:
      task.emplace(too_large(me));
      return CallResult::kSuccess;
    case 3:
      task.emplace(starts_too_large(me));
      return CallResult::kSuccess;
    case 4:
      task.emplace(becomes_another(me));
      return CallResult::kSuccess;
    default:
      return CallResult::kUnknownOperation;
  }
}

class CallsTest : public ::testing::Test {
 protected:
  FakeBus bus{Address{1, 2, 0}, Size{8, 4, 1}};
  Node node{Registers(bus), Memory(bus), serve_waits};
  static TestCall wait(std::uint32_t tag, std::uint32_t count = 0) {
    return {.operation = reg::Operation{1}, .root = 3, .count = count, .tag = tag};
  }
};

TEST_F(CallsTest, RunBesideEachOtherAndFinishInAnyOrder) {
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(bus.call(wait(i, i % 2)), i);
  node.run();
  ASSERT_EQ(bus.queued.size(), 5U);
  EXPECT_EQ(node.calls_in_flight(), 5U);
  for (const std::size_t i : {3, 0, 4, 1, 2}) {
    bus.complete(bus.queued[i]);
    node.run();
  }
  EXPECT_THAT(bus.finished, ::testing::ElementsAre(3, 0, 4, 1, 2));
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(bus.results[i], i % 2 == 0 ? 0U : 3U);
  EXPECT_EQ(node.calls_in_flight(), 0U);
}

TEST_F(CallsTest, BeyondTheBoundStayInTheMailboxAndDoNotKeepTheCoreAwake) {
  for (std::uint32_t i = 0; i < Node::kCalls + 3; ++i) bus.call(wait(i));
  node.run();
  EXPECT_EQ(bus.queued.size(), Node::kCalls);
  EXPECT_EQ(bus.waiting_calls(), 3U);
  EXPECT_FALSE(bus.event());
  for (std::size_t i = 0; i < Node::kCalls + 3; ++i) {
    bus.complete(bus.queued.at(i));
    EXPECT_TRUE(bus.event());
    node.run();
    EXPECT_EQ(bus.results.size(), i + 1);
  }
  bus.call(wait(50));
  EXPECT_TRUE(bus.event()) << "a call wakes the core again";
}

TEST_F(CallsTest, HaveCountersOfTheirOwnThatStartAt0) {
  for (std::uint32_t i = 0; i < Node::kCalls; ++i) bus.call(wait(i));
  node.run();
  for (std::uint32_t i = 0; i < reg::kCounters; ++i) bus.write(reg::kCounter + 4 * i, 77);
  for (std::uint32_t calls = 1; calls <= Node::kCalls; ++calls) {
    bus.complete(bus.queued[calls - 1]);
    node.run();
    std::uint32_t cleared = 0;
    for (std::uint32_t i = 0; i < reg::kCounters; ++i) {
      cleared += bus.value(reg::kCounter + 4 * i) == 0 ? 1 : 0;
    }
    EXPECT_EQ(cleared, calls * Context::kCounters);
  }
}

TEST_F(CallsTest, ThatAreUnknownOrOfNoGroupAreRefused) {
  EXPECT_EQ(bus.call({.operation = reg::Operation{9}}), 0U);
  EXPECT_EQ(bus.call({.operation = reg::Operation{1}, .group = 1}), 1U);
  EXPECT_EQ(bus.call({.operation = reg::Operation{1}, .group = 16}), 2U);
  node.run();
  EXPECT_EQ(bus.results[0], static_cast<std::uint32_t>(CallResult::kUnknownOperation));
  EXPECT_EQ(bus.results[1], static_cast<std::uint32_t>(CallResult::kNoSuchGroup));
  EXPECT_EQ(bus.results[2], static_cast<std::uint32_t>(CallResult::kNoSuchGroup));
  EXPECT_EQ(node.calls_in_flight(), 0U);
}

TEST_F(CallsTest, WithoutRoomAreAnsweredSoAndNothingIsSent) {
  for (const std::uint32_t operation : {2U, 3U}) {
    const std::uint32_t ticket = bus.call({.operation = reg::Operation{operation}});
    node.run();
    EXPECT_EQ(bus.results[ticket], static_cast<std::uint32_t>(CallResult::kNoRoom));
  }
  EXPECT_TRUE(bus.queued.empty());
  const std::uint32_t ticket = bus.call(wait(0));
  node.run();
  bus.complete(bus.queued.at(0));
  node.run();
  EXPECT_EQ(bus.results[ticket], 0U) << "and the next call runs";
}

TEST_F(CallsTest, OneThatIsServedAgainHasTheArenaForItself) {
  const std::array kResults = {CallResult::kDoesNotFit, CallResult::kNoRoom,
                               CallResult::kUnknownAlgorithm};
  for (std::uint32_t root = 1; root <= 3; ++root) {
    const std::uint32_t ticket = bus.call({.operation = reg::Operation{4}, .root = root});
    node.run();
    bus.complete(bus.queued.back());
    node.run();
    if (root == 1) {
      EXPECT_EQ(bus.results.count(ticket), 0U) << "it waits";
      bus.complete(bus.queued.back());
      node.run();
    }
    EXPECT_EQ(bus.results[ticket], static_cast<std::uint32_t>(kResults.at(root - 1)));
    EXPECT_EQ(node.calls_in_flight(), 0U);
  }
  EXPECT_EQ(bus.queued.size(), 4U);
}

TEST_F(CallsTest, OneWithAFailedTransferSaysSo) {
  const std::uint32_t failing = bus.call(wait(0)), next = bus.call(wait(1));
  node.run();
  bus.complete(bus.queued[0], 999, true);
  bus.complete(bus.queued[1]);
  node.run();
  EXPECT_EQ(bus.results[failing], static_cast<std::uint32_t>(CallResult::kTransferFailed));
  EXPECT_EQ(bus.results[next], 0U);
  bus.refuse_next(reg::ErrorCause::kBadRange);
  const std::uint32_t refused = bus.call(wait(2));
  node.run();
  EXPECT_EQ(bus.results[refused], static_cast<std::uint32_t>(CallResult::kTransferFailed));
  const std::uint32_t last = bus.call(wait(3));  // the place of a call that failed is clean
  node.run();
  bus.complete(bus.queued.back());
  node.run();
  EXPECT_EQ(bus.results[last], 0U);
}

}  // namespace
}  // namespace annelid::firmware
