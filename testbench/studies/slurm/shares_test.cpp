// The tasks of an array: their script, what they leave behind, and what follows from it.
#include "studies/slurm/shares.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/child_process.hpp"
#include "testbench/base/scratch.hpp"

namespace annelid::studies {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A folder whose name no shell and no pattern of Slurm would leave as it is.
class Array {
 public:
  Array() {
    fs::create_directories(study.started_in);
    put(study.program, "#!/bin/sh\npwd\nfor word; do echo \"<$word>\"; done\nexit ${STATUS:-0}\n");
    fs::permissions(study.program, fs::perms::owner_all);
    put(script_, script_text(study));
  }

  /// Runs the script as Slurm would, and returns its exit status.
  [[nodiscard]] int run(const std::string& variables) const {
    const EndedProgram ended =
        run_child("env", {"sh", "-c", variables + " exec sh \"$0\"", script_.string()});
    EXPECT_EQ(ended.text, "");
    return ended.status;
  }
  static void put(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  Scratch scratch;
  fs::path place = scratch / "it's \"a\" $HOME\\ %a `b`\nline";
  ArrayStudy study{place / "out",  {"sweep", {"*"}, {{"--sweep", "a b=$1,'2'"}}},
                   place,          place / "-prog",
                   "build",        3,
                   {"", "", "", 2}};

 private:
  fs::path script_ = scratch / "job.sh";
};

constexpr const char* kFirst = "SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_JOB_ID=12";
constexpr const char* kSecond = "SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_JOB_ID=12 SLURM_RESTART_COUNT=1";

TEST(SlurmScript, PassesEveryWordAsItIs) {
  const Array array;
  EXPECT_EQ(array.run(kFirst), 0);
  const auto starts = starts_of(array.study, 2);
  ASSERT_EQ(starts.size(), 1u);
  const std::string folder = (array.study.folder / "shard-2-of-3" / "12-0").string();
  EXPECT_EQ(starts[0].folder, folder);
  EXPECT_EQ(read_text(starts[0].log()),
            array.place.string() +
                "\n<sweep>\n<*>\n<--sweep>\n<a b=$1,'2'>\n<--jobs>\n<2>\n<--shard>\n<2/3>\n"
                "<--out>\n<" +
                folder + ">\n");
}

TEST(SlurmScript, NotesAndReturnsTheStatus) {
  const Array array;
  EXPECT_EQ(array.run(std::string("STATUS=3 ") + kFirst), 3);
  ASSERT_EQ(starts_of(array.study, 2).size(), 1u);
  EXPECT_EQ(starts_of(array.study, 2)[0].status, 3);
}

TEST(SlurmScript, GoesOnInAFolderOfItsOwnFromTheStartThatCameFurthest) {
  const Array array;
  const fs::path share = array.study.folder / "shard-2-of-3";
  Array::put(share / "11-0" / "sweep.csv", "a\n1\n2\n");
  Array::put(share / "11-4" / "sweep.csv", "a\n1\n");
  Array::put(share / "12-0" / "measurements.json", "{}");
  EXPECT_EQ(array.run(kSecond), 0);
  EXPECT_EQ(read_text(share / "12-1" / "sweep.csv"), "a\n1\n2\n");
  EXPECT_EQ(read_text(share / "12-1" / "measurements.json"), "{}");
  EXPECT_FALSE(fs::exists(share / "12-1" / "tune.csv"));
  EXPECT_EQ(rows_of(starts_of(array.study, 2).back()), 2u);
}

TEST(SlurmStarts, AreInTheirOrderInTime) {
  const Array array;
  const fs::path share = array.study.folder / "shard-1-of-3";
  for (const char* name : {"9-2", "10-0", "9-10", "other", "x-1"}) {
    fs::create_directories(share / name);
  }
  Array::put(share / "9-10" / "status", "");  // it is just being written
  std::vector<std::string> names;
  for (const ShareStart& start : starts_of(array.study, 1)) {
    names.push_back(start.folder.filename());
    EXPECT_EQ(start.status, std::nullopt);
  }
  EXPECT_THAT(names, ::testing::ElementsAre("9-2", "9-10", "10-0"));
}

TEST(SlurmStarts, ShowTheLastLinesOfTheirOutput) {
  const Array array;
  const ShareStart start{12, 0, array.study.folder / "12-0", std::nullopt};
  EXPECT_EQ(last_lines(start), "");
  std::string log;
  for (int i = 1; i <= 30; ++i) log += "line " + std::to_string(i) + "\n";
  Array::put(start.log(), log + "\033[2J\n\n");
  EXPECT_THAT(last_lines(start), HasSubstr("\n  line 30\n  \\x1b[2J"));
  EXPECT_THAT(last_lines(start), ::testing::Not(HasSubstr("line 11\n")));
}

TEST(SlurmShare, IsFinishedByResultsOfThisStudyAlone) {
  const Array array;
  const auto write = [&](const std::string& start, Part part) {
    part.folder = array.study.folder / "shard-2-of-3" / start;
    fs::create_directories(part.folder);
    write_part(part);
  };
  const Part good{{2, 3}, array.study.study, array.study.started_in, "build", {}};
  Part other = good;
  other.build = "another build";
  write("1-0", other);
  other = good;
  other.study.options.back().back() = "another word";
  write("2-0", other);
  other = good;
  other.started_in = "/";
  write("3-0", other);
  other = good;
  other.shard = {2, 4};
  write("4-0", other);
  EXPECT_FALSE(finished_part(array.study, 2));
  write("5-0", good);
  fs::create_directories(array.study.folder / "shard-2-of-3" / "5-1");  // Slurm began it again
  ASSERT_TRUE(finished_part(array.study, 2));
  EXPECT_EQ(finished_part(array.study, 2)->folder.filename(), "5-0");
}

TEST(SlurmShare, FollowsFromItsResultsItsStatusAndTheQueue) {
  const SlurmTask running{12, "RUNNING", "None"}, lost{12, "NODE_FAIL", "None"};
  const SlurmTask failed{12, "FAILED", "NonZeroExitCode"}, well{12, "COMPLETED", "None"};
  // With results, nothing else counts: also a check that found a difference ends with 1.
  EXPECT_EQ(state_of(true, 1, &failed), ShareState::kFinished);
  EXPECT_EQ(state_of(true, std::nullopt, nullptr), ShareState::kFinished);
  EXPECT_EQ(state_of(false, std::nullopt, &running), ShareState::kGoesOn);
  EXPECT_EQ(state_of(false, std::nullopt, &lost), ShareState::kLost);
  EXPECT_EQ(state_of(false, 1, &running), ShareState::kFailed);
  EXPECT_EQ(state_of(false, 2, nullptr), ShareState::kFailed);
  // A signal is how Slurm ends what it starts again, or what was cancelled.
  EXPECT_EQ(state_of(false, 143, &running), ShareState::kGoesOn);
  EXPECT_EQ(state_of(false, 143, &lost), ShareState::kLost);
  EXPECT_EQ(state_of(false, 137, &failed), ShareState::kEnded);
  EXPECT_EQ(state_of(false, std::nullopt, &failed), ShareState::kEnded);
  EXPECT_EQ(state_of(false, 0, &well), ShareState::kEnded);
  EXPECT_EQ(state_of(false, std::nullopt, nullptr), ShareState::kEnded);
}

}  // namespace
}  // namespace annelid::studies
