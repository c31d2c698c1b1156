// What squeue and sbatch print, as it is read, and what sbatch is told.
#include "studies/slurm/queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace annelid::studies {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;

TEST(SlurmQueue, IsReadByTask) {
  const auto tasks = parse_tasks(
      "12|1|RUNNING|None\n"
      "12|2|PENDING|Resources\n"
      "12|10|FAILED|NonZeroExitCode\n");
  ASSERT_THAT(tasks, ElementsAre(Key(1), Key(2), Key(10)));
  EXPECT_EQ(tasks.at(2).job, 12u);
  EXPECT_EQ(tasks.at(2).state, "PENDING");
  EXPECT_EQ(tasks.at(2).reason, "Resources");
}

TEST(SlurmQueue, ShowsOfAShareThatWasSubmittedAgainTheLatestTask) {
  for (const char* text : {"9|3|FAILED|NonZeroExitCode\n10|3|RUNNING|None\n",
                           "10|3|RUNNING|None\n9|3|FAILED|NonZeroExitCode\n"}) {
    const auto tasks = parse_tasks(text);
    ASSERT_THAT(tasks, ElementsAre(Key(3)));
    EXPECT_EQ(tasks.at(3).job, 10u) << text;
    EXPECT_EQ(tasks.at(3).state, "RUNNING") << text;
  }
}

TEST(SlurmQueue, HasLinesThatAreNoTasks) {
  EXPECT_THAT(parse_tasks(""), IsEmpty());
  EXPECT_THAT(parse_tasks("squeue: warning\n12|N/A|RUNNING|None\n12|1|RUNNING\n"), IsEmpty());
}

TEST(SlurmTask, IsActiveUntilItHasEnded) {
  for (const char* state : {"PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "SUSPENDED",
                            "REQUEUED", "REQUEUE_HOLD", "A_STATE_OF_TOMORROW"}) {
    EXPECT_TRUE((SlurmTask{1, state, "None"}.active())) << state;
  }
  for (const char* state : {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "PREEMPTED",
                            "BOOT_FAIL", "OUT_OF_MEMORY", "DEADLINE", "REVOKED"}) {
    EXPECT_FALSE((SlurmTask{1, state, "None"}.active())) << state;
  }
}

TEST(SlurmTask, IsLostWithItsNodeAlone) {
  for (const char* state : {"NODE_FAIL", "PREEMPTED", "BOOT_FAIL"}) {
    EXPECT_TRUE((SlurmTask{1, state, "None"}.lost())) << state;
  }
  EXPECT_TRUE((SlurmTask{1, "FAILED", "JobLaunchFailure"}.lost()));
  for (const char* state : {"FAILED", "CANCELLED", "TIMEOUT", "COMPLETED", "RUNNING"}) {
    EXPECT_FALSE((SlurmTask{1, state, "None"}.lost())) << state;
  }
}

TEST(SlurmJob, IsTheNumberThatSbatchPrints) {
  EXPECT_EQ(parse_job("12\n"), 12u);
  EXPECT_EQ(parse_job("12;cluster\n"), 12u);
  EXPECT_EQ(parse_job("sbatch: warning: 3 of your 4 hours are used\n12\n"), 12u);
  EXPECT_EQ(parse_job("sbatch: error: invalid partition specified: nowhere\n"), std::nullopt);
  EXPECT_EQ(parse_job(""), std::nullopt);
}

TEST(SlurmArray, IsNamedByRanges) {
  EXPECT_EQ(array_text({1, 2, 3, 4}), "1-4");
  EXPECT_EQ(array_text({7}), "7");
  EXPECT_EQ(array_text({1, 3, 4, 5, 9, 11, 12}), "1,3-5,9,11-12");
}

}  // namespace
}  // namespace annelid::studies
