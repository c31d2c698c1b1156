// Expressions over blocks, and the check of data flows: each rule broken once. State space: three
// to five ranks, one or two parts.
#include "reference/schedule/data_flow.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace annelid::reference {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using InOrder = Combinations::Run;

TEST(Combinations, KnowWhoseBlocksAreInOrder) {
  Combinations c(4);
  const int low = c.combine(0, 1), high = c.combine(2, 3);
  EXPECT_EQ(c.in_order(c.combine(low, high)), (InOrder{0, 4}));
  EXPECT_EQ(c.in_order(high), (InOrder{2, 4}));
  EXPECT_EQ(c.in_order(c.combine(high, low)), std::nullopt);
  EXPECT_EQ(c.in_order(c.combine(0, 2)), std::nullopt);
  EXPECT_EQ(c.in_order(c.combine(c.combine(0, 2), 3)), std::nullopt);
  EXPECT_THAT(c.operands_of(c.combine(high, low)), ElementsAre(2, 3, 0, 1));
}

TEST(Combinations, TheSameOperandsMakeTheSameValueAndNothingIsNeutral) {
  Combinations c(3);
  EXPECT_EQ(c.combine(0, 1), c.combine(0, 1));
  EXPECT_NE(c.combine(0, 1), c.combine(1, 0));
  EXPECT_EQ(c.combine(Combinations::kNone, 2), 2);
  EXPECT_EQ(c.combine(2, Combinations::kNone), 2);
}

TEST(Combinations, AreEvaluatedOnlyWhereWanted) {
  Combinations c(3);
  const int wanted = c.combine(c.combine(2, 1), 2);
  c.combine(0, 1);
  int own = 0;
  const auto values = c.evaluated<std::string>(
      {wanted}, [&](int r) { return ++own, std::to_string(r); },
      [](const std::string& left, const std::string& right) { return left + right; });
  EXPECT_EQ(values[static_cast<std::size_t>(wanted)], "212");
  EXPECT_EQ(own, 2);
}

/// 1 -> 0, then 2 -> 0 in two packets: at rank 0 the blocks of all.
DataFlow good() {
  DataFlow flow(3, 2);
  flow.send(1, {1, 0, 0, 2, 1});
  flow.send(Stream{.from = 2, .to = 0, .step = 2, .period = 3, .first = 0, .end = 2, .value = 2});
  flow.results.push_back({0, 1, 0, 2, flow.values.combine(flow.values.combine(0, 1), 2)});
  return flow;
}

std::string found(const DataFlow& flow) { return violation(flow).value_or("nothing"); }

TEST(DataFlow, StreamsSendAPacketAPeriod) {
  const DataFlow flow = good();
  ASSERT_EQ(flow.steps.size(), 5u);
  EXPECT_EQ(flow.steps[1].size(), 1u);
  EXPECT_EQ(flow.steps[1][0].first, 0u);
  EXPECT_TRUE(flow.steps[2].empty() && flow.steps[3].empty());
  EXPECT_EQ(flow.steps[4][0].first, 1u);
  EXPECT_EQ(flow.steps[4][0].end, 2u);
}

TEST(Violation, IsNotFoundWhereThereIsNone) { EXPECT_EQ(found(good()), "nothing"); }

TEST(Violation, IsASenderThatCannotHaveWhatItSends) {
  DataFlow flow = good();
  flow.steps[0][0].value = 2;
  EXPECT_THAT(found(flow), HasSubstr("step 1: rank 1 -> 0: the sender cannot have part 0"));
}

TEST(Violation, IsAValueThatComesInTheStepInWhichItIsSent) {
  DataFlow flow(3, 1);
  const int both = flow.values.combine(0, 1);
  flow.send(2, {1, 0, 0, 1, 1});
  flow.send(2, {0, 2, 0, 1, both});
  EXPECT_THAT(found(flow), HasSubstr("step 2: rank 0 -> 2: the sender cannot have"));
}

TEST(Violation, IsAPartThatCameWithoutTheOther) {
  DataFlow flow(3, 2);
  flow.send(1, {1, 0, 0, 1, 1});
  flow.send(2, {0, 2, 0, 2, 1});
  EXPECT_THAT(found(flow), HasSubstr("step 2: rank 0 -> 2: the sender cannot have part 1"));
}

TEST(Violation, IsAResultThatDidNotArrive) {
  DataFlow flow = good();
  flow.steps[4].clear();
  EXPECT_EQ(found(flow), "rank 0 cannot have part 1 of its result");
}

TEST(Violation, IsAResultThatOneOfItsRanksDoesNotHave) {
  DataFlow flow(3, 1);
  flow.send(1, {0, 1, 0, 1, 0});
  flow.results.push_back({0, 3, 0, 1, 0});
  EXPECT_EQ(found(flow), "rank 2 cannot have part 0 of its result");
}

TEST(Violation, IsABlockThatIsInAResultTwice) {
  DataFlow flow = good();
  flow.results[0].value = flow.values.combine(flow.results[0].value, 1);
  EXPECT_EQ(found(flow), "the block of rank 1 is in a result twice");
}

TEST(Violation, IsAMessageThatLeavesTheRanksOrTheParts) {
  for (const FlowMessage& bad :
       {FlowMessage{0, 3, 0, 1, 0}, FlowMessage{-1, 0, 0, 1, 0}, FlowMessage{1, 1, 0, 1, 1},
        FlowMessage{0, 1, 0, 3, 0}, FlowMessage{0, 1, 2, 1, 0}}) {
    DataFlow flow = good();
    flow.send(1, bad);
    EXPECT_THAT(found(flow), HasSubstr("is no message between two ranks"));
  }
}

}  // namespace
}  // namespace annelid::reference
