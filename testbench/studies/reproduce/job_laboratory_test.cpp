// What a laboratory decides by itself: how many sources, and what the core takes for a schedule.
#include "studies/reproduce/job_laboratory.hpp"

#include <gtest/gtest.h>

#include "studies/reproduce/schedule_core.hpp"

namespace annelid::studies {
namespace {

using reproduction::CoreSchedule;

TEST(JobLaboratory, TakesAsManySourcesAsThePapersUnlessItIsAsked) {
  MeasurementStore store("/nonexistent/store.json", {"build", "0123456789"}, false);
  Progress progress;
  EXPECT_EQ(JobLaboratory(store, {}, progress).sources(), 100);
  JobLaboratory::Options three;
  three.sources = 3;
  EXPECT_EQ(JobLaboratory(store, three, progress).sources(), 3);
}

TEST(ScheduleCore, FindsASchedulesCyclesAgainAndAgain) {
  ScheduleCore core;
  const std::uint64_t trees = core.cycles(CoreSchedule::kTwoTree, 100'000, 54'321);
  EXPECT_GT(trees, 100u);
  EXPECT_LT(trees, 3150u);  // 1.5 us at 2.1 GHz
  const std::uint64_t circulant = core.cycles(CoreSchedule::kCirculant, 100'000, 54'321);
  EXPECT_GT(circulant, trees) << "it finds both the blocks to send and those to receive";
  EXPECT_EQ(core.cycles(CoreSchedule::kTwoTree, 100'000, 54'321), trees);
  ScheduleCore other;
  EXPECT_EQ(other.cycles(CoreSchedule::kCirculant, 100'000, 54'321), circulant);
}

}  // namespace
}  // namespace annelid::studies
