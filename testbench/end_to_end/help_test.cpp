// What a user can look up: --help, and the keys of scenarios.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Help, NamesEveryCommandAndShowsExamples) {
  const Workplace w;
  const Outcome program = w.annelid("--help"), run = w.annelid("run --help");
  EXPECT_EQ(program.status, 0);
  EXPECT_THAT(program.out, HasSubstr("run"));
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, AllOf(HasSubstr("Examples:"), HasSubstr("--rtl"), HasSubstr("Exit status")));
}

TEST(Help, IsTheSameOfACommandAndOfTheCommandHelp) {
  const Workplace w;
  for (const char* command : {"", "run", "firmware", "firmware run", "help"}) {
    const Outcome option = w.annelid(std::string(command) + " --help");
    const Outcome help = w.annelid(std::string("help ") + command);
    EXPECT_EQ(help.status, 0) << command << ": " << help.err;
    EXPECT_EQ(help.out, option.out);
    EXPECT_THAT(help.out, HasSubstr("Usage: annelid")) << command;
  }
}

TEST(Help, HasLinesOfAtMost100Columns) {
  const Workplace w;
  for (const char* command : {"run", "traffic", "firmware run", "check", "tune", "keys"}) {
    std::istringstream help(w.annelid(std::string(command) + " --help").out);
    for (std::string line; std::getline(help, line);) {
      if (line.starts_with("  annelid ")) continue;  // an example, to be copied
      EXPECT_LE(line.size(), 100U) << command << ": " << line;
    }
  }
}

TEST(Version, NamesTheCommitThatTheBuildKnows) {
  const Workplace w;
  const std::filesystem::path built = program();
  std::filesystem::create_directories(w.path("cli"));
  std::filesystem::copy_file(built, w.path("cli/annelid"));
  std::filesystem::create_directories(w.path("share/annelid"));
  w.file("share/annelid/commit", "0123456789 changed\n");
  EXPECT_THAT(w.shell("cli/annelid --version").out,
              ContainsRegex("^annelid [0-9.]+ \\(commit 0123456789 with changes\\)\n"));
  w.file("share/annelid/commit", "0123456789 clean\n");
  EXPECT_THAT(w.shell("cli/annelid --version").out, HasSubstr(" (commit 0123456789)\n"));
  std::filesystem::remove(w.path("share/annelid/commit"));
  EXPECT_THAT(w.shell("cli/annelid --version").out, ContainsRegex("^annelid [0-9.]+\n"));
}

TEST(Keys, AreListedWithOptionMeaningAndDefault) {
  const Workplace w;
  const Outcome all = w.annelid("keys"), traffic = w.annelid("keys traffic");
  EXPECT_EQ(all.status, 0);
  EXPECT_THAT(all.out, AllOf(HasSubstr("  router.depth                --depth N\n      Flits that"),
                             HasSubstr("      Default: 4, or the length of the credit loop"),
                             HasSubstr("collective.operation"), HasSubstr("sweep.cost"),
                             HasSubstr("tune.refine")));
  EXPECT_EQ(traffic.status, 0);
  EXPECT_THAT(traffic.out, AllOf(HasSubstr("traffic.pattern"), Not(HasSubstr("router.depth"))));
}

}  // namespace
}  // namespace annelid::end_to_end
