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
