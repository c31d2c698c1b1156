// Files of times: CSV of two columns and of named ones, what OSU benchmarks print, and what is
// refused, with its line. State space: separators, line ends, headers, comments; the headers of OSU
// versions 2 to 7; each kind of mistake.
#include "studies/tau/point_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/input_error.hpp"

namespace annelid::studies {
namespace {

using reference::models::Point;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::vector<std::pair<double, double>> lengths_and_times(const PointFile& file) {
  std::vector<std::pair<double, double>> all;
  for (const Point& p : file.points) all.emplace_back(p.bytes, p.time);
  return all;
}

const std::vector<std::pair<double, double>> kThree = {{8, 2.5}, {64, 3}, {512, 10}};

TEST(PointFile, ReadsTwoColumnsWhateverSeparatesThem) {
  for (const char* text :
       {"8,2.5\n64,3\n512,10\n", "8;2.5\n64;3\n512;10", "8\t2.5\n64\t3\n512\t10\n",
        "  8   2.5\n 64     3\n512 1e1\n", "8, 2.5\r\n64, 3\r\n512, 10\r\n",
        "\xEF\xBB\xBF# a comment\n\n8,2.5 # behind a point\n64,3\n\n512,10\n\n"}) {
    const PointFile file = parse_points("t.csv", text);
    EXPECT_EQ(lengths_and_times(file), kThree) << text;
    EXPECT_EQ(file.title, "t.csv");
    EXPECT_EQ(file.unit, "");
    EXPECT_FALSE(file.has_nodes);
  }
}

TEST(PointFile, ReadsNamesAndUnitsOfColumns) {
  const PointFile swapped = parse_points("t.csv", "Time (us),Bytes\n2.5,8\n3,64\n10,512\n");
  EXPECT_EQ(lengths_and_times(swapped), kThree);
  EXPECT_EQ(swapped.unit, "us");
  EXPECT_EQ(parse_points("t.csv", "size cycles\n8 2.5\n").unit, "cycles");
  const PointFile all = parse_points("t.csv",
                                     "nodes,messages,bytes,time (cycles),sender,receiver,command\n"
                                     "4,1,8,20,12,3,\"annelid run --root 0,0\"\n4,2,8,30,,,\n");
  ASSERT_EQ(all.points.size(), 2u);
  EXPECT_TRUE(all.has_nodes);
  EXPECT_EQ(all.points[0].nodes, 4);
  EXPECT_EQ(all.points[1].messages, 2);
  EXPECT_EQ(all.points[0].sender, 12);
  EXPECT_EQ(all.points[0].receiver, 3);
  EXPECT_FALSE(all.points[1].sender);
}

TEST(PointFile, ReadsWhatTheOsuBenchmarksPrint) {
  for (const char* text :
       {"# OSU MPI Latency Test (Version 2.0)\n# Size Latency (us)\n8 2.50\n64 3.00\n512 10.00\n",
        "Rank 1 - About to run\n\n# OSU MPI Latency Test v5.6.2\n# Size          Latency (us)\n"
        "8                       2.50\n64                      3.00\n512                    "
        "10.00\n",
        "\n# OSU MPI Broadcast Latency Test v7.3\n# Datatype: MPI_CHAR.\n"
        "# Size       Avg Latency(us)\n8   2.50\n64   3.00\n512   10.00\n\n",
        "# OSU MPI Allreduce Latency Test v5.9\n"
        "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
        "8   2.50  2.1 2.9 1000\n64   3.00  2.9 3.1 1000\n512   10.00 9.8 11.0 100\n",
        "# Size          Latency (us)\n8  2.50\n64 3.00\n512  10.00\n"}) {
    const PointFile file = parse_points("osu.txt", text);
    EXPECT_EQ(lengths_and_times(file), kThree) << text;
    EXPECT_EQ(file.unit, "us");
  }
  EXPECT_EQ(
      parse_points("osu.txt", "# OSU MPI Latency Test v5.6.2\n# Size Latency (us)\n0 1\n").title,
      "osu.txt (OSU MPI Latency Test v5.6.2)");
}

struct Mistake {
  const char* name;
  const char* text;
  const char* where;
  const char* found;
  const char* expected;
};
class PointFileMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(PointFileMistake, IsRefusedWithItsLine) {
  try {
    (void)parse_points("t.csv", GetParam().text);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr(GetParam().where), HasSubstr(GetParam().found),
                                    HasSubstr(GetParam().expected)));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Each, PointFileMistake,
    ::testing::Values(
        Mistake{"NoNumber", "8,2\n64,fast\n", "t.csv:2: ", "\"fast\"", "a time"},
        Mistake{"NoLength", "8,2\nx,3\n", "t.csv:2: ", "\"x\"", "a length in bytes"},
        Mistake{"NegativeTime", "8,2\n\n64,-3\n", "t.csv:3: ", "\"-3\"", "a time above 0"},
        Mistake{"NoTime", "8,0\n", "t.csv:1: ", "\"0\"", "a time above 0"},
        Mistake{"Infinite", "8,inf\n", "t.csv:1: ", "\"inf\"", "a number"},
        Mistake{"NegativeLength", "-8,2\n", "t.csv:1: ", "\"-8\"", "at least 0"},
        Mistake{"PartOfAByte", "8.5,2\n", "t.csv:1: ", "\"8.5\"", "a whole number"},
        Mistake{"Unsorted", "8,2\n512,9\n64,3\n", "t.csv:3: ", "the length 64 behind 512",
                "ascending lengths"},
        Mistake{"Twice", "# x\n8,2\n8,3\n", "t.csv:3: ", "the length 8 a second time, after line 2",
                "each length once"},
        Mistake{"OneColumn", "8\n", "t.csv:1: ", "1 column", "two"},
        Mistake{"ThreeColumns", "8,2,3\n", "t.csv:1: ", "3 columns",
                "a first line with their names"},
        Mistake{"LateColumn", "8,2\n64,3,4\n", "t.csv:2: ", "3 columns", "2"},
        Mistake{"UnknownName", "bites,time\n8,2\n", "t.csv:1: ", "\"bites\"",
                "did you mean \"bytes\"?"},
        Mistake{"NameTwice", "bytes,size,time\n8,8,2\n", "t.csv:1: ", "\"size\"", "one"},
        Mistake{"NoTimes", "bytes,nodes\n8,2\n", "t.csv:1: ", "no column of time",
                "bytes and time"},
        Mistake{"NoNodes", "nodes,bytes,time\n0,8,2\n", "t.csv:2: ", "\"0\"", "at least 1"},
        Mistake{"OpenQuote", "8,2\n6\"4,3\n", "t.csv:2: ", "6\"4,3", "closed quotes"},
        Mistake{"NoPoints", "# nothing\n", "t.csv: ", "no points", "result.json"},
        Mistake{"Binary", "\x01\x02\n", "t.csv:1: ", "the column", "bytes and time"},
        Mistake{"OsuBandwidth", "# OSU MPI Bandwidth Test v5.6.2\n# Size  Bandwidth (MB/s)\n1 3\n",
                "t.csv:2: ", "Bandwidth", "osu_latency"},
        Mistake{"OsuBarrier", "# OSU MPI Barrier Latency Test v5.3\n# Avg Latency(us)\n  16.7\n",
                "t.csv:2: ", "Avg Latency(us)", "\"Size\""},
        Mistake{"OsuTwice",
                "# OSU MPI Latency Test v5\n# Size Latency (us)\n1 1\n# OSU MPI Latency Test v5\n",
                "t.csv:4: ", "a second output", "one in each file"},
        Mistake{"OsuBroken", "# OSU MPI Latency Test v5\n# Size Latency (us)\n1 1\nAborted\n",
                "t.csv:4: ", "1 column", "2"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace annelid::studies
