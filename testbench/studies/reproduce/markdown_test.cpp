// What is written of an item: CSV that other programs read, and a side-by-side.
#include "studies/reproduce/markdown.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "studies/reproduce/claims.hpp"
#include "testbench/studies/reproduce/made_up.hpp"

namespace annelid::reproduction {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Claim steps(std::string text, long ours, std::string why = {}) {
  return count(std::move(text), printed("Paper 1900, Table 6", "6"), ours, BySchedule{},
               fact(std::move(why)));
}

Section section_of(std::vector<Claim> claims) {
  Section section{find_item("fig3.15"), {}, "fig3.15.svg"};
  section.outcome.table = {{"bytes", "us"}, {{"32", "1.5"}}};
  section.outcome.claims = std::move(claims);
  return section;
}

TEST(Csv, QuotesWhatNeedsIt) {
  EXPECT_EQ(csv({{"a", "b"}, {{"1, 2", "say \"x\""}, {"", "3"}}}),
            "a,b\n\"1, 2\",\"say \"\"x\"\"\"\n,3\n");
}

TEST(Markdown, SetsPaperAndOursSideBySideWithTheReasonOfADifference) {
  const std::string text =
      section_markdown(section_of({steps("steps | all", 7, "A misprint."), steps("nodes", 6)}));
  EXPECT_THAT(text, HasSubstr("## fig3.15\n"));
  EXPECT_THAT(
      text, HasSubstr("| steps \\| all | 6 (Table 6) |  | 7 | schedule | +16.7 % | **differs** |"));
  EXPECT_THAT(text, HasSubstr("* steps | all: A misprint.\n"));
  EXPECT_THAT(text, HasSubstr("| nodes | 6 (Table 6) |  | 6 | schedule | +0.0 % | equal |"));
  EXPECT_THAT(text, HasSubstr("(fig3.15.svg)"));
  EXPECT_THAT(text, HasSubstr("| 32 | 1.5 |"));
}

TEST(Markdown, SaysASharedReasonOnce) {
  const std::string text = section_markdown(
      section_of({steps("x", 2, "First."), steps("y", 2, "Second."), steps("z", 2, "First.")}));
  EXPECT_THAT(text, HasSubstr("\n\n* x; z: First.\n* y: Second.\n\n"));
}

TEST(Markdown, BreaksProseAndNoRowOfATable) {
  std::string words, cells;
  for (int i = 0; i < 40; ++i) words += "word ";
  for (int i = 0; i < 40; ++i) cells += "cell ";
  Section section = section_of({steps("x", 2, words + "end.")});
  section.outcome.table.rows.push_back({cells, ""});
  section.outcome.notes = {words + "and a note."};
  const std::string text = section_markdown(section);
  EXPECT_THAT(text, HasSubstr("| " + cells + " |"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.starts_with('|') || line.size() <= 118) << line;
  }
}

TEST(Markdown, WhatDiffersOnHardwareHasItsAccountAndTheCommandThatShowsIt) {
  const Printed paper = printed("Paper 1900, Table 6", "6");
  const Measured run = one_measured();
  const Claim wrong = count("x", paper, 7, OnHardware({run}));
  const std::string text = section_markdown(section_of({wrong, wrong}));
  const std::string line =
      "* `annelid run --firmware native --operation broadcast --algorithm edn --size 4x4 "
      "--control-vc true --root 0,0 --bytes 64 --alpha 5 --account`";
  EXPECT_THAT(text, HasSubstr(line));
  EXPECT_EQ(text.find(line), text.rfind(line)) << "each run once";
  EXPECT_THAT(text, HasSubstr(std::to_string(run.cycles())));
  EXPECT_THAT(text, HasSubstr("5 start-up"));
  const Claim right = count("x", paper, 6, OnHardware({run}));
  EXPECT_THAT(section_markdown(section_of({right})), Not(HasSubstr("annelid run ")));
}

TEST(Markdown, WhatWeComputedIsNotInThePapersColumn) {
  const std::string text =
      section_markdown(section_of({count("x", Formula{"Eq. 1", 5}, 5, BySchedule{})}));
  EXPECT_THAT(text, HasSubstr("| x |  | 5 (Eq. 1) | 5 | schedule | +0.0 % | equal |"));
}

TEST(Markdown, TheDocumentCountsTheKindsOfEvidenceApart) {
  const Printed paper = printed("Paper 1900, Table 6", "6");
  const std::vector<Section> sections = {
      section_of({count("x", paper, 6, OnHardware({one_measured()})),
                  count("x", paper, 7, BySchedule{}), count("x", paper, 6, FromData{}),
                  count("x", paper, 7, ByFormula{}), not_yet("x", paper, "Later.")})};
  const std::string text = document_markdown(sections, {"", "", ""});
  EXPECT_THAT(text, HasSubstr("| hardware: simulated, cycle by cycle | 1 | 0 | 0 | 0 | 1 |"));
  EXPECT_THAT(text, HasSubstr("| schedule: computed by the reference | 0 | 0 | 1 | 0 | 1 |"));
  EXPECT_THAT(text, HasSubstr("formulas | 1 | 0 | 1 | 0 | 2 |"));
  EXPECT_THAT(text, HasSubstr("| none yet | 0 | 0 | 0 | 1 | 1 |"));
}

TEST(Markdown, TheDocumentListsWhatCannotBeReproduced) {
  const std::string text = document_markdown({}, {"", "", ""});
  EXPECT_THAT(text, HasSubstr("## What cannot be reproduced\n\n| what | paper | why |"));
  EXPECT_THAT(text, HasSubstr("Collisions on a shared segment"));
}

TEST(Markdown, TheDocumentSaysALongNoteOnce) {
  const std::string note = std::string(300, 'n');
  std::vector<Section> sections = {section_of({}), section_of({})};
  sections[1].item = find_item("table3.1");
  for (Section& section : sections) section.outcome.notes = {note, "A short note."};
  const std::string text = document_markdown(sections, {"", "", ""});
  EXPECT_EQ(text.find(note), text.rfind(note));
  EXPECT_THAT(text, HasSubstr("The note below the table of [fig3.15](#fig315) holds here, too."));
  EXPECT_NE(text.find("A short note."), text.rfind("A short note."));
  EXPECT_THAT(section_markdown(sections[1]), HasSubstr(note)) << "a file of its own has all notes";
}

TEST(Markdown, TheDocumentNamesDateAndCommitAndCountsVerdicts) {
  const std::vector<Section> sections = {
      section_of({steps("x", 6), steps("x", 2, "y")}),
      section_of({not_yet("x", printed("Paper 1900, Table 6", "1"), "later")})};
  const std::string text =
      document_markdown(sections, {"2026-01-02", "0123abcd", "annelid reproduce all"});
  EXPECT_THAT(text, HasSubstr("on 2026-01-02 from commit 0123abcd"));
  EXPECT_THAT(text, StartsWith("# Reproduction of the papers\n\nThis page "));
  EXPECT_THAT(text, HasSubstr("\n\n## Where to go next\n\n* ["));
  EXPECT_THAT(text, HasSubstr("3 claims of 2 items: 1 equal, 1 differ, 1 not yet."));
  EXPECT_THAT(text, Not(HasSubstr("within tolerance,")));
  EXPECT_EQ(text, document_markdown(sections, {"2026-01-02", "0123abcd", "annelid reproduce all"}));
}

}  // namespace
}  // namespace annelid::reproduction
