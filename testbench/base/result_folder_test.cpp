// Folders of results: one process at a time, and nothing left that is of no use.
#include "base/result_folder.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "base/input_error.hpp"
#include "testbench/base/scratch.hpp"

namespace annelid {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string error_of(const fs::path& folder) {
  try {
    const ResultFolder second(folder, {"result.json"});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ResultFolder, IsForOneAtATime) {
  const Scratch s;
  {
    const ResultFolder first(s / "out", {"result.json"});
    EXPECT_THAT(error_of(s / "out"), HasSubstr((s / "out").string()));
    EXPECT_THAT(error_of(s / "out"), HasSubstr("another annelid is using"));
    EXPECT_EQ(error_of(s / "other"), "");
    write_file(first.path() / "result.json", "{}");
  }
  EXPECT_EQ(error_of(s / "out"), "");
  EXPECT_THAT(s.names(), ElementsAre("out"));
  EXPECT_THAT(fs::directory_iterator(s / "out")->path().filename(), "result.json");
}

TEST(ResultFolder, IsFreeAgainWhenItsProcessHasBeenKilled) {
  const Scratch s;
  std::array<int, 2> ready{};
  ASSERT_EQ(pipe(ready.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const ResultFolder held(s / "out", {});
    (void)!write(ready[1], "x", 1);
    while (true) pause();
  }
  char x = 0;
  ASSERT_EQ(read(ready[0], &x, 1), 1);
  EXPECT_NE(error_of(s / "out"), "");
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(error_of(s / "out"), "");
}

/// Each of several processes adds to a number in the folder whenever it has the folder.
TEST(ResultFolder, IsForOneOfManyProcessesThatWantItAtOnce) {
  const Scratch s;
  fs::create_directory(s / "out");
  s.put("out/number", "0");
  constexpr int kProcesses = 4, kTimes = 200;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      for (int done = 0; done < kTimes;) {
        try {
          const ResultFolder mine(s / "out", {});
          s.put("out/number", std::to_string(std::stoi(s.text("out/number")) + 1));
          ++done;
        } catch (const InputError&) {  // another has it
        }
      }
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) waitpid(child, nullptr, 0);
  EXPECT_EQ(s.text("out/number"), std::to_string(kProcesses * kTimes));
}

TEST(ResultFolder, VanishesIfNothingWasPutIntoIt) {
  const Scratch s;
  fs::create_directory(s / "users own");
  {
    const ResultFolder a(s / "a/b/c", {"x"}), b(s / "users own", {"x"});
    EXPECT_TRUE(fs::is_directory(s / "a/b/c"));
  }
  EXPECT_THAT(s.names(), ElementsAre("users own"));
  EXPECT_THROW(ResultFolder(s / "d/e", {"a name/that cannot be"}), InputError);
  EXPECT_THAT(s.names(), ElementsAre("users own"));
}

TEST(ResultFolder, CanBeLeftAtOnceButNotByACopyOfTheProcess) {
  const Scratch s;
  const ResultFolder first(s / "a", {"x"}), second(s / "b", {"x"});
  const pid_t child = fork();
  if (child == 0) {
    leave_result_folders();
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_NE(error_of(s / "a"), "");
  EXPECT_NE(error_of(s / "b"), "");
  leave_result_folders();
  EXPECT_THAT(s.names(), IsEmpty());
}

TEST(ResultFolder, RemovesAnOldFileButNoLinkNoPipeAndNoFolder) {
  const Scratch s;
  fs::create_directories(s / "out/folder");
  s.put("out/old", "old");
  s.put("target", "old");
  fs::create_symlink("../target", s / "out/link");
  const ResultFolder folder(s / "out", {});
  for (const char* name : {"old", "link", "folder", "none"}) (void)folder.fresh(name);
  EXPECT_FALSE(fs::exists(s / "out/old"));
  EXPECT_TRUE(fs::is_symlink(s / "out/link"));
  EXPECT_FALSE(fs::exists(s / "target"));
  EXPECT_TRUE(fs::is_directory(s / "out/folder"));
}

}  // namespace
}  // namespace annelid
