// Combining receives in a NIC: messages go to staging at the full rate, the combine unit follows
// (docs/internals/nic/combining.md). What it computes is tested with the unit.
#include <gtest/gtest.h>

#include "testbench/nic/node5.hpp"

namespace annelid::test {
namespace {

constexpr std::uint32_t kAccumulator = 0x100;
constexpr std::uint32_t kSumInt32 = 0x11;

/// 8 data flits, to be added to the accumulator.
ReceiveOrder combining(Address from, std::uint16_t id) {
  return {from, kAccumulator, 64, 1, id, kSumInt32, 0x1000 + 0x100U * id};
}

/// 16 words: i-th is 1000 (i + 1) in memory.
void fill(LoneNic& bench) {
  for (std::uint32_t i = 0; i < 16; ++i) {
    bench.nic.memory().store(kAccumulator + 4 * i, 1000 * (i + 1), 4);
  }
}
std::uint32_t message_word(std::uint32_t i) {
  return static_cast<std::uint32_t>(words(64)[i / 2] >> i % 2 * 32);
}
void expect_sums(const LoneNic& bench, std::uint32_t messages) {
  for (std::uint32_t i = 0; i < 16; ++i) {
    const std::uint32_t sum = 1000 * (i + 1) + messages * message_word(i);
    EXPECT_EQ(bench.nic.memory().load(kAccumulator + 4 * i, 4), sum) << i;
  }
}

struct Combine : ::testing::Test {
  Combine() { take_completions(*bench.script, taken); }
  LoneNic bench{small_config(), 5};
  std::vector<Taken> taken;
};

// Data flits are consumed in 23..30, started in 24..31, the last result is written in 34.
TEST_F(Combine, FollowsAMessageFlitByFlit) {
  fill(bench);
  receive_at(bench, 0, combining(kEast, 1));
  data(bench, 20, kEast, 1, 64, 0);
  bench.run_until(30);
  EXPECT_EQ(bench.nic.describe_wait(), "receive 1 from 2,1 tag 1 (64 bytes): arriving\nscript\n");
  bench.run_until(32);
  EXPECT_EQ(bench.nic.describe_wait(),
            "receive 1 from 2,1 tag 1 (64 bytes): arrived, being combined\nscript\n");
  bench.run_until(100);
  expect_sums(bench, 1);
  EXPECT_EQ(taken, (std::vector<Taken>{{35, true, 1, 64}}));
  expect_words(bench.nic, 0x1100, 64);
  EXPECT_EQ(bench.log, Texts{"34 received 1"});
  EXPECT_LE(bench.steps, 22U);
}

TEST_F(Combine, OfSeveralChildrenAtOnceTakesFourCyclesMoreForEach) {
  fill(bench);
  const Address from[] = {kEast, kWest, kNorth, kSouth};
  for (std::uint16_t i = 0; i < 4; ++i) {
    receive_at(bench, 0, combining(from[i], i));
    data(bench, 20, from[i], 1, 64, i, 3 - i);  // whatever their port, in the order of go
  }
  bench.run_until(100);
  expect_sums(bench, 4);
  EXPECT_EQ(taken,
            (std::vector<Taken>{
                {35, true, 0, 64}, {39, true, 1, 64}, {43, true, 2, 64}, {47, true, 3, 64}}));
}

TEST_F(Combine, AppliesAnEarlyMessageAfterTheOlderReceives) {
  fill(bench);
  receive_at(bench, 0, combining(kEast, 0));
  receive_at(bench, 0, combining(kWest, 1));
  data(bench, 20, kWest, 1, 64, 1);
  data(bench, 100, kEast, 1, 64, 0);  // started in 104..111
  bench.run_until(200);
  expect_sums(bench, 2);
  EXPECT_EQ(taken, (std::vector<Taken>{{115, true, 0, 64}, {119, true, 1, 64}}));
}

TEST_F(Combine, StartsAsManyFlitsPerCycleAsThereAreLanes) {
  nic::NicConfig config = small_config();
  config.combine_lanes = 1;
  LoneNic slow(config, 5);
  std::vector<Taken> of_slow;
  take_completions(*slow.script, of_slow);
  const Address from[] = {kEast, kWest};
  for (LoneNic* tested : {&slow, &bench}) {
    for (std::uint16_t i = 0; i < 2; ++i) {
      ReceiveOrder order = combining(from[i], i);
      order.offset += 0x100U * i;  // accumulators of their own
      receive_at(*tested, 0, order);
      data(*tested, 20, from[i], 1, 64, i, i);
    }
    tested->run_until(100);
  }
  // One lane: the older one in 24..31, the younger in 32..39.
  EXPECT_EQ(of_slow, (std::vector<Taken>{{35, true, 0, 64}, {43, true, 1, 64}}));
  EXPECT_EQ(taken, (std::vector<Taken>{{35, true, 0, 64}, {35, true, 1, 64}}));
}

TEST_F(Combine, SharesLimitedMemoryAfterTheReceiveEngines) {
  nic::NicConfig config = small_config();
  config.memory_flits = 1;
  LoneNic limited(config, 5);
  std::vector<Taken> of_limited;
  take_completions(*limited.script, of_limited);
  fill(limited);
  receive_at(limited, 0, combining(kEast, 1));
  data(limited, 20, kEast, 1, 64, 0);              // consumed in 23..30, started in 31..38
  send_at(limited, 25, {kWest, 0x800, 64, 2, 2});  // data in 39..46
  limited.run_until(100);
  expect_sums(limited, 1);
  EXPECT_EQ(of_limited, (std::vector<Taken>{{42, true, 1, 64}, {47, false, 2, 64}}));
}

TEST_F(Combine, CompletesWithGamma) {
  nic::NicConfig config = small_config();
  config.gamma = 10;
  LoneNic late(config, 5);
  std::vector<Taken> of_late;
  take_completions(*late.script, of_late);
  receive_at(late, 0, combining(kEast, 1));
  data(late, 20, kEast, 1, 64, 0);
  late.run_until(100);
  EXPECT_EQ(of_late, (std::vector<Taken>{{45, true, 1, 64}}));
}

TEST_F(Combine, TakesEagerMessagesAndThoseOfTheOwnNode) {
  fill(bench);
  const auto message = words(64);
  for (std::uint32_t i = 0; i < 8; ++i) bench.nic.memory().store(0x900 + 8 * i, message[i], 8);
  eager(bench, 10, kEast, 1, 64);
  send_at(bench, 10, {kSelf, 0x900, 64, 1, 7});
  receive_at(bench, 30, combining(kEast, 0));  // delivered in 31..40, started in 34..41
  receive_at(bench, 30, combining(kSelf, 1));  // in 41..50, 44..51
  receive_at(bench, 30, combining(kWest, 2));  // offered first
  ReceiveOrder other = combining(kWest, 3);
  other.tag = 2;
  receive_at(bench, 30, other);
  eager(bench, 60, kWest, 2, 64);    // directly, but behind the older one
  data(bench, 80, kWest, 1, 64, 2);  // started in 84..91
  bench.run_until(200);
  expect_sums(bench, 4);
  EXPECT_EQ(taken, (std::vector<Taken>{{45, true, 0, 64},
                                       {51, false, 7, 64},
                                       {55, true, 1, 64},
                                       {95, true, 2, 64},
                                       {99, true, 3, 64}}));
}

// 0x300 := accumulator + message, staged in 0x300 itself; then the accumulator + a message.
TEST_F(Combine, WithThreeOperandsLeavesTheOperandToOthers) {
  fill(bench);
  ReceiveOrder first = combining(kEast, 1);
  first.operand = kAccumulator;
  first.offset = first.stage = 0x300;
  first.combine = kSumInt32 | 0x200;
  receive_at(bench, 0, first);
  receive_at(bench, 0, combining(kWest, 2));
  data(bench, 20, kWest, 1, 64, 1, 1);  // waits until the older one has read what it writes
  data(bench, 40, kEast, 1, 64, 0);     // consumed in 43..50, started in 44..51
  bench.run_until(100);
  expect_sums(bench, 1);
  for (std::uint32_t i = 0; i < 16; ++i) {
    const std::uint32_t sum = 1000 * (i + 1) + message_word(i);
    EXPECT_EQ(bench.nic.memory().load(0x300 + 4 * i, 4), sum) << i;
  }
  EXPECT_EQ(taken, (std::vector<Taken>{{55, true, 1, 64}, {59, true, 2, 64}}));
}

TEST_F(Combine, OfNothingCompletesLikeAPlainReceive) {
  fill(bench);
  receive_at(bench, 0, combining(kEast, 1));
  receive_at(bench, 0, combining(kWest, 2));
  data(bench, 20, kWest, 1, 64, 1, 1);  // waits for the older one
  data(bench, 40, kEast, 1, 0, 0);      // header and tail consumed in 42
  bench.run_until(100);
  expect_sums(bench, 1);
  EXPECT_EQ(taken, (std::vector<Taken>{{43, true, 1, 0}, {43 + 11, true, 2, 64}}))
      << "the younger starts in 43..50";
}

TEST_F(Combine, AShorterMessageLetsTheYoungerPassItsEnd) {
  fill(bench);
  receive_at(bench, 0, combining(kEast, 1));
  receive_at(bench, 0, combining(kWest, 2));
  data(bench, 20, kWest, 1, 64, 1, 1);
  data(bench, 40, kEast, 1, 12, 0);  // 2 data flits: 43, 44; started in 44, 45; done from 48, 49 on
  bench.run_until(100);
  // The younger: flits 0 in 48, 1 in 49, 2..7 in 50..55.
  EXPECT_EQ(taken, (std::vector<Taken>{{49, true, 1, 12}, {59, true, 2, 64}}));
  for (std::uint32_t i = 0; i < 16; ++i) {
    const std::uint32_t sum = 1000 * (i + 1) + (i < 3 ? 2 : 1) * message_word(i);
    EXPECT_EQ(bench.nic.memory().load(kAccumulator + 4 * i, 4), sum) << i;
  }
}

/// The length of a message, and the error that it is.
struct FailedCombine : ::testing::TestWithParam<std::pair<std::uint32_t, reg::ErrorCause>> {};
INSTANTIATE_TEST_SUITE_P(Of, FailedCombine,
                         ::testing::Values(std::pair{62U, reg::ErrorCause::kBadCombine},
                                           std::pair{68U, reg::ErrorCause::kTooLong}),
                         [](const auto& test) {
                           return std::to_string(test.param.first) + "_bytes";
                         });

TEST_P(FailedCombine, WritesNothingAndHoldsNoOtherUp) {
  const auto [bytes, cause] = GetParam();
  LoneNic bench(small_config(), 5);
  std::vector<Taken> taken;
  take_completions(*bench.script, taken);
  fill(bench);
  receive_at(bench, 0, combining(kEast, 1));
  receive_at(bench, 0, combining(kWest, 2));
  data(bench, 20, kWest, 1, 64, 1, 1);
  data(bench, 40, kEast, 1, bytes, 0);  // known in 42; the younger starts in 43..50
  bench.run_until(100);
  expect_sums(bench, 1);
  ASSERT_EQ(bench.failures.size(), 1U);
  EXPECT_EQ(bench.failures[0].cause, cause);
  const Cycle tail = 40 + 2 + (bytes + 7) / 8;
  EXPECT_EQ(taken, (std::vector<Taken>{{tail + 1, true, 1, bytes, true}, {54, true, 2, 64}}));
  EXPECT_EQ(bench.nic.memory().load(0x1100, 8), 0U) << "nor to staging";
}

TEST_F(Combine, OfAMessageThatIsCutShortStopsAndHoldsNoOtherUp) {
  fill(bench);
  receive_at(bench, 0, combining(kEast, 1));
  receive_at(bench, 0, combining(kWest, 2));
  data(bench, 20, kWest, 1, 64, 1, 1);
  bench.arrive(40, 0, make_packet(kSelf, kEast, 1, make_header(kData, 64, 0, 0), {0}));
  bench.run_until(100);
  ASSERT_EQ(bench.failures.size(), 1U);
  EXPECT_EQ(bench.failures[0].cause, reg::ErrorCause::kBadPacket);
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken[0], (Taken{44, true, 1, 64, true}));
  EXPECT_EQ(taken[1].id, 2U);
  expect_sums(bench, 1);
}

}  // namespace
}  // namespace annelid::test
