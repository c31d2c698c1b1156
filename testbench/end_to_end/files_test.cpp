// What the program does to files, folders and devices that are there already, and what it leaves
// behind when it cannot write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <set>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kRun =
    "$A run --operation broadcast --size 4x4 --bytes 64 --firmware native ";

/// All that is in a folder but the outputs of the last command.
std::set<std::string> names_in(const Workplace& w) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(w.path("."))) {
    names.insert(entry.path().lexically_relative(w.path(".")));
  }
  names.erase("stdout");
  names.erase("stderr");
  return names;
}

TEST(Outputs, LeaveDevicesAndPipesWhatTheyAre) {
  const Workplace w;
  ASSERT_EQ(mkfifo(w.path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(w.shell(kRun + std::string("--quiet --out out --flit-log /dev/null")).status, 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const Outcome o = w.shell("cat pipe & " + std::string(kRun) +
                            "--quiet --out out --flit-log pipe; s=$?; wait; exit $s");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, StartsWith("# collective: edn broadcast"));
  EXPECT_TRUE(fs::is_fifo(w.path("pipe")));
  fs::create_symlink("pipe", w.path("pipe.fst"));
  const Outcome refused = w.shell(kRun + std::string("--out wave --wave pipe.fst"));
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("--wave"), HasSubstr("a pipe")));
}

TEST(Outputs, LeaveWhatOthersPutBesideThem) {
  const Workplace w;
  w.file("log.tmp", "mine");
  w.file("victim", "precious");
  fs::create_symlink("victim", w.path("log2.tmp"));
  fs::create_directories(w.path("out/points.tmp"));
  fs::create_directories(w.path("out/runs.tmp"));
  w.file("out/points.tmp/0", "mine");
  EXPECT_EQ(w.shell(kRun + std::string("--quiet --out out --flit-log log")).status, 0);
  EXPECT_EQ(w.shell(kRun + std::string("--quiet --out out --flit-log log2")).status, 0);
  EXPECT_EQ(w.shell("$A sweep --out out --quiet --no-plots --size 2x2 --measure 50 --warm-up 0 "
                    "--sweep router.vcs=1")
                .status,
            0);
  EXPECT_EQ(w.text("log.tmp"), "mine");
  EXPECT_EQ(w.text("victim"), "precious");
  EXPECT_EQ(w.text("out/points.tmp/0"), "mine");
  EXPECT_THAT(names_in(w), ElementsAre("log", "log.tmp", "log2", "log2.tmp", "out",
                                       "out/points.tmp", "out/points.tmp/0", "out/result.json",
                                       "out/runs.tmp", "out/sweep.csv", "victim"));
}

TEST(Outputs, OfTwoRunsInOneFileAreThoseOfOneOfThem) {
  const Workplace w;
  EXPECT_EQ(w.shell(kRun + std::string("--quiet --out a --flit-log one")).status, 0);
  EXPECT_EQ(w.shell(kRun + std::string("--quiet --out b --root 3,3 --flit-log other")).status, 0);
  for (int i = 0; i < 10; ++i) {
    const Outcome o =
        w.shell(kRun + std::string("--quiet --out a --flit-log both & ") + kRun +
                "--quiet --out b --root 3,3 --flit-log both; s=$?; wait $! && exit $s");
    EXPECT_EQ(o.status, 0) << o.err;
    const std::string both = w.text("both");
    EXPECT_TRUE(both == w.text("one") || both == w.text("other"));
  }
}

TEST(ResultFolders, AreForOneCommandAtATime) {
  const Workplace w;
  ASSERT_EQ(mkfifo(w.path("pipe").c_str(), 0600), 0);
  // The first command waits until its log is read, and holds the folder meanwhile.
  const std::string command =
      kRun + std::string("--quiet --out out --flit-log pipe & ") +
      "for i in $(seq 500); do [ -e out/.annelid.lock ] && break; sleep 0.01; done; " + kRun +
      "--out out; s=$?; "
      "$A sweep --out out --size 2x2 --sweep router.vcs=1; t=$?; "
      "$A tune --out out --size 2x2 --bytes 8 --operation broadcast; u=$?; "
      "$A reproduce table5.1 --out out; v=$?; cat pipe >/dev/null; wait; exit $s$t$u$v";
  const Outcome o = w.shell("(" + command + "); echo $?");
  EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 4) << o.err;
  for (std::size_t at = 0, line = 0; line < 4; ++line, at = o.err.find('\n', at) + 1) {
    EXPECT_THAT(o.err.substr(at), StartsWith("annelid: --out: found \"out\", which another annelid "
                                             "is using, expected"));
  }
  EXPECT_EQ(o.out, std::to_string(2222 % 256) + "\n");
  EXPECT_EQ(w.shell(kRun + std::string("--quiet --out out")).status, 0);
}

TEST(ResultFolders, AreNotLeftEmptyByWhatIsRefused) {
  const Workplace w;
  const Outcome o = w.shell(kRun + std::string("--parameter 31 --out deep/folder"));
  EXPECT_EQ(o.status, 2);
  EXPECT_THAT(o.err, AllOf(HasSubstr("--parameter: found 31"), HasSubstr("\"edn\"")));
  EXPECT_EQ(w.shell(kRun + std::string("--cycle-limit 5 --out deep/folder")).status, 1);
  EXPECT_EQ(w.shell(kRun + std::string("--flit-log /proc/x --out deep/folder")).status, 2);
  EXPECT_EQ(names_in(w).size(), 0u);
}

TEST(FullDevices, AreAFailureOfTheProgram) {
  const Workplace w;
  for (const char* arguments : {"--help", "--version", "run --help", "schedule --list",
                                "schedule --size 4x4", "reproduce list"}) {
    const Outcome o = w.shell(std::string("$A ") + arguments + " >/dev/full");
    EXPECT_EQ(o.status, 1) << arguments;
    EXPECT_THAT(o.err, HasSubstr("standard output cannot be written: No space left on device"))
        << arguments;
  }
  EXPECT_EQ(w.shell(kRun + std::string("--out out >/dev/full")).status, 1);
  const Outcome log = w.shell(kRun + std::string("--quiet --out out --flit-log /dev/full"));
  EXPECT_EQ(log.status, 1);
  EXPECT_THAT(log.err, HasSubstr("--flit-log: \"/dev/full\" cannot be written: No space left"));
}

TEST(FullDevices, LeaveNoPartOfAFile) {
  const Workplace w;
  w.file("log", "old");
  const Outcome o =
      w.shell("ulimit -f 1; " + std::string(kRun) + "--quiet --out out --flit-log log");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, HasSubstr("File too large"));
  EXPECT_EQ(w.text("log"), "old");
  EXPECT_THAT(names_in(w), ElementsAre("log"));
}

TEST(Names, ThatAreTooLongAreNamedInOneLine) {
  const Workplace w;
  const std::string name(300, 'x');
  for (const std::string& arguments :
       {"run " + name, "run --operation broadcast --size 2x2 --out " + name,
        "run --operation broadcast --size 2x2 --payload " + name,
        "run --operation broadcast --size 2x2 --firmware " + name,
        "run --operation broadcast --size 2x2 --flit-log " + name,
        "run --operation broadcast --size 2x2 --timeline " + name + ".html",
        "traffic --trace " + name, "traffic --packets " + name, "firmware run " + name,
        "wave --list " + name, "timeline " + name, "tau " + name, "sweep " + name, "tune " + name,
        "cost " + name, "schedule --size 4x4 --svg " + name}) {
    const Outcome o = w.shell("$A " + arguments);
    EXPECT_EQ(o.status, 2) << arguments << "\n" << o.err;
    EXPECT_THAT(o.err, HasSubstr(name));
    EXPECT_THAT(o.err, ::testing::Not(HasSubstr("filesystem error")));
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
  }
  EXPECT_EQ(names_in(w).size(), 0u);
}

TEST(Memory, ThatRunsOutIsAFailureInPlainWords) {
  const Workplace w;
  const Outcome o =
      w.shell("ulimit -v 300000; $A schedule --operation all-to-all --size 48x48 --quiet");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, StartsWith("annelid: out of memory"));
  EXPECT_EQ(names_in(w).size(), 0u);
}

}  // namespace
}  // namespace annelid::end_to_end
