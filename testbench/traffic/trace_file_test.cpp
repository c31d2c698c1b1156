// Traces: what they mean, and every way to get one wrong.
#include "traffic/trace_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace annelid::traffic {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kTitles = "id,cycle,source,destination,bytes,after\n";

std::vector<TraceMessage> read(const std::string& lines) {
  std::istringstream in(lines);
  return read_trace(in, 16);
}

TEST(Trace, ALineIsAMessageAndItsPredecessorsMayComeLater) {
  const auto trace =
      read("# a comment\n\n" + kTitles + "a,5,0,15,9,b;7\r\nb,0,1,0,0,\n 7 , 3 ,2,3,8,\n");
  ASSERT_EQ(trace.size(), 3u);
  EXPECT_EQ(trace[0].id, "a");
  EXPECT_EQ(trace[0].cycle, 5u);
  EXPECT_EQ(trace[0].source, 0u);
  EXPECT_EQ(trace[0].destination, 15u);
  EXPECT_EQ(trace[0].line, 4u);
  EXPECT_THAT(trace[0].after, ElementsAre(1, 2));
  EXPECT_EQ(trace[0].flits(), 4u);  // 9 bytes: head, header, two flits
  EXPECT_EQ(trace[1].flits(), 2u);
  EXPECT_EQ(trace[2].flits(), 3u);
}

TEST(Trace, AWrongLineIsQuotedAsAnExcerpt) {
  try {
    (void)read("\xef\xbb\xbf" + std::string(1'000'000, 'x') + "\n");
    FAIL() << "accepted";
  } catch (const TraceError& error) {
    EXPECT_LT(std::string_view(error.what()).size(), 2000u);
    EXPECT_THAT(error.what(), HasSubstr("found \"\\xef\\xbb\\xbfxxx")) << "what is not seen";
    EXPECT_THAT(error.what(), HasSubstr(" bytes] xxx"));
  }
}

struct Malformed {
  const char* name;
  const char* lines;  // after the titles
  std::size_t line;
  const char* text;
};

class BadTrace : public ::testing::TestWithParam<Malformed> {};

TEST_P(BadTrace, IsRefusedWithItsLine) {
  try {
    (void)read(kTitles + GetParam().lines);
    FAIL() << "accepted";
  } catch (const TraceError& error) {
    EXPECT_EQ(error.line(), GetParam().line) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(GetParam().text));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Lines, BadTrace,
    ::testing::Values(Malformed{"Empty", "", 0, "no messages"},
                      Malformed{"FewColumns", "a,0,1,2,8\n", 2, "5 columns"},
                      Malformed{"NoId", ",0,1,2,8,\n", 2, "id"},
                      Malformed{"Cycle", "a,-1,1,2,8,\n", 2, "cycle: found \"-1\""},
                      Malformed{"Source", "a,0,16,2,8,\n", 2, "0..15"},
                      Malformed{"Destination", "a,0,1,x,8,\n", 2, "destination: found \"x\""},
                      Malformed{"Bytes", "a,0,1,2,99999999,\n", 2, "bytes"},
                      Malformed{"IdTwice", "a,0,1,2,8,\na,0,1,2,8,\n", 3, "\"a\" again"},
                      Malformed{"UnknownPredecessor", "a,0,1,2,8,b\n", 2, "after: found \"b\""},
                      Malformed{"WaitsForItself", "a,0,1,2,8,a\n", 2, "waits for itself"},
                      Malformed{"Cycle3", "z,0,1,2,8,\na,0,1,2,8,z;c\nb,0,1,2,8,a\nc,0,1,2,8,b\n",
                                3, "waits for itself"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Trace, OtherTitlesAreRefused) {
  EXPECT_THROW((void)read("a,0,1,2,8,\n"), TraceError);
  EXPECT_THROW((void)read(""), TraceError);
}

}  // namespace
}  // namespace annelid::traffic
