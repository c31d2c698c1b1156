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

TEST(CsvChecksum, IsOfEachCellAndTheNameOfItsColumn) {
  const std::vector<std::string> names = {"a", "b", "c"}, cells = {"1", "2", "1,2"};
  const std::string checksum = csv_checksum(names, cells);
  EXPECT_EQ(checksum.size(), 16u);
  EXPECT_NE(csv_checksum(names, {"1", "3", "1,2"}), checksum);
  EXPECT_NE(csv_checksum(names, {"2", "1", "1,2"}), checksum);
  EXPECT_NE(csv_checksum(names, {"1", "", "1,2"}), checksum);
  EXPECT_NE(csv_checksum({"a", "B", "c"}, cells), checksum);
}

TEST(CsvChecksum, StaysWhenOtherRowsBringMoreColumns) {
  const std::string checksum = csv_checksum({"a", "b"}, {"1", "2"});
  EXPECT_EQ(csv_checksum({"b", "a"}, {"2", "1"}), checksum);
  EXPECT_EQ(csv_checksum({"a", "x", "b", "y"}, {"1", "", "2", ""}), checksum);
}

TEST(Csv, LeavesOutALastLineWithoutItsEnd) {
  EXPECT_THAT(split_csv("a,b\n1,2\n3"), ElementsAre(ElementsAre("a", "b"), ElementsAre("1", "2")));
  EXPECT_THAT(split_csv(""), ElementsAre());
  EXPECT_THAT(read_csv("/nonexistent/file.csv"), ElementsAre());
}

}  // namespace
}  // namespace annelid
