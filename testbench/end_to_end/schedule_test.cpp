// annelid schedule and annelid check as their users run them.
// State space: text, list and drawing of schedules with and without contention, in two and three
// dimensions, with and without a root; checks that hold and checks that fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++n;
  return n;
}

TEST(Schedule, IsPrintedStepByStep) {
  const Workplace w;
  const Outcome o = w.annelid("schedule --algorithm recursive-doubling --size 3x2 --root 2,0");
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.err, "");
  // The list of nodes by (x, y): halves of 3, and so on (docs/internals/algorithms/trees.md).
  EXPECT_EQ(o.out,
            "recursive-doubling broadcast from node 2,0 of the 3x2 mesh\n"
            "3 steps, 5 messages, 7 hops; no stepwise contention\n"
            "\n"
            "step 1: 1 message, 1 hop\n"
            "  (2,0) -> (1,0)\n"
            "\n"
            "step 2: 2 messages, 3 hops\n"
            "  (1,0) -> (0,1)\n"
            "  (2,0) -> (2,1)\n"
            "\n"
            "step 3: 2 messages, 3 hops\n"
            "  (2,0) -> (1,1)\n"
            "  (0,1) -> (0,0)\n");
}

TEST(Schedule, NamesContendedChannelsAndBytesThatDiffer) {
  const Workplace w;
  const Outcome o =
      w.annelid("schedule --operation broadcast --algorithm recursive-doubling --size 6x6 --torus");
  EXPECT_EQ(o.status, 0);
  EXPECT_THAT(o.out, AllOf(HasSubstr("of the 6x6 torus"), HasSubstr("contended: channel ("),
                           Not(HasSubstr(" B"))));
  const Outcome bytes =
      w.annelid("schedule --operation scatter --algorithm recursive-doubling --size 4 --bytes 10");
  EXPECT_THAT(bytes.out, HasSubstr("(0) -> (2) 20 B\n"));
}

TEST(Schedule, OfBlocksOfDifferentLengthsHasTheirBytes) {
  const Workplace w;
  const std::string gather = "schedule --operation gather --algorithm intercom --size 3x2 ";
  const Outcome o = w.annelid(gather + "--logical-mesh 6 --template short --counts 8,0,3,1,9,64");
  EXPECT_EQ(o.status, 0) << o.err;
  // The tree of ranks 0 .. 5 in reverse: the parts {0}, {1}, {2} and {3}, {4}, {5} come together.
  EXPECT_EQ(
      o.out,
      "intercom gather to node 0,0 of the 3x2 mesh, 6 ranks by rows, 6 short, near dimensions "
      "first\n"
      "3 steps, 5 messages, 7 hops, blocks of 0 to 64 bytes; no stepwise contention\n"
      "\n"
      "step 1: 2 messages, 2 hops\n"
      "  (1,0) -> (0,0) 0 B\n"
      "  (1,1) -> (0,1) 9 B\n"
      "\n"
      "step 2: 2 messages, 4 hops\n"
      "  (2,0) -> (0,0) 3 B\n"
      "  (2,1) -> (0,1) 64 B\n"
      "\n"
      "step 3: 1 message, 1 hop\n"
      "  (0,1) -> (0,0) 74 B\n");
  const std::string random = "--counts random:0..99 --quiet --svg ";
  ASSERT_EQ(w.annelid(gather + random + w.path("1.svg").string()).status, 0);
  ASSERT_EQ(w.annelid(gather + random + w.path("2.svg").string() + " --seed 2").status, 0);
  EXPECT_THAT(w.text("1.svg"), HasSubstr("blocks of "));
  EXPECT_NE(w.text("1.svg"), w.text("2.svg"));
  // Elements of eight bytes.
  EXPECT_THAT(
      w.annelid("schedule --operation reduce-scatter --size 2 --type int64 --counts 8,24").out,
      HasSubstr("blocks of 8 to 24 bytes"));
  expect_refused(w, w.annelid(gather + "--counts 8,0"),
                 {"--counts", "2 numbers", "6, one for each"});
  expect_refused(w, w.annelid(gather + "--counts 8,0,3,1,9,64 --bytes 8"), {"--bytes", "not both"});
  expect_refused(w, w.annelid(gather + "--seed 2"), {"--seed", "--counts random:A..B"});
  expect_refused(w, w.annelid(gather + "--seed 2 --counts 8,0,3,1,9,64"),
                 {"--seed", "random:A..B"});
  expect_refused(w, w.annelid("schedule --size 3x2 --counts 8,0,3,1,9,64"),
                 {"--counts", "broadcast by \"recursive-doubling\"", "gather by \"intercom\""});
}

TEST(Schedule, ListsEveryAlgorithm) {
  const Workplace w;
  const Outcome o = w.annelid("schedule --list");
  EXPECT_EQ(o.status, 0);
  EXPECT_THAT(o.out, AllOf(HasSubstr("broadcast       edn "), HasSubstr("recursive-doubling"),
                           HasSubstr("every network"), HasSubstr("all-to-all")));
}

TEST(Drawing, HasAPanelForEachStepAndEveryNodeInEach) {
  const Workplace w;
  const std::string file = w.path("edn.svg").string();
  const Outcome o =
      w.annelid("schedule --algorithm edn --size 8x8 --root 2,0 --quiet --svg " + file);
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out, "");
  const std::string svg = w.text("edn.svg");
  EXPECT_EQ(count(svg, ">Step "), 4u);
  EXPECT_EQ(count(svg, "<circle "), 4u * (64 + 1) + 6) << "nodes, the root's ring, the legend";
  EXPECT_EQ(count(svg, "z\" fill="), 63u + 1) << "an arrow head for each message, and the legend's";
  EXPECT_EQ(count(svg, "<g"), count(svg, "</g>"));
  EXPECT_THAT(svg, AllOf(HasSubstr("<svg xmlns="), HasSubstr("edn broadcast from node 2,0"),
                         Not(HasSubstr("nan")), Not(HasSubstr("inf")),
                         Not(HasSubstr("#e8112d\" "
                                       "stroke-w"))));
}

TEST(Drawing, ShowsContentionInRedAndPlanesSideBySide) {
  const Workplace w;
  const std::string common = "schedule --quiet --algorithm recursive-doubling --svg ";
  ASSERT_EQ(w.annelid(common + w.path("c.svg").string() + " --size 6x6 --torus").status, 0);
  EXPECT_THAT(w.text("c.svg"), AllOf(HasSubstr("2 channels contended"),
                                     HasSubstr("a channel that several messages")));
  ASSERT_EQ(w.annelid(common + w.path("z.svg").string() + " --size 3x2x4").status, 0);
  for (const char* plane : {">z = 0<", ">z = 1<", ">z = 2<", ">z = 3<"}) {
    EXPECT_THAT(w.text("z.svg"), HasSubstr(plane));
  }
  EXPECT_THAT(w.text("z.svg"), Not(HasSubstr("nan")));
}

TEST(Drawing, OfEveryOperationIsMade) {
  const Workplace w;
  for (const char* operation : {"reduce", "gather", "scatter", "all-gather", "all-reduce",
                                "barrier", "transpose", "all-to-all"}) {
    const Outcome o = w.annelid(std::string("schedule --quiet --size 4x4 --operation ") +
                                operation + " --svg " + w.path("x.svg").string());
    EXPECT_EQ(o.status, 0) << operation << o.err;
    EXPECT_THAT(w.text("x.svg"), AllOf(HasSubstr("</svg>"), Not(HasSubstr("nan"))));
  }
}

TEST(Schedule, OfWhatThereIsNotIsRefused) {
  const Workplace w;
  expect_refused(w, w.annelid("schedule --algorithm u-torus --size 8x8"),
                 {"--algorithm", "\"u-torus\" on 8x8 mesh", "what fits: "});
  expect_refused(w, w.annelid("schedule --algorithm u-torus --size 9"), {"on 9-node line"});
  expect_refused(w, w.annelid("schedule --size 9 --topology torus --root 9"),
                 {"the 9-node ring: 0 to 8"});
  expect_refused(w, w.annelid("schedule --size 8x8 --root 8,0"), {"--root", "8,0", "0,0 to 7,7"});
  expect_refused(w, w.annelid("schedule --size 8x8 --svg /proc/x.svg"),
                 {"--svg", "cannot be written"});
}

// ---- annelid check ------------------------------------------------------------------------------

TEST(Check, PrintsATableOfVerdictsAndNoProgressIntoAPipe) {
  const Workplace w;
  const Outcome o = w.annelid("check --quick --operation broadcast --algorithm edn --size 4x4");
  EXPECT_EQ(o.status, 0) << o.err << o.out;
  EXPECT_EQ(o.err, "");
  EXPECT_THAT(o.out, AllOf(HasSubstr("operation   algorithm"), HasSubstr("broadcast   edn "),
                           HasSubstr("equal   equal"), HasSubstr("none"), HasSubstr("held"),
                           HasSubstr("in 4 jobs, seed 1"), HasSubstr("all equal the reference"),
                           Not(HasSubstr("\033"))));
}

TEST(Check, ShowsTheFirstDifferenceAndTheCommandThatMakesIt) {
  const Workplace w;
  const std::string lazy = std::string(ANNELID_TEST_ELF_DIR) + "/lazy.elf";
  const Outcome o = w.annelid(
      "check --quick --operation broadcast --algorithm recursive-doubling --size 3x2 --firmware " +
      lazy);
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.out,
              AllOf(HasSubstr("FAILED, 2 of 2 jobs"), HasSubstr("DIFFER"),
                    HasSubstr("recursive-doubling broadcast on 3x2 mesh, all-port, "),
                    HasSubstr("  schedule: missing step 1: "),
                    HasSubstr("  annelid run --operation broadcast --algorithm recursive-doubling "
                              "--size 3x2 --topology mesh --firmware " +
                              lazy + " --root 0,0 --bytes 0 --seed "),
                    HasSubstr("2 jobs failed")));
}

TEST(Check, NamesTheCallsThatItLeavesOut) {
  const Workplace w;
  const Outcome o = w.annelid(
      "check --quick --operation all-gather --algorithm ring --size 5x5 --router all-port "
      "--firmware native");
  EXPECT_EQ(o.status, 0) << o.err << o.out;
  EXPECT_THAT(o.out, HasSubstr("left out: 1 call, would take too long:\n"
                               "  all-gather ring: 1000 bytes on 25 nodes\n"));
}

TEST(Check, GoesThroughNumbersOfRanks) {
  const Workplace w;
  const Outcome o = w.annelid(
      "check --quick --operation scan --algorithm two-tree --ranks 3:5 --firmware native");
  EXPECT_EQ(o.status, 0) << o.err << o.out;
  // Two routers, each with 3 and 4 ranks on one network and 5 on another; three calls of a number.
  EXPECT_THAT(o.out, AllOf(HasSubstr("scan        two-tree          2     18 "),
                           HasSubstr("numbers of ranks: 3..5\n"), HasSubstr("in 4 jobs, seed 1")));
}

TEST(Check, RefusesWhatThereIsNot) {
  const Workplace w;
  expect_refused(w, w.annelid("check --operation sort"), {"--operation", "\"sort\"", "all-gather"});
  expect_refused(w, w.annelid("check --operation barrier --algorithm edn"),
                 {"--algorithm", "\"edn\"", "dissemination"});
  expect_refused(w, w.annelid("check --algorithm u-torus --size 8x8"),
                 {"--size", "8x8 mesh", "rings in all dimensions"});
  expect_refused(w, w.annelid("check --ranks 5:1"), {"--ranks", "\"5:1\"", "1:130", "1..65536"});
  expect_refused(w, w.annelid("check --ranks 1:65 --size 8x8"),
                 {"--ranks", "found 65", "at most 64", "8x8"});
  expect_refused(w, w.annelid("check --ranks 9 --algorithm edn"),
                 {"--ranks", "\"edn\"", "coordinates", "\"two-tree\""});
  expect_refused(w, w.annelid("check --ranks 9 --operation transpose"),
                 {"--ranks", "\"transpose\""});
  expect_refused(w, w.annelid("check --ranks 1:9 --samples 10"), {"--samples", "found 10", "1..9"});
  expect_refused(w, w.annelid("check --samples 10"), {"--samples", "--ranks FIRST:LAST"});
  expect_refused(w, w.annelid("check --router wide"), {"--router", "\"wide\"", "one-port"});
  expect_refused(w, w.annelid("check --quick --firmware nothing.elf"),
                 {"--firmware", "nothing.elf"});
}

}  // namespace
}  // namespace annelid::end_to_end
