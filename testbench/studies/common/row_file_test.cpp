// Rows that outlive the program: kept, found and told apart by all that decided them.
#include "studies/common/row_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/build.hpp"
#include "base/csv.hpp"
#include "base/files.hpp"
#include "base/input_error.hpp"
#include "studies/common/stored_configuration.hpp"
#include "testbench/base/scratch.hpp"

namespace annelid::studies {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Pair;

Configuration configuration(int vcs, double load) {
  return stored_configuration(
      {{"network", {{"size", {8, 4}}}}, {"router", {{"vcs", vcs}}}, {"load", load}});
}

Columns row(const Configuration& of, const std::string& result) {
  return row_of(of, {{"result", result}});
}

TEST(RowFile, SaysAllThatDecidedARow) {
  const Configuration c = configuration(2, 0.5);
  EXPECT_THAT(c.columns, Contains(Pair("network.size", "8,4")));
  EXPECT_THAT(c.columns, Contains(Pair("router.vcs", "2")));
  EXPECT_THAT(c.columns, Contains(Pair("load", "0.5")));
  EXPECT_THAT(c.columns, Contains(Pair("build", build_name())));
  EXPECT_EQ(*find_column(c.columns, "router.vcs"), "2");
  EXPECT_EQ(find_column(c.columns, "vcs"), nullptr);
  EXPECT_NE(c.hash, configuration(1, 0.5).hash);
  EXPECT_EQ(c.hash, configuration(2, 0.5).hash);
}

TEST(RowFile, KeepsRowsOfOthersBehindItsOwn) {
  const Scratch s;
  const Configuration first = configuration(1, 0.5), second = configuration(2, 0.5);
  RowFile(s / "t.csv").write({"result"}, {row(first, "one")});
  RowFile file(s / "t.csv");
  file.read();
  file.write({"other"}, {row(second, "two")});
  RowFile both(s / "t.csv");
  both.read();
  EXPECT_THAT(both.find(first).value(), Contains(Pair("result", "one")));
  EXPECT_THAT(both.find(second).value(), Contains(Pair("result", "two")));
  both.write({}, {}, {first.hash});  // it has its place, but no row any more
  const auto lines = read_csv(s / "t.csv");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].front(), second.hash);
}

TEST(RowFile, FindsNoRowWithTheRightHashAndOtherColumns) {
  const Scratch s;
  const Configuration asked = configuration(1, 0.5);
  Columns wrong = row(configuration(2, 0.5), "of another");
  wrong.front().second = asked.hash;
  RowFile(s / "t.csv").write({}, {wrong});
  RowFile file(s / "t.csv");
  file.read();
  EXPECT_FALSE(file.find(asked).has_value());
  Columns other_build = row(asked, "of another");
  other_build.back().second = "0123456789abcdef";
  RowFile(s / "t.csv").write({}, {other_build});
  RowFile again(s / "t.csv");
  again.read();
  EXPECT_FALSE(again.find(asked).has_value());
}

// Whatever letter changes, the rows that are read are those that were written.
TEST(RowFile, IsRefusedOrRightWhereverALetterHasChanged) {
  const Scratch s;
  const Configuration first = configuration(1, 0.5), second = configuration(2, 0.5);
  RowFile(s / "t.csv").write({"result"}, {row(first, "1.25"), row(second, "a,\"b\"")});
  const std::string text = read_text(s / "t.csv");
  int refused = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const std::string now : {"", "\"", ",", "\n", "7", "\"\""}) {
      std::string damaged = text;
      s.put("t.csv", damaged.replace(i, 1, now));
      RowFile file(s / "t.csv");
      try {
        file.read();
        const auto is_in = [](const Columns& columns, const std::string& result) {
          return std::ranges::find(columns, std::pair<std::string, std::string>(
                                                "result", result)) != columns.end();
        };
        const auto one = file.find(first), two = file.find(second);
        ASSERT_TRUE(!one || is_in(*one, "1.25")) << damaged;
        ASSERT_TRUE(!two || is_in(*two, "a,\"b\"")) << damaged;
      } catch (const InputError& error) {
        ++refused;
        ASSERT_THAT(error.what(), ::testing::HasSubstr("t.csv")) << damaged;
      }
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(RowFile, NamesTheLineOfARowThatHasChanged) {
  const Scratch s;
  const Configuration first = configuration(1, 0.5), second = configuration(2, 0.5);
  RowFile(s / "t.csv").write({"result"}, {row(first, "two\nlines"), row(second, "ok")});
  const std::string text = read_text(s / "t.csv");
  const auto error_of = [&](const std::string& damaged) -> std::string {
    s.put("t.csv", damaged);
    try {
      RowFile(s / "t.csv").read();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  std::string damaged = text;
  damaged.replace(text.find(",ok,"), 4, ",OK,");
  EXPECT_THAT(error_of(damaged), ::testing::HasSubstr("t.csv:4: found a row that does not fit"));
  damaged.replace(text.find(",ok,"), 4, ",ok,,");
  EXPECT_THAT(error_of(damaged), ::testing::HasSubstr("t.csv:4: found a row of "));
  damaged = text;
  damaged.replace(text.find(",ok,"), 4, ",\"ok,");
  EXPECT_THAT(error_of(damaged), ::testing::HasSubstr("t.csv:4: found a quote without its end"));
  const std::string older = text.substr(0, text.find(",checksum")) + "\n";
  EXPECT_THAT(error_of(older), ::testing::HasSubstr("expected \"checksum\""));
}

TEST(RowFile, IsRefusedIfItIsAnotherFile) {
  const Scratch s;
  s.put("t.csv", "day,rain\n1,2\n");
  RowFile file(s / "t.csv");
  EXPECT_THROW(file.read(), InputError);
  s.put("t.csv", "day,checksum\n");
  EXPECT_THROW(file.read(), InputError);
  RowFile none(s / "none.csv");
  none.read();
  EXPECT_FALSE(none.find(configuration(1, 1)).has_value());
}

}  // namespace
}  // namespace annelid::studies
