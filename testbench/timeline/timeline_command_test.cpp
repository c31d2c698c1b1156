// `annelid timeline` and --timeline, as a user calls them.
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

/// The data of a page.
Json data_of(const std::string& html) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t at = html.find(begin) + begin.size();
  return Json::parse(html.substr(at, html.find("</script>", at) - at));
}

// A ring whose packets wait for each other.
TEST(TimelineOfADeadlock, ShowsTheCircleAndNoEndOfWhatDidNotArrive) {
  const Workplace w;
  const Outcome o = w.annelid(
      "traffic --size 8 --topology torus --vcs 1 --allow-deadlock true --pattern tornado --load "
      "0.9 --set traffic.measure=2000 --set traffic.warm_up=0 --out " +
      w.path("out").string() + " --timeline " + w.path("run.html").string());
  ASSERT_EQ(o.status, 1) << o.err;
  const Json data = data_of(w.text("run.html"));
  EXPECT_EQ(data["stall"]["circle"], true);
  const Json& stops = data["stall"]["stops"];
  ASSERT_GE(stops.size(), 3u);
  std::set<int> nodes;
  for (const Json& stop : stops) {
    const Json& packet = data["packets"][stop[0].get<std::size_t>()];
    EXPECT_EQ(packet[5].get<int>() & 2, 0) << "it has arrived: " << packet;
    EXPECT_EQ(data["channels"][stop[2].get<std::size_t>()], "+x");
    EXPECT_TRUE(nodes.insert(stop[1].get<int>()).second);
    // The text names the same packets.
    EXPECT_THAT(o.err, HasSubstr("packet " + std::to_string(packet[0].get<int>()) + ",0 -> " +
                                 std::to_string(packet[1].get<int>()) + ",0"));
  }

  const std::uint64_t end = data["end"];
  EXPECT_GT(end, data["stall"]["since"]);
  const Json trace = Json::parse(w.text("run.json"));
  std::size_t circles = 0, unfinished = 0, waiting = 0;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    const std::string name = event["name"];
    if (name.starts_with("deadlock: #")) ++circles;
    if (name.starts_with("waits at ")) {
      ++waiting;
      EXPECT_THAT(event["args"]["cause"].get<std::string>(), HasSubstr(" #"));
      EXPECT_EQ(event["ts"].get<std::uint64_t>() + event["dur"].get<std::uint64_t>(), end);
    }
    if (!name.ends_with("has not arrived") && !name.ends_with("(has not arrived)")) continue;
    ++unfinished;
    EXPECT_EQ(event["ts"].get<std::uint64_t>() + event["dur"].get<std::uint64_t>(), end) << event;
  }
  EXPECT_EQ(circles, 1u);
  EXPECT_GE(unfinished, 2 * stops.size());
  EXPECT_EQ(waiting, data["waiting"].size());
  EXPECT_GT(waiting, stops.size());
}

struct Case {
  const char* name;
  const char* arguments;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class TimelineRuns : public ::testing::TestWithParam<Case> {};

TEST_P(TimelineRuns, AreTheSameFromTheRunAndFromItsLogAndAgreeWithResultJson) {
  const Workplace w;
  const Outcome o = w.annelid(
      std::string("run ") + GetParam().arguments + " --out " + w.path("out").string() +
      " --timeline " + w.path("run.html").string() + " --flit-log " + w.path("log.txt").string());
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("timeline  " + w.path("run.html").string()));
  const Outcome made = w.annelid("timeline " + w.path("log.txt").string());
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("perfetto  " + w.path("log.json").string()));
  EXPECT_TRUE(w.text("run.html") == w.text("log.html"));
  EXPECT_TRUE(w.text("run.json") == w.text("log.json"));

  const Json result = w.result(), data = data_of(w.text("run.html"));
  std::map<std::pair<Json, std::string>, std::uint64_t> flits;
  std::map<int, int> steps;
  std::uint64_t control = 0;
  const int dims = data["dims"];
  for (const Json& packet : data["packets"]) {
    EXPECT_EQ(packet[5].get<int>() & 2, 2) << packet;
    if ((packet[5].get<int>() & 1) != 0) {
      ++control;
    } else {
      ++steps[packet[3]];
    }
    for (std::size_t h = 6; h < packet.size(); ++h) {
      const int node = packet[h][0], x = data["size"][0], y = data["size"][1];
      Json at = {node % x, node / x % y, node / x / y};
      while (at.size() > static_cast<std::size_t>(dims)) at.erase(at.size() - 1);
      const Json& lengths = packet[h][4];
      std::uint64_t sum = 0;
      for (std::size_t b = 0; b < lengths.size(); b += 2) {
        sum += lengths.is_array() ? lengths[b].get<std::uint64_t>() : lengths.get<std::uint64_t>();
      }
      flits[{at, data["channels"][packet[h][1].get<std::size_t>()]}] += sum;
    }
  }
  EXPECT_EQ(steps.size(), result["steps"].size());
  for (const Json& step : result["steps"]) EXPECT_EQ(steps[step["step"]], step["messages"]);
  const Json packets = result.value("control_packets", Json{{"messages", 0}});
  EXPECT_EQ(control, packets["messages"]);
  EXPECT_EQ(flits.size(), result["channels"].size());
  for (const Json& c : result["channels"]) {
    const std::pair<Json, std::string> channel(c["node"], c["channel"]);
    EXPECT_EQ(flits[channel], c["flits"]) << c;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Timeline, TimelineRuns,
    ::testing::Values(
        Case{"Mesh", "scenarios/edn-broadcast-8x8.toml"},
        Case{"Torus3d",
             "--operation all-reduce --size 4x4x2 --topology torus,torus,mesh --vcs 4 "
             "--stages 3 --bytes 200 --firmware native"},
        Case{"OnePort",
             "--operation all-to-all --size 4x4 --router one-port --stages 2 "
             "--link-registers 1 --bytes 32 --firmware native"},
        Case{"Line", "--operation gather --size 9 --bytes 100 --firmware native"},
        Case{"Ideal",
             "--operation scan --algorithm two-tree --size 4x4 --topology ideal --bytes "
             "640 --firmware native"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(TimelineCommand, NumbersMessagesAsAWaveformDoes) {
  const Workplace w;
  const Outcome run = w.run("--quiet --firmware native --timeline " + w.path("run.html").string() +
                            " --wave " + w.path("run.fst").string());
  ASSERT_EQ(run.status, 0) << run.err;
  const Outcome list = w.annelid("wave --list " + w.path("run.fst").string());
  ASSERT_EQ(list.status, 0) << list.err;

  // The trace names each packet's track by its number; the list has a line for each message.
  const Json trace = Json::parse(w.text("run.json"));
  std::map<std::pair<Json, Json>, std::string> names;  // by process and thread
  for (const Json& e : trace["traceEvents"]) {
    if (e["name"] == "thread_name") names[{e["pid"], e["tid"]}] = e["args"]["name"];
  }
  std::map<int, std::string> messages;  // "cycle step source>destination #tag"
  int control = 0;
  for (const Json& e : trace["traceEvents"]) {
    if (e["ph"] != "X" || !e["args"].contains("tag")) continue;
    const std::string name = names[{e["pid"], e["tid"]}];
    if (e["args"].contains("control_packet")) {
      ++control;
      EXPECT_EQ(name.rfind("#c", 0), 0u) << name;
      continue;
    }
    const int number = e["args"]["message"];
    EXPECT_EQ(name, "#" + std::to_string(number) + " " + e["name"].get<std::string>());
    std::string way = e["name"];
    way.replace(way.find(" → "), std::string(" → ").size(), ">");
    messages[number] = e["ts"].dump() + " " + e["args"]["step"].dump() + " " + way + " #" +
                       e["args"]["tag"].dump();
  }
  EXPECT_GT(control, 10);
  std::istringstream lines(list.out);
  std::string titles;
  std::getline(lines, titles);
  std::size_t listed = 0;
  int number = 0;
  for (std::string cycle, step, way, tag; lines >> number >> cycle >> step >> way >> tag;) {
    ++listed;
    EXPECT_EQ(messages[number], cycle + " " + step + " " + way + " " + tag);
  }
  EXPECT_EQ(listed, 63u);
  EXPECT_EQ(messages.size(), listed);
}

TEST(TimelineCommand, ShowsTrafficAndRtlToo) {
  const Workplace w;
  const std::string traffic =
      "traffic --size 4x4 --load 0.3 --quiet --out " + w.path("out").string();
  const Outcome o = w.annelid(traffic + " --timeline " + w.path("traffic.html").string());
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_GT(data_of(w.text("traffic.html"))["packets"].size(), 1000u);
  for (const char* rtl : {"", " --rtl all"}) {
    const std::string name = *rtl == 0 ? "model" : "rtl";
    const Outcome run = w.run("--quiet --timeline " + w.path(name + ".html").string() + rtl);
    ASSERT_EQ(run.status, 0) << run.err;
  }
  EXPECT_TRUE(w.text("model.html") == w.text("rtl.html"));
  EXPECT_TRUE(w.text("model.json") == w.text("rtl.json"));
}

TEST(TimelineCommand, RefusesWhatItCannotWrite) {
  const Workplace w;
  expect_refused(w, w.annelid("run --quiet --timeline x.png"),
                 {"--timeline", "x.png", "ends in .html"});
  expect_refused(w, w.annelid("run --quiet --timeline /proc/x.html"),
                 {"--timeline", "cannot be written"});
  const std::string log = w.file("x.json", "");
  expect_refused(w, w.annelid("timeline " + log),
                 {"--html", "x.json", "which is read as FLITLOG", "another file"});
  expect_refused(w, w.annelid("timeline " + log + " --html " + w.path(".").string() + "/./x.html"),
                 {"--html", "x.json", "which is read as FLITLOG", "another file"});
  EXPECT_EQ(w.text("x.json"), "");
  expect_refused(w,
                 w.run("--quiet --flit-log " + w.path("y.json").string() + " --timeline " +
                       w.path(".").string() + "/y.html"),
                 {"--timeline", "y.json", "which --flit-log writes", "another file"});
  EXPECT_FALSE(std::filesystem::exists(w.path("y.json")));
}

struct BadLog {
  const char* name;
  const char* text;
  std::vector<std::string> said;
};
void PrintTo(const BadLog& b, std::ostream* out) { *out << b.name; }

class BadLogs : public ::testing::TestWithParam<BadLog> {};

constexpr const char* kHeader = "# title\n# network: --size 4x4 --topology mesh\n";

TEST_P(BadLogs, AreRefusedWithFileAndLine) {
  const Workplace w;
  std::string text = GetParam().text;
  if (!text.starts_with('#')) text = kHeader + text;
  const std::string log = w.file("bad.log", text);
  std::vector<std::string> said = GetParam().said;
  said.front() = log + ":" + said.front();
  expect_refused(w, w.annelid("timeline " + log), said);
}

INSTANTIATE_TEST_SUITE_P(
    Timeline, BadLogs,
    ::testing::Values(
        BadLog{"NoHeader", "#\n1 0,0 inj0 0 B 0", {"2: header", "# network: "}},
        BadLog{"NoFlits", "# network: --size 4x4\n", {"2: line", "a flit"}},
        BadLog{"UnknownOption", "# network: --sice 4x4\n", {"1: network", "--sice"}},
        BadLog{"BadSize", "# network: --size 0x4\n1", {"1: --size", "0"}},
        BadLog{"BadValue", "# network: --vcs two\n1", {"1: --vcs", "two", "an integer"}},
        BadLog{"ShortLine", "1 0,0 inj0 0 B", {"3: line", "5 words", "cycle node channel"}},
        BadLog{"Cycle", "x 0,0 inj0 0 B 0", {"3: cycle", "\"x\""}},
        BadLog{"Node", "1 4,0 inj0 0 B 0", {"3: node", "\"4\"", "0 to 3"}},
        BadLog{"ChannelAtTheEdge", "1 3,0 +x 0 B 0", {"3: channel", "\"+x\"", "a neighbour"}},
        BadLog{"Coordinates", "1 1,0,0 inj0 0 B 0", {"3: node", "\"1,0,0\""}},
        BadLog{"Channel", "1 0,0 +z 0 B 0", {"3: channel", "\"+z\""}},
        BadLog{"Vc", "1 0,0 +x 1 B 0", {"3: vc", "\"1\"", "0 to 0"}},
        BadLog{"Kind", "1 0,0 +x 0 X 0", {"3: kind", "\"X\""}},
        BadLog{"Data", "1 0,0 +x 0 B xyz", {"3: data", "\"xyz\""}},
        BadLog{"HeadAgainstData",
               "1 0,0 inj0 0 S 0001000000000001 0,0>2,0 1",
               {"3: head", "\"0,0>2,0 1\"", "\"0,0>1,0 1\""}},
        BadLog{"Label",
               "1 0,0 inj0 0 S 0001000000000001 0,0>1,0 1 steps 2",
               {"3: head", "\"steps\"", "control"}},
        BadLog{
            "BackInTime",
            "5 0,0 inj0 0 S 0001000000000001 0,0>1,0 1\n4 0,0 inj0 0 S 0001000000000001 0,0>1,0 1",
            {"4: cycle", "4", "ascending"}},
        BadLog{"OptionWithoutValue",
               "# network: --size 4x4 --vcs\n1",
               {"1: --vcs", "nothing", "an integer"}},
        BadLog{"TwoFlitsInACycle",
               "1 0,0 inj0 0 H 0001000000000001 0,0>1,0 1\n1 0,0 inj0 0 T 0",
               {"4: flit", "in one cycle"}},
        BadLog{
            "TwoHeadsInACycle",
            "1 0,0 inj0 0 S 0001000000000001 0,0>1,0 1\n1 0,0 inj0 0 S 0001000000000001 0,0>1,0 1",
            {"4: flit", "in one cycle"}},
        BadLog{"BodyAlone", "1 0,0 +x 0 B 0", {"3: flit", "without a head"}},
        BadLog{"HeadFromNowhere",
               "1 0,0 +x 0 S 0001000000000001 0,0>1,0 1",
               {"3: flit", "not on a channel to this node"}}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace annelid::end_to_end
