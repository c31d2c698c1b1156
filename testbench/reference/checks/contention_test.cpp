// The checker itself: known conflicts, known freedom from them, and schedules broken on purpose.
#include "reference/checks/contention.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "reference/costs/latency.hpp"
#include "reference/edn/edn_square.hpp"

namespace annelid::reference {
namespace {

using ::testing::HasSubstr;

Schedule one_step(const std::vector<Message>& messages) { return {{messages}}; }

TEST(Route, TakesXBeforeY) {
  EXPECT_EQ(route({4, 4}, {1, 1}, {3, 0}),
            (std::vector<Channel>{{{1, 1}, {2, 1}}, {{2, 1}, {3, 1}}, {{3, 1}, {3, 0}}}));
  EXPECT_TRUE(route({4, 4}, {2, 2}, {2, 2}).empty());
}

TEST(Contention, TwoMessagesThroughOneChannelConflict) {
  const auto result = contention({8, 8}, one_step({{{0, 0}, {2, 0}, 1}, {{1, 0}, {3, 0}, 1}}));
  ASSERT_EQ(result[0].conflicts.size(), 1u);
  EXPECT_EQ(result[0].conflicts[0].step, 1u);
  EXPECT_EQ(result[0].conflicts[0].channel, (Channel{{1, 0}, {2, 0}}));
  EXPECT_EQ(result[0].max_load, 2);
}

TEST(Contention, OppositeDirectionsAndDifferentStepsDoNotConflict) {
  const Message there{{0, 0}, {3, 0}, 1}, back{{3, 0}, {0, 0}, 1};
  EXPECT_TRUE(contention({8, 8}, one_step({there, back}))[0].conflicts.empty());
  const Schedule two_steps{{{there}, {there}}};
  for (const auto& step : contention({8, 8}, two_steps)) EXPECT_TRUE(step.conflicts.empty());
}

TEST(Contention, TurningMessagesConflictOnlyWhereTheyShareAChannel) {
  // (0,0) -> (1,2) climbs x = 1; (0,1) -> (1,2) joins it there.
  const auto result = contention({8, 8}, one_step({{{0, 0}, {1, 2}, 1}, {{0, 1}, {1, 2}, 1}}));
  ASSERT_EQ(result[0].conflicts.size(), 1u);
  EXPECT_EQ(result[0].conflicts[0].channel, (Channel{{1, 1}, {1, 2}}));
}

TEST(Contention, AnIdealNetworkHasNoneAndEveryNodeOneHopAway) {
  const Network ideal{8, 8, 1, {}, true};
  const auto result = contention(ideal, one_step({{{0, 0}, {7, 7}, 1}, {{0, 0}, {7, 6}, 1}}));
  EXPECT_TRUE(result[0].conflicts.empty());
  EXPECT_EQ(result[0].hops, 2u);
  EXPECT_EQ(result[0].max_load, 1);
  EXPECT_EQ(distance(ideal, {3, 3}, {3, 3}), 0);
  EXPECT_EQ(to_string(ideal), "8x8 ideal");
}

TEST(StepLoads, AreWhatTheListOfConflictsSays) {
  const Network ideal{4, 4, 1, {}, true};
  for (const Network& net :
       {Network{5, 3}, Network{4, 3, 2}, Network{4, 5, 1, {true, true, false}},
        Network{2, 2, 3, {true, true, true}}, Network{7, 1, 1, {true, false, false}}, ideal}) {
    Schedule schedule;
    for (int distance = 0; distance < net.nodes(); ++distance) {  // 0: to itself
      Step& step = schedule.steps.emplace_back();
      for (int from = 0; from < net.nodes(); ++from) {
        step.push_back({node_at(net, from), node_at(net, (from + distance) % net.nodes()), 8});
      }
    }
    schedule.steps.emplace_back();  // of no messages
    StepLoads loads(net);
    const std::vector<StepContention> listed = contention(net, schedule);
    for (std::size_t i = 0; i < listed.size(); ++i) {
      const StepLoad expected{listed[i].conflicts.size(),
                              static_cast<std::uint64_t>(listed[i].max_load)};
      EXPECT_EQ(loads.of(schedule.steps[i]), expected) << to_string(net) << ", step " << i + 1;
    }
  }
  StepLoads loads({2, 2});
  EXPECT_THROW((void)loads.of({{{0, 0}, {2, 0}, 8}}), std::invalid_argument);
}

class BrokenBroadcast : public ::testing::Test {
 protected:
  const Network size_{8, 8};
  const Node root_{2, 0};
  Schedule schedule_ = edn_broadcast(size_, root_, 1);
  std::string violation() { return broadcast_violation(size_, root_, schedule_).value_or("none"); }
};

TEST_F(BrokenBroadcast, TheWholeScheduleIsAccepted) { EXPECT_EQ(violation(), "none"); }

TEST_F(BrokenBroadcast, AMissingMessageIsNoticed) {
  schedule_.steps.back().pop_back();
  EXPECT_THAT(violation(), HasSubstr("is never reached"));
}

TEST_F(BrokenBroadcast, ADuplicatedMessageIsNoticed) {
  schedule_.steps.back().push_back(schedule_.steps.back().front());
  EXPECT_THAT(violation(), HasSubstr("has the message already"));
}

TEST_F(BrokenBroadcast, ASecondDeliveryInALaterStepIsNoticed) {
  schedule_.steps.back().push_back(schedule_.steps.front().front());
  EXPECT_THAT(violation(), HasSubstr("has the message already"));
}

TEST_F(BrokenBroadcast, AMessageBackToTheRootIsNoticed) {
  const Message first = schedule_.steps.front().front();
  schedule_.steps.back().push_back({first.to, root_, 1});
  EXPECT_THAT(violation(), HasSubstr("has the message already"));
}

TEST_F(BrokenBroadcast, ASenderThatIsTooEarlyIsNoticed) {
  std::swap(schedule_.steps[0], schedule_.steps[2]);
  EXPECT_THAT(violation(), HasSubstr("does not hold the message"));
}

TEST_F(BrokenBroadcast, SwappedReceiversConflict) {
  std::uint64_t conflicts = 0;
  std::swap(schedule_.steps[2].front().to, schedule_.steps[2].back().to);
  for (const auto& step : contention(size_, schedule_)) conflicts += step.conflicts.size();
  EXPECT_GT(conflicts, 0u);
}

TEST_F(BrokenBroadcast, AReceiverOutsideTheMeshIsNoticed) {
  schedule_.steps[1].front().to = {8, 0};
  EXPECT_THAT(violation(), HasSubstr("leaves the network"));
}

TEST(Latency, IsHopsPlusFlitsWithOneStageAndNoLinkRegisters) {
  EXPECT_EQ(zero_load_latency(0, 2), 2u);
  EXPECT_EQ(zero_load_latency(5, 3), 8u);
  EXPECT_EQ(zero_load_latency(5, 3, 4, 1), 5u * 5u + 4u + 2u);
}

TEST(Latency, MessagesHaveTwoFlitsMoreThanTheirWords) {
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> table = {
      {0, 2}, {1, 3}, {7, 3}, {8, 3}, {9, 4}, {1 << 20, 131074}};
  for (auto [bytes, flits] : table) EXPECT_EQ(flits_of(bytes), flits) << bytes;
}

}  // namespace
}  // namespace annelid::reference
