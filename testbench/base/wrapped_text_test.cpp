// Lines that were too long: for --help, and for the Markdown that the program writes.
#include "base/wrapped_text.hpp"

#include <gtest/gtest.h>

namespace annelid {
namespace {

TEST(Wrapped, BreaksAtTheLastSpaceThatFits) {
  EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrapped("one two three", 8), "one two\nthree");
  EXPECT_EQ(wrapped("one two\nthree", 20), "one two\nthree");
  EXPECT_EQ(wrapped("", 7), "");
}

TEST(Wrapped, LeavesLongWordsAndIndentedLinesWhole) {
  EXPECT_EQ(wrapped("a seventeen b", 5), "a\nseventeen\nb");
  EXPECT_EQ(wrapped("  one two three", 5), "  one two three");
}

TEST(WrappedMarkdown, BreaksParagraphsAndItemsOfLists) {
  EXPECT_EQ(wrapped_markdown("one two three\n\n* four five six\n", 9),
            "one two\nthree\n\n* four\n  five\n  six\n");
}

TEST(WrappedMarkdown, LeavesTablesHeadingsAndPicturesWhole) {
  for (const char* line : {"| one | two | three |", "## one two three", "![one two](three.svg)"}) {
    EXPECT_EQ(wrapped_markdown(line, 9), line);
  }
}

TEST(WrappedMarkdown, LeavesCodeWhole) {
  EXPECT_EQ(wrapped_markdown("run `annelid run x` now and then", 14),
            "run\n`annelid run x`\nnow and then");
}

TEST(WrappedMarkdown, BeginsNoLineWithAMark) {
  EXPECT_EQ(wrapped_markdown("seven - three", 7), "seven -\nthree");
  EXPECT_EQ(wrapped_markdown("aa + bb", 4), "aa +\nbb");
  EXPECT_EQ(wrapped_markdown("not before 12. May", 12), "not\nbefore 12.\nMay");
  EXPECT_EQ(wrapped_markdown("of 12 nodes", 7), "of 12\nnodes");
}

TEST(WrappedMarkdown, ChangesNothingTheSecondTime) {
  const std::string once = wrapped_markdown("* one two three four `a b` - five\n\nsix seven", 12);
  EXPECT_EQ(wrapped_markdown(once, 12), once);
}

}  // namespace
}  // namespace annelid
