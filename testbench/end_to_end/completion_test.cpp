// What the key Tab completes: the answers of the program, and what bash makes of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// What the program answers for these words.
Lines answers(const std::string& words) {
  const Workplace w;
  const Outcome o = w.annelid("complete -- " + words);
  EXPECT_EQ(o.status, 0) << o.err;
  return lines_of(o.out);
}

TEST(Completion, KnowsCommands) {
  EXPECT_THAT(answers("''"), AllOf(Contains("run"), Contains("firmware"), Contains("completion"),
                                   Not(Contains("complete"))));
  EXPECT_THAT(answers("t"), ElementsAre("traffic", "tune", "timeline", "tau"));
  EXPECT_THAT(answers("firmware ''"), ElementsAre("run", "build"));
  EXPECT_THAT(answers("help firmware r"), ElementsAre("run"));
}

TEST(Completion, KnowsOptionsOfTheCommand) {
  EXPECT_THAT(answers("run --wave-"), AllOf(Contains("--wave-nodes"), Contains("--wave-trigger"),
                                            Each(StartsWith("--wave-"))));
  EXPECT_THAT(answers("keys --fl"), IsEmpty());
}

TEST(Completion, KnowsTheNamesThatAnOptionTakes) {
  EXPECT_THAT(answers("run --operation all-g"), ElementsAre("all-gather"));
  EXPECT_THAT(answers("run --algorithm recursive-d"), Contains("recursive-doubling"));
  EXPECT_THAT(answers("traffic --routing no"), ElementsAre("north-last"));
  EXPECT_THAT(answers("traffic --pattern bit-"), ElementsAre("bit-complement", "bit-reverse"));
  EXPECT_THAT(answers("run --embedding ''"), ElementsAre("rows", "snake", "quadrants"));
  EXPECT_THAT(answers("run --profile-by c"), ElementsAre("caller", "callgrind"));
  EXPECT_THAT(answers("run --topology=t"), ElementsAre("--topology=torus"));
  EXPECT_THAT(answers("keys tr"), ElementsAre("traffic"));
  EXPECT_THAT(answers("run --bytes ''"), IsEmpty()) << "a number";
}

TEST(Completion, KnowsKeysAndThenTheirValues) {
  EXPECT_THAT(answers("traffic --set router.rout"), ElementsAre("router.routing="));
  EXPECT_THAT(answers("traffic --set router.routing=x"), Contains("router.routing=xy"));
  EXPECT_THAT(
      answers("traffic --set network.topology="),
      ElementsAre("network.topology=mesh", "network.topology=torus", "network.topology=ideal"));
}

TEST(Completion, LeavesFilesToTheShell) {
  EXPECT_THAT(answers("run ''"), ElementsAre(":files"));
  EXPECT_THAT(answers("run --flit-log ''"), ElementsAre(":files"));
  EXPECT_THAT(answers("run --size 8x8 --out ''"), ElementsAre(":files"));
}

/// What bash completes when Tab is pressed behind `words`, a list of words in the syntax of bash.
Lines bash(const Workplace& w, const std::string& words) {
  w.file("tab.bash",
         "PATH=${A%/*}:$PATH\n"
         "source <(annelid completion bash)\n"
         "compopt() { :; }  # it works only while a user types\n"
         "complete -p annelid >&2\n"
         "COMP_WORDS=(annelid " +
             words +
             ")\n"
             "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
             "_annelid\n"
             "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
  const Outcome o = w.shell("export A; bash --norc tab.bash");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.err, HasSubstr("complete -F _annelid annelid"));
  return lines_of(o.out);
}

TEST(Completion, WorksInBash) {
  const Workplace w;
  EXPECT_THAT(bash(w, "timel"), ElementsAre("timeline"));
  EXPECT_THAT(bash(w, "run --operation all-g"), ElementsAre("all-gather"));
  // Bash takes the equals sign for a word, and completes what is behind it.
  EXPECT_THAT(bash(w, "run --topology = t"), ElementsAre("torus"));
  EXPECT_THAT(bash(w, "run --topology ="), ElementsAre("mesh", "torus", "ideal"));
  EXPECT_THAT(bash(w, "traffic --set router.routing = north"), ElementsAre("north-last"));
  EXPECT_THAT(bash(w, "traffic --set router.rout"), ElementsAre("router.routing="));
  w.file("my scenario.toml", "");
  EXPECT_THAT(bash(w, "run my"), ElementsAre("my scenario.toml"));
}

TEST(Completion, RefusesAnUnknownShell) {
  const Workplace w;
  expect_refused(w, w.annelid("completion tcsh"), {"tcsh", "bash"});
  expect_refused(w, w.annelid("completion"), {"shell"});
}

}  // namespace
}  // namespace annelid::end_to_end
