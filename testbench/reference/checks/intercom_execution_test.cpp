// The executor of InterCom's schedules finds each rule that is broken. State space: hand-made
// schedules, one rule broken in each; random changes of good schedules.
#include "reference/checks/intercom_execution.hpp"

#include <gmock/gmock.h>

#include "testbench/reference/intercom/calls.hpp"
#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference::intercom {
namespace {

using ::testing::HasSubstr;

/// One stage for each list of steps.
StagedSchedule staged(int ranks, const std::vector<std::vector<std::vector<Transfer>>>& stages,
                      std::vector<int> block_order = {}) {
  StagedSchedule schedule;
  schedule.ranks = ranks;
  schedule.block_order = std::move(block_order);
  for (std::size_t s = 0; s < stages.size(); ++s) {
    for (const auto& transfers : stages[s]) schedule.steps.push_back({s, transfers});
  }
  return schedule;
}

std::string broken(const Call& call, const StagedSchedule& schedule) {
  return execute(call, schedule).violation.value_or("nothing");
}

const Call kBroadcast8{Collective::kBroadcast, 0, {8}};
const Call kCollect8{Collective::kCollect, 0, {8, 8, 8}};
const Call kSum8{Collective::kCombineToOne, 0, {8}};

TEST(IntercomExecution, AcceptsWhatIsRight) {
  EXPECT_EQ(broken(kBroadcast8, staged(3, {{{{0, 2, 0, 8, false}}, {{2, 1, 0, 8, false}}}})),
            "nothing");
  EXPECT_EQ(broken(kSum8, staged(3, {{{{1, 2, 0, 8, true}}, {{2, 0, 0, 8, true}}}})), "nothing");
}

TEST(IntercomExecution, FindsASenderThatHasNothingYet) {
  EXPECT_EQ(broken(kBroadcast8, staged(3, {{{{2, 1, 0, 8, false}}, {{0, 2, 0, 8, false}}}})),
            "step 1, rank 2 to 1, bytes 0 to 8: the sender does not have all of it");
  EXPECT_EQ(broken(kBroadcast8, staged(3, {{{{0, 1, 0, 4, false}, {1, 2, 4, 4, false}}}})),
            "step 1, rank 1 to 2, bytes 4 to 8: the sender does not have all of it");
}

TEST(IntercomExecution, FindsARankThatIsLeftOut) {
  EXPECT_EQ(broken(kBroadcast8, staged(3, {{{{0, 2, 0, 8, false}}}})),
            "rank 1 lacks contributions to its result");
  EXPECT_EQ(broken(kBroadcast8, staged(3, {{{{0, 2, 0, 8, false}}, {{2, 1, 0, 7, false}}}})),
            "rank 1 lacks contributions to its result");
  EXPECT_EQ(broken(kSum8, staged(3, {{{{1, 0, 0, 8, true}}}})),
            "rank 0 lacks contributions to its result");
}

TEST(IntercomExecution, FindsTwoMessagesAtOnePort) {
  EXPECT_THAT(broken(kBroadcast8, staged(3, {{{{0, 2, 0, 8, false}, {0, 1, 0, 8, false}}}})),
              HasSubstr("the port is in use"));
  EXPECT_THAT(broken(kSum8, staged(3, {{{{1, 0, 0, 8, true}, {2, 0, 0, 8, true}}}})),
              HasSubstr("the port is in use"));
}

TEST(IntercomExecution, FindsBytesThatAreSentAndReceivedAtOnce) {
  const Call all{Collective::kCombineToAll, 0, {8}};
  EXPECT_THAT(broken(all, staged(2, {{{{0, 1, 0, 8, true}, {1, 0, 0, 8, true}}}})),
              HasSubstr("the sender receives some of these bytes"));
  EXPECT_THAT(broken(kBroadcast8, staged(3, {{{{0, 1, 0, 8, false}, {1, 2, 0, 8, false}}}})),
              HasSubstr("the sender receives some of these bytes"));
}

TEST(IntercomExecution, FindsAContributionThatCountsTwice) {
  EXPECT_THAT(
      broken(kSum8,
             staged(3, {{{{1, 2, 0, 8, true}}, {{2, 0, 0, 8, true}}, {{1, 0, 0, 8, true}}}})),
      HasSubstr("a contribution would count twice"));
}

TEST(IntercomExecution, FindsAPartialResultThatIsPut) {
  EXPECT_THAT(broken(kSum8, staged(3, {{{{1, 2, 0, 8, true}}, {{2, 0, 0, 8, false}}}})),
              HasSubstr("not all contributions are in"));
}

TEST(IntercomExecution, FindsAnOperandThatIsMissing) {
  EXPECT_THAT(broken(kBroadcast8, staged(2, {{{{0, 1, 0, 8, true}}}})),
              HasSubstr("the receiver has no operand"));
}

TEST(IntercomExecution, FindsAByteThatComesTwiceInAStage) {
  EXPECT_THAT(broken(kBroadcast8, staged(2, {{{{0, 1, 0, 8, false}}, {{0, 1, 0, 8, false}}}})),
              HasSubstr("the receiver gets this twice in a stage"));
  const auto in_two_stages = staged(2, {{{{0, 1, 0, 8, false}}}, {{{0, 1, 0, 8, false}}}});
  EXPECT_EQ(broken(kBroadcast8, in_two_stages), "nothing");
  EXPECT_EQ(execute(kBroadcast8, in_two_stages).most_deliveries, 2);
}

TEST(IntercomExecution, FindsMessagesOfNoRanksOrBytes) {
  for (const Transfer& t : {Transfer{0, 0, 0, 8, false}, Transfer{0, 2, 0, 8, false},
                            Transfer{-1, 1, 0, 8, false}, Transfer{0, 1, 1, 8, false}}) {
    EXPECT_THAT(broken(kBroadcast8, staged(2, {{{t}}})), HasSubstr("no such ranks or bytes"));
  }
  EXPECT_EQ(broken({Collective::kBroadcast, 2, {8}}, staged(2, {})), "root 2 is no rank");
}

TEST(IntercomExecution, FindsBlocksThatAreNotThoseOfAllRanks) {
  EXPECT_THAT(broken(kCollect8, staged(3, {}, {0, 1, 1})), HasSubstr("has rank 1 twice or wrong"));
  EXPECT_THAT(broken(kCollect8, staged(3, {}, {0, 3, 1})), HasSubstr("has rank 3 twice or wrong"));
  EXPECT_THAT(broken(kCollect8, staged(3, {}, {0, 2})), HasSubstr("lacks a rank"));
  EXPECT_THAT(broken(kCollect8, staged(4, {}, {0, 1, 2, 3})), HasSubstr("found 3 counts"));
}

TEST(IntercomExecution, FindsABlockThatIsTakenForAnothersOfTheSameLength) {
  // Two ranks swap their blocks, and each believes that they are in the other order.
  const Call call{Collective::kScatter, 0, {8, 8}};
  EXPECT_EQ(broken(call, staged(2, {{{{0, 1, 8, 8, false}}}}, {0, 1})), "nothing");
  EXPECT_EQ(broken(call, staged(2, {{{{0, 1, 8, 8, false}}}}, {1, 0})),
            "rank 1 lacks contributions to its result");
}

TEST(IntercomExecution, TellsWhetherOperandsKeepTheOrderOfRanks) {
  EXPECT_TRUE(execute(kSum8, staged(3, {{{{2, 1, 0, 8, true}}, {{1, 0, 0, 8, true}}}})).in_order);
  EXPECT_FALSE(execute(kSum8, staged(3, {{{{2, 0, 0, 8, true}}, {{1, 0, 0, 8, true}}}})).in_order);
}

TEST(IntercomExecution, HasALimitOfRanks) {
  EXPECT_THROW(execute(kBroadcast8, staged(kMostExecutedRanks + 1, {})), std::invalid_argument);
}

/// Drops a message, sends it elsewhere, or moves or shortens its bytes.
void change(StagedSchedule& schedule, std::mt19937_64& random) {
  auto& step = schedule.steps[random() % schedule.steps.size()];
  const auto victim = static_cast<std::ptrdiff_t>(random() % step.transfers.size());
  Transfer& t = step.transfers[static_cast<std::size_t>(victim)];
  switch (random() % 5) {
    case 0:
      step.transfers.erase(step.transfers.begin() + victim);
      break;
    case 1:
      t.to = (t.to + 1) % schedule.ranks;
      break;
    case 2:
      t.from = (t.from + 1) % schedule.ranks;
      break;
    case 3:
      t.first += 1;
      break;
    default:
      t.length -= 1;
      break;
  }
}

TEST(IntercomExecution, FindsRandomChangesOfSchedulesThatWasteNoMessage) {
  // Every byte of every message of these is needed.
  const std::uint64_t seed = sample_seed();
  std::cout << "changes drawn with ANNELID_SEED=" << seed << '\n';
  std::mt19937_64 random(seed);
  int changed = 0;
  for (Collective collective : {Collective::kScatter, Collective::kGather, Collective::kCollect,
                                Collective::kDistributedCombine}) {
    for (const auto& sizes : factorizations(12)) {
      for (Nearness nearness : kNearnesses) {
        const Hybrid hybrid{LogicalMesh(sizes, nearness), Template::kLong};
        for (int i = 0; i < 20; ++i, ++changed) {
          const Call call = even_call(collective, 12, static_cast<int>(random() % 12), 16);
          StagedSchedule schedule = schedule_of(call, hybrid);
          change(schedule, random);
          ASSERT_TRUE(execute(call, schedule).violation.has_value()) << shown(call, hybrid);
        }
      }
    }
  }
  EXPECT_EQ(changed, 4 * 8 * 2 * 20);
}

}  // namespace
}  // namespace annelid::reference::intercom
