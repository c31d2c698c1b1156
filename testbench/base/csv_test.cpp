// CSV: what is written is what is read, whatever the fields hold.
#include "base/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace annelid {
namespace {

using ::testing::ElementsAre;

TEST(Csv, GivesBackFieldsWithCommasQuotesAndLineEnds) {
  const std::vector<std::string> fields = {"", "a,b", "say \"so\"", "two\nlines", "\"", "plain"};
  const std::string line = csv_line(fields);
  EXPECT_EQ(line, ",\"a,b\",\"say \"\"so\"\"\",\"two\nlines\",\"\"\"\",plain\n");
  EXPECT_THAT(split_csv(line + line), ElementsAre(fields, fields));
}

TEST(Csv, LeavesOutALastLineWithoutItsEnd) {
  EXPECT_THAT(split_csv("a,b\n1,2\n3"), ElementsAre(ElementsAre("a", "b"), ElementsAre("1", "2")));
  EXPECT_THAT(split_csv(""), ElementsAre());
  EXPECT_THAT(read_csv("/nonexistent/file.csv"), ElementsAre());
}

}  // namespace
}  // namespace annelid
