// Programs and copies of this one: what they give back, and what is left when a signal comes.
#include "base/child_process.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <iostream>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/forked_jobs.hpp"

namespace annelid {
namespace {

using ::testing::HasSubstr;

bool has_children() { return waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD; }

/// Longer than a pipe would hold, for the second job.
std::string result_of(std::size_t job) {
  std::string text(100'000 * job, 'x');
  text += std::to_string(job);
  return text;
}

class JobsInCopies : public ::testing::TestWithParam<CopyFor> {};

INSTANTIATE_TEST_SUITE_P(For, JobsInCopies, ::testing::Values(CopyFor::kOneJob, CopyFor::kManyJobs),
                         [](const ::testing::TestParamInfo<CopyFor>& copies) {
                           return copies.param == CopyFor::kOneJob ? "OneJob" : "ManyJobs";
                         });

TEST_P(JobsInCopies, GiveBackTheResultOrWhatWasPrintedAndThrown) {
  ForkedJobs jobs(
      [](std::size_t job) -> std::string {
        std::cout << "printed " << job << std::endl;
        if (job == 2) throw std::runtime_error("thrown");
        if (job == 3) raise(SIGKILL);
        return result_of(job);
      },
      2, GetParam());
  constexpr std::array<std::size_t, 4> kOrder = {3, 0, 2, 1};
  std::map<std::size_t, EndedWork> ended;
  jobs.run(kOrder, [&](const EndedWork& e) { ended[e.work] = e; });
  ASSERT_EQ(ended.size(), 4u);
  EXPECT_EQ(ended[0].text, result_of(0));
  EXPECT_EQ(ended[1].text, result_of(1));
  EXPECT_EQ(ended[2].text, "printed 2\nthrown\n");
  EXPECT_EQ(ended[3].text, "printed 3\n");
  EXPECT_EQ(ended[1].status, 0);
  EXPECT_EQ(ended[2].status, 1);
  EXPECT_EQ(ended[3].status, 128 + SIGKILL);
  EXPECT_FALSE(has_children());
}

TEST(HeldSignals, EndASleepAtOnce) {
  const HeldSignals held;
  held.sleep(std::chrono::milliseconds{1});  // nothing comes
  raise(SIGTERM);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW(held.sleep(std::chrono::seconds{60}), Interrupted);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds{30});
}

TEST_P(JobsInCopies, LeaveOutWhatIsNotWantedWhenItsTurnComes) {
  ForkedJobs jobs([](std::size_t job) { return result_of(job); }, 1, GetParam());
  constexpr std::array<std::size_t, 3> kOrder = {0, 1, 2};
  std::vector<std::size_t> ended;
  jobs.run(
      kOrder, [&](const EndedWork& e) { ended.push_back(e.work); },
      [&](std::size_t job) { return job != 1 || ended.empty(); });  // 0 has ended then
  EXPECT_EQ(ended, (std::vector<std::size_t>{0, 2}));
}

/// The jobs that the copy has done before this one, in a copy that does job 4 badly.
std::vector<std::string> done_before(CopyFor copy_for) {
  std::string done;
  ForkedJobs jobs(
      [&](std::size_t job) {
        if (job == 4) throw std::runtime_error("thrown");
        return done += std::to_string(job);
      },
      1, copy_for);
  constexpr std::array<std::size_t, 7> kOrder = {0, 1, 2, 3, 4, 5, 6};
  std::vector<std::string> texts;
  jobs.run(kOrder, [&](const EndedWork& e) { texts.push_back(e.text); });
  EXPECT_FALSE(has_children());
  return texts;
}

TEST(ForkedJobs, BeginInANewCopyOrWhereOthersHaveEndedWell) {
  EXPECT_EQ(done_before(CopyFor::kOneJob),
            (std::vector<std::string>{"0", "1", "2", "3", "thrown\n", "5", "6"}));
  EXPECT_EQ(done_before(CopyFor::kManyJobs),
            (std::vector<std::string>{"0", "01", "012", "0123", "thrown\n", "5", "56"}));
}

TEST(ForkedJobs, OfALaterRunKnowWhatIsKnownThen) {
  std::string known = "first";
  ForkedJobs jobs([&](std::size_t) { return known; }, 2, CopyFor::kManyJobs);
  std::vector<std::string> texts;
  constexpr std::array<std::size_t, 1> kOrder = {0};
  jobs.run(kOrder, [&](const EndedWork& e) { texts.push_back(e.text); });
  known = "second";
  jobs.run(kOrder, [&](const EndedWork& e) { texts.push_back(e.text); });
  EXPECT_EQ(texts, (std::vector<std::string>{"first", "second"}));
}

TEST_P(JobsInCopies, AreManyMoreThanTheCopies) {
  std::vector<std::size_t> order(60);
  std::iota(order.begin(), order.end(), 0);
  ForkedJobs jobs(
      [](std::size_t job) -> std::string {
        if (job % 20 == 7) raise(SIGKILL);
        return std::to_string(job);
      },
      3, GetParam());
  std::set<std::size_t> ended, killed;
  jobs.run(order, [&](const EndedWork& e) {
    ended.insert(e.work);
    if (e.status == 128 + SIGKILL) return void(killed.insert(e.work));
    EXPECT_EQ(e.status, 0);
    EXPECT_EQ(e.text, std::to_string(e.work));
  });
  EXPECT_EQ(ended.size(), order.size());
  EXPECT_EQ(killed, (std::set<std::size_t>{7, 27, 47}));
  EXPECT_FALSE(has_children());
}

/// Job 0 sends the signal to its parent; the others do not end by themselves.
bool interrupted_by(int signal, CopyFor copy_for) {
  ForkedJobs jobs(
      [&](std::size_t job) -> std::string {
        if (job == 0) kill(getppid(), signal);
        while (job != 0) pause();
        return "";
      },
      3, copy_for);
  try {
    constexpr std::array<std::size_t, 4> kOrder = {1, 2, 0, 3};
    jobs.run(kOrder, [](const EndedWork&) {});
  } catch (const Interrupted& interrupted) {
    return interrupted.signal == signal;
  }
  return false;
}

TEST_P(JobsInCopies, EndWhenASignalComes) {
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    ::signal(signal, SIG_DFL);  // whoever runs the tests may ignore it, as nohup does
    EXPECT_TRUE(interrupted_by(signal, GetParam())) << signal;
    EXPECT_FALSE(has_children()) << signal;
  }
}

TEST_P(JobsInCopies, GoOnWhenASignalIsIgnored) {
  signal(SIGHUP, SIG_IGN);  // as nohup does
  ForkedJobs jobs(
      [](std::size_t) {
        kill(getppid(), SIGHUP);
        return std::string("done");
      },
      1, GetParam());
  constexpr std::array<std::size_t, 2> kOrder = {0, 1};
  int done = 0;
  jobs.run(kOrder, [&](const EndedWork& e) { done += e.text == "done" ? 1 : 0; });
  EXPECT_EQ(done, 2);
}

TEST(RunProgram, GivesBackWhatTheProgramSaysAndHowItEnded) {
  const EndedProgram ended = run_child("sh", {"-c", "pwd; echo said >&2; exit 7"}, "/");
  EXPECT_EQ(ended.status, 7);
  EXPECT_EQ(ended.text, "/\nsaid\n");
  try {
    run_child("annelid-has-no-such-program", {});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("annelid-has-no-such-program: No such file"));
  }
  EXPECT_FALSE(has_children());
}

}  // namespace
}  // namespace annelid
