// What a check reports of its jobs: sums over the jobs of an algorithm.
#include <gtest/gtest.h>

#include "studies/check/report.hpp"

namespace annelid::studies {
namespace {

TEST(CheckReport, AddsUpTheWaitsOfAnAlgorithmsJobs) {
  CheckPlan plan;
  plan.jobs.resize(3);
  plan.jobs[0].algorithm = plan.jobs[1].algorithm =
      reference::find_algorithm(reference::Operation::kBroadcast, "edn");
  plan.jobs[2].algorithm = reference::find_algorithm(reference::Operation::kBroadcast, "binomial");
  CheckReport report = CheckReport::of(plan);
  JobResult job;
  job.runs = 1;
  job.stepwise = 5;
  job.depth = 20;
  job.control = 300;
  report.add(plan, 0, job);
  job.contention_free = true;
  report.add(plan, 1, job);
  job.control = 7;
  report.add(plan, 2, job);
  ASSERT_EQ(report.rows.size(), 2u);
  const JobResult& edn = report.rows[0].sum;
  EXPECT_EQ(edn.stepwise, 5u) << "only where the algorithm is not free of contention";
  EXPECT_EQ(edn.depth, 40u);
  EXPECT_EQ(edn.control, 600u);
  EXPECT_EQ(report.rows[1].sum.control, 7u);
}

TEST(CheckReport, AJobsResultComesThroughItsProcessUnchanged) {
  JobResult job;
  job.depth = 20;
  job.control = 300;
  const JobResult read = job_result_of(to_json(job));
  EXPECT_EQ(read.depth, 20u);
  EXPECT_EQ(read.control, 300u);
}

}  // namespace
}  // namespace annelid::studies
