// Long commands that are ended before their time leave no processes and no temporary files behind.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <thread>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

namespace fs = std::filesystem;

/// The parent of a process; 0 if there is none, or if it has ended and waits to be asked for.
pid_t parent_of(const std::string& pid) {
  std::ifstream in("/proc/" + pid + "/stat");
  std::string text;
  std::getline(in, text);
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos || text.at(name_end + 2) == 'Z') return 0;
  return std::stoi(text.substr(name_end + 4));
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    const bool is_process = name.find_first_not_of("0123456789") == std::string::npos;
    if (is_process && parent_of(name) == parent) children.push_back(std::stoi(name));
  }
  return children;
}

bool within_seconds(int seconds, const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

struct Command {
  const char* name;
  std::vector<std::string> arguments;
  bool writes_results = true;
};
void PrintTo(const Command& c, std::ostream* out) { *out << c.name; }

/// annelid, with a folder of its own for temporary files and one for results.
class Interrupted : public ::testing::TestWithParam<Command> {
 protected:
  Interrupted() {
    fs::create_directory(tmp_);
    std::vector<std::string> words = GetParam().arguments;
    words.insert(words.begin(), program());
    if (GetParam().writes_results) words.insert(words.end(), {"--out", out_.string()});
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ != 0) return;
    const int log = open(work_.path("log").c_str(), O_CREAT | O_WRONLY, 0666);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    setenv("TMPDIR", tmp_.c_str(), 1);
    if (chdir(ANNELID_SOURCE_DIR) == 0) execv(argv.front(), argv.data());
    _exit(127);
  }
  ~Interrupted() override {
    if (!ended_) kill(pid_, SIGKILL);
    for (const pid_t child : children_) kill(child, SIGKILL);
  }

  void wait_until_busy() {
    ASSERT_TRUE(within_seconds(120, [&] { return !children_of(pid_).empty(); }))
        << work_.text("log");
    children_ = children_of(pid_);
  }
  /// How it ended, as waitpid() says.
  int end_by(int signal) {
    kill(pid_, signal);
    int how = 0;
    waitpid(pid_, &how, 0);
    ended_ = true;
    return how;
  }
  bool children_are_gone() {
    for (const pid_t child : children_) {
      if (parent_of(std::to_string(child)) != 0) return false;
    }
    return true;
  }
  /// Folders that are there for the time of a run only.
  [[nodiscard]] std::vector<std::string> left_behind() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(tmp_)) names.push_back(entry.path());
    if (!fs::exists(out_)) return names;
    for (const auto& entry : fs::recursive_directory_iterator(out_)) {
      const std::string extension = entry.path().extension();
      if (entry.is_directory() || extension == ".tmp") names.push_back(entry.path());
    }
    return names;
  }
  void expect_nothing_left_by(int signal) {
    wait_until_busy();
    const int how = end_by(signal);
    EXPECT_TRUE(WIFSIGNALED(how) && WTERMSIG(how) == signal) << how << "\n" << work_.text("log");
    EXPECT_TRUE(children_are_gone());
    EXPECT_THAT(left_behind(), ::testing::IsEmpty());
  }

  Workplace work_;
  const fs::path tmp_ = work_.path("tmp"), out_ = work_.path("out");
  pid_t pid_ = 0;
  bool ended_ = false;
  std::vector<pid_t> children_;
};

TEST_P(Interrupted, BySigtermLeavesNoChildAndNoFolder) { expect_nothing_left_by(SIGTERM); }

TEST_P(Interrupted, BySigintLeavesNoChildAndNoFolder) { expect_nothing_left_by(SIGINT); }

TEST_P(Interrupted, BySigkillLeavesNoChild) {
  wait_until_busy();
  end_by(SIGKILL);
  EXPECT_TRUE(within_seconds(30, [&] { return children_are_gone(); }));
}

// Every one of them would take minutes.
INSTANTIATE_TEST_SUITE_P(
    EndToEnd, Interrupted,
    ::testing::Values(Command{"Check", {"check", "--algorithm", "two-tree"}, false},
                      Command{"Tune", {"tune", "--size", "16x16", "--bytes", "64k:1M"}},
                      Command{"Sweep",
                              {"sweep", "scenarios/sweep-vcs.toml", "--set",
                               "traffic.measure=10000000"}},
                      Command{"Reproduce", {"reproduce", "fig3.15"}}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace annelid::end_to_end
