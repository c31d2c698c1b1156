// Jobs of a study: which are done again, in which order, and when what they found is written.
#include "studies/common/kept_jobs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

namespace annelid::studies {
namespace {

using ::testing::ElementsAre;

/// Job n takes 10 n seconds, as estimated.
class KeptJobsTest : public ::testing::Test {
 protected:
  KeptStudy study(std::chrono::milliseconds interval) {
    return {.has_result = [this](std::size_t job) { return results_.contains(job); },
            .seconds = [](std::size_t job) { return 10.0 * static_cast<double>(job); },
            .take =
                [this](const EndedWork& ended) {
                  if (ended.status != 0) throw std::runtime_error(ended.text);
                  results_[ended.work] = ended.text;
                  order_.push_back(ended.work);
                },
            .show = [this](std::size_t job) { shown_.push_back(job); },
            .write = [this] { written_.push_back(results_.size()); },
            .interval = interval};
  }

  ForkedJobs copies_{[](std::size_t job) {
                       if (job == 5) throw std::runtime_error("broken");
                       return "result " + std::to_string(job);
                     },
                     1, CopyFor::kManyJobs};
  std::map<std::size_t, std::string> results_;
  std::vector<std::size_t> order_, shown_, written_;
};

TEST_F(KeptJobsTest, BeginWithTheLongestOfThoseWithoutAResult) {
  results_[3] = "known";
  KeptJobs jobs(study(std::chrono::milliseconds(0)));
  jobs.begin({1, 2, 3, 4});
  EXPECT_EQ(jobs.count().ended, 0u);
  EXPECT_EQ(jobs.count().part(), 0);
  const std::vector<std::size_t> missing = jobs.missing();
  EXPECT_THAT(missing, ElementsAre(1, 2, 4));
  EXPECT_EQ(jobs.count().ended, 1u);
  EXPECT_DOUBLE_EQ(jobs.count().part(), 0.3);
  jobs.run(copies_, missing, [](std::size_t job) { return job != 2; });
  EXPECT_THAT(order_, ElementsAre(4, 1));
  EXPECT_EQ(shown_, order_);
  EXPECT_EQ(results_[4], "result 4");
  EXPECT_EQ(results_[3], "known");
  EXPECT_EQ(jobs.count().jobs, 4u);
  EXPECT_EQ(jobs.count().ended, 3u);
  EXPECT_DOUBLE_EQ(jobs.count().part(), 0.8);
}

TEST_F(KeptJobsTest, AreWrittenInTheMeantime) {
  KeptJobs often(study(std::chrono::milliseconds(0)));
  often.run(copies_, {1, 2});
  EXPECT_THAT(written_, ElementsAre(1, 2));
  KeptJobs seldom(study(std::chrono::hours(1)));
  seldom.run(copies_, {3, 4});
  EXPECT_THAT(written_, ElementsAre(1, 2));
}

TEST_F(KeptJobsTest, AreWrittenBehindAStudyThatCannotGoOn) {
  KeptJobs jobs(study(std::chrono::hours(1)));
  EXPECT_THROW(write_behind(
                   [&] {
                     jobs.run(copies_, {5, 6, 7});
                   },
                   [&] { written_.push_back(0); }),
               std::runtime_error);
  EXPECT_THAT(order_, ElementsAre(7, 6));
  EXPECT_THAT(written_, ElementsAre(0));
  EXPECT_EQ(jobs.count().ended, 2u);
}

TEST(JobCount, OfNothingIsNotDone) { EXPECT_EQ(JobCount{}.part(), 0); }

}  // namespace
}  // namespace annelid::studies
