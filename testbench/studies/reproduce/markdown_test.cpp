// What is written of an item: CSV that other programs read, and a side-by-side.
#include "studies/reproduce/markdown.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "studies/reproduce/claims.hpp"

namespace annelid::reproduction {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

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
  const std::string text = section_markdown(
      section_of({count("steps | all", 6, 7, "A misprint."), count("nodes", 4, 4)}));
  EXPECT_THAT(text, HasSubstr("## fig3.15\n"));
  EXPECT_THAT(text, HasSubstr("| steps \\| all | 6 | 7 | +16.7 % | **differs** |"));
  EXPECT_THAT(text, HasSubstr("* steps | all: A misprint.\n"));
  EXPECT_THAT(text, HasSubstr("| nodes | 4 | 4 | +0.0 % | equal |"));
  EXPECT_THAT(text, HasSubstr("(fig3.15.svg)"));
  EXPECT_THAT(text, HasSubstr("| 32 | 1.5 |"));
}

TEST(Markdown, SaysASharedReasonOnce) {
  const std::string text = section_markdown(section_of(
      {count("x", 1, 2, "First."), count("y", 1, 2, "Second."), count("z", 1, 2, "First.")}));
  EXPECT_THAT(text, HasSubstr("\n\n* x; z: First.\n* y: Second.\n\n"));
}

TEST(Markdown, BreaksProseAndNoRowOfATable) {
  std::string words, cells;
  for (int i = 0; i < 40; ++i) words += "word ";
  for (int i = 0; i < 40; ++i) cells += "cell ";
  Section section = section_of({count("x", 1, 2, words + "end.")});
  section.outcome.table.rows.push_back({cells, ""});
  section.outcome.notes = {words + "and a note."};
  const std::string text = section_markdown(section);
  EXPECT_THAT(text, HasSubstr("| " + cells + " |"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.starts_with('|') || line.size() <= 118) << line;
  }
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
  const std::vector<Section> sections = {section_of({count("x", 1, 1), count("x", 1, 2, "y")}),
                                         section_of({not_yet("x", "1", "later")})};
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
