// The published tables: how many rows there are, the tau of all 42, and what is refused.
#include "studies/reproduce/published.hpp"

#include <gtest/gtest.h>

namespace annelid::reproduction {
namespace {

TEST(Published, TauOfAll42RowsIsTnOverTsWithin2Percent) {
  std::size_t rows = 0;
  for (const char* name : {"table5.1", "table5.6", "table5.7"}) {
    const PublishedTable table = published(name);
    for (std::size_t i = 0; i < table.size(); ++i, ++rows) {
      const double tau = table.number(i, "T_n") / table.number(i, "T_s");
      EXPECT_NEAR(tau / table.number(i, "tau"), 1, 0.02) << name << ", row " << i + 1;
    }
  }
  EXPECT_EQ(rows, 42u);
}

TEST(Published, RatiosOfInterComsTable3AreThoseOfItsTimes) {
  const PublishedTable table = published("intercom_table3");
  ASSERT_EQ(table.size(), 9u);
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_NEAR(table.number(i, "nx") / table.number(i, "icc") / table.number(i, "ratio"), 1, 0.01);
  }
}

TEST(Published, AFieldIsPrintedWithItsTable) {
  const PublishedTable table("x",
                             "# Paper 1900, Table 6: steps.\n# More.\na,b,c\n3,4,0.50\n4,4,1\n");
  const Printed both = table.printed(0, "{a} of {b} steps");
  EXPECT_EQ(both.text(), "3 of 4 steps");
  EXPECT_EQ(both.place(), "Paper 1900, Table 6");
  EXPECT_EQ(table.range(0, "a", "b").text(), "3..4");
  EXPECT_EQ(table.range(1, "a", "b").text(), "4");
  const Printed decimals = table.printed(0, "{c} us");
  EXPECT_EQ(decimals.number(), 0.5);
  EXPECT_EQ(decimals.decimals(), 2);
  EXPECT_EQ(decimals.unit(), "us");
  EXPECT_THROW((void)table.printed(0, "{d}"), std::out_of_range);
}

TEST(Published, EveryTableNamesItsPaper) {
  for (const char* name :
       {"edn_steps", "table3.5", "table3.6", "table5.1", "table5.6", "table5.7", "intercom_table2",
        "intercom_table3", "two_tree_table1", "two_tree_tableA.1", "table2.1"}) {
    const std::string place = published(name).printed(0, "x").place();
    EXPECT_TRUE(place.starts_with("Tsai 1997, ") || place.starts_with("2Tree 2009, ") ||
                place.starts_with("InterCom 1994, "))
        << name << ": " << place;
  }
}

TEST(Published, RefusesWhatIsNoTable) {
  EXPECT_THROW(published("table9.9"), std::out_of_range);
  EXPECT_THROW(PublishedTable("x", "a,b\n1,2,3\n"), std::invalid_argument);
  const PublishedTable table("x", "# from somewhere\na,b\n1,two\n");
  EXPECT_EQ(table.size(), 1u);
  EXPECT_EQ(table.number(0, "a"), 1);
  EXPECT_EQ(table.text(0, "b"), "two");
  EXPECT_THROW((void)table.number(0, "b"), std::invalid_argument);
  EXPECT_THROW((void)table.text(0, "c"), std::out_of_range);
}

}  // namespace
}  // namespace annelid::reproduction
