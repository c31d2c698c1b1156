// `annelid timeline` and --timeline, as a user calls them.
#include <gmock/gmock.h>

#include <cstdint>
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
      w.path("out").string() + " --timeline " + w.path("run.html").string() + " --perfetto " +
      w.path("run.json").string());
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

/// A page's text without what only the run itself knows.
std::string without_trees(std::string page) {
  const std::size_t begin = page.find("\"trees\":\"");
  if (begin != std::string::npos) page.erase(begin, page.find("\",", begin) + 2 - begin);
  return page;
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
  EXPECT_FALSE(std::filesystem::exists(w.path("run.json"))) << "nobody asked for a trace";
  const std::string log = "timeline " + w.path("log.txt").string();
  const Outcome made = w.annelid(log);
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_FALSE(std::filesystem::exists(w.path("log.json")));
  EXPECT_TRUE(without_trees(w.text("run.html")) == w.text("log.html"));
  const std::string trace = " --perfetto " + w.path("log.json").string();
  const Outcome traced = w.annelid(log + trace);
  EXPECT_THAT(traced.out, HasSubstr("perfetto  " + w.path("log.json").string()));
  EXPECT_EQ(Json::parse(w.text("log.json"))["otherData"]["title"],
            data_of(w.text("log.html"))["title"]);

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
        Case{"Mesh", "scenarios/edn-broadcast-8x8.toml --firmware native"},
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
  const Outcome run = w.run("--quiet --firmware native --perfetto " + w.path("run.json").string() +
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
    const Outcome run = w.run("--quiet --timeline " + w.path(name + ".html").string() +
                              " --perfetto " + w.path(name + ".json").string() + rtl);
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
  expect_refused(w, w.annelid("run --quiet --perfetto x.html"),
                 {"--perfetto", "x.html", "ends in .json"});
  expect_refused(w, w.annelid("run --quiet --timeline-window 1:2"),
                 {"--timeline-window", "without --timeline and --perfetto"});
  expect_refused(w, w.annelid("run --quiet --timeline x.html --timeline-window 7:2"),
                 {"--timeline-window", "7:2", "FROM:TO"});
  const std::string log = w.file("x.json", "");
  expect_refused(w, w.annelid("timeline " + log + " --perfetto " + log),
                 {"--perfetto", "x.json", "which is read as FLITLOG", "another file"});
  expect_refused(w,
                 w.annelid("timeline " + log + " --perfetto " + w.path(".").string() + "/./x.json"),
                 {"--perfetto", "x.json", "which is read as FLITLOG", "another file"});
  EXPECT_EQ(w.text("x.json"), "");
  expect_refused(w,
                 w.run("--quiet --flit-log " + w.path("y.json").string() + " --perfetto " +
                       w.path(".").string() + "/y.json"),
                 {"--perfetto", "y.json", "which --flit-log writes", "another file"});
  EXPECT_FALSE(std::filesystem::exists(w.path("y.json")));
}

TEST(TimelineCommand, ShowsAWindowOfARunAndOfItsLog) {
  const Workplace w;
  const std::string run =
      "traffic --size 4x4 --load 0.3 --set traffic.measure=2000 --set traffic.warm_up=0 --quiet "
      "--out " +
      w.path("out").string() + " --flit-log " + w.path("log.txt").string() + " --timeline " +
      w.path("run.html").string() + " --timeline-window ";
  const Outcome part = w.annelid(run + "1000:1100");
  ASSERT_EQ(part.status, 0) << part.err;
  const Json data = data_of(w.text("run.html"));
  EXPECT_EQ(data["window"], Json({1000, 1100}));
  EXPECT_EQ(data["end"], 1101);
  EXPECT_GT(data["packets"].size(), 20u);
  EXPECT_LT(data["packets"].size(), 200u);
  const std::string log = "timeline " + w.path("log.txt").string() + " --window ";
  const Outcome made = w.annelid(log + "1000:1100");
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_TRUE(w.text("run.html") == w.text("log.html"));

  // Behind the end of the run: the run is as good as ever, but says that there is no page.
  std::filesystem::remove(w.path("run.html"));
  const Outcome behind = w.annelid(run + "900000:900100");
  EXPECT_EQ(behind.status, 0);
  EXPECT_THAT(behind.err, HasSubstr("--timeline-window: found 900000:900100, in which there is no "
                                    "packet, so neither page nor trace; the last flit is in"));
  EXPECT_FALSE(std::filesystem::exists(w.path("run.html")));
  const Outcome refused = w.annelid(log + "900000:");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--window: found 900000:, expected cycles in which there is a "
                                     "packet; the last flit is in cycle 2"));
}

TEST(TimelineCommand, ShowsLoadsOfVeryManyPackets) {
  const Workplace w;
  const Outcome o =
      w.annelid("traffic --size 4x4 --load 1 --set traffic.measure=9000 --out " +
                w.path("out").string() + " --timeline " + w.path("run.html").string());
  ASSERT_EQ(o.status, 0) << o.err;
  const std::string page = w.text("run.html");
  EXPECT_LT(page.size(), 400'000u);
  const Json data = data_of(page);
  EXPECT_EQ(data["packets"].size(), 0u);
  EXPECT_GT(data["loads"]["messages"], 20'000);
  std::map<std::string, std::uint64_t> flits;
  for (const Json& c : data["loads"]["channels"]) {
    flits[c[0].dump() + " " + data["channels"][c[1].get<std::size_t>()].get<std::string>()] = c[2];
  }
  const Json result = w.result();
  for (const Json& c : result["channels"]) {
    const int x = c["node"][0], y = c["node"][1];
    const std::string name = std::to_string(4 * y + x) + " " + c["channel"].get<std::string>();
    EXPECT_GE(flits[name] + 0.5, 9000 * c["load"].get<double>()) << c;  // and what drains
  }
}

TEST(TimelineCommand, ShowsWhenCoresWork) {
  const Workplace w;
  const std::string elf = w.path("race.elf").string();
  ASSERT_EQ(
      w.annelid("firmware build " ANNELID_SOURCE_DIR "/examples/programs/race.c -o " + elf).status,
      0);
  const Outcome o = w.annelid("firmware run " + elf + " --size 3x1 --mode non-barrier --timeline " +
                              w.path("run.html").string());
  ASSERT_EQ(o.status, 0) << o.err;
  const Json data = data_of(w.text("run.html"));
  ASSERT_EQ(data["cores"].size(), 3u);
  std::size_t sleeps = 0;
  for (const Json& core : data["cores"]) {
    EXPECT_EQ(core[0], 0) << "it begins in cycle 0";
    std::uint64_t at_work = 0, asleep = 0;
    for (std::size_t i = 0; i < core.size(); ++i) {
      (i % 2 == 1 ? at_work : asleep) += core[i].get<std::uint64_t>();
    }
    EXPECT_GT(at_work, 1000u);
    EXPECT_LE(at_work + asleep, data["end"].get<std::uint64_t>());
    sleeps += core.size() / 2 - 1;
  }
  EXPECT_GE(sleeps, 3u);

  const Outcome part =
      w.annelid("firmware run " + elf + " --size 3x1 --mode non-barrier --timeline " +
                w.path("part.html").string() + " --timeline-window 9000:12000");
  ASSERT_EQ(part.status, 0) << part.err;
  const Json window = data_of(w.text("part.html"));
  EXPECT_LE(window["begin"], 9000);
  EXPECT_EQ(window["end"], 12001);
  for (const Json& core : window["cores"]) {
    std::uint64_t at = window["begin"];
    if (!core.empty()) {
      EXPECT_GE(at + core[0].get<std::uint64_t>(), 9000u);
    }
    for (const Json& cycles : core) at += cycles.get<std::uint64_t>();
    EXPECT_LE(at, 12001u);
  }
}

// Cores may run ahead of the network, and a trace keeps them from it.
TEST(TimelineCommand, IsTheSameBesideATraceOfTheCores) {
  const Workplace w;
  const std::string run =
      "run --size 4x4 --operation all-reduce --bytes 256 --firmware rv32 --quiet";
  const auto page = [&](const std::string& name, const std::string& more) {
    const Outcome o = w.annelid(run + " --timeline " + w.path(name).string() + more);
    EXPECT_EQ(o.status, 0) << o.err;
    return w.text(name);
  };
  EXPECT_TRUE(page("alone.html", "") == page("traced.html", " --trace " + w.path("t").string()));
}

TEST(TimelineCommand, ShowsTheTreeOfEachMessage) {
  const Workplace w;
  const Outcome o = w.annelid(
      "run --operation broadcast --algorithm two-tree --size 4x4 --bytes 512 --firmware native "
      "--quiet --out " +
      w.path("out").string() + " --timeline " + w.path("run.html").string());
  ASSERT_EQ(o.status, 0) << o.err;
  const Json data = data_of(w.text("run.html"));
  const std::string trees = data["trees"];
  ASSERT_EQ(trees.size(), data["packets"].size());
  // In each tree every node but the root has one parent.
  std::map<char, std::map<int, std::set<int>>> parents;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const Json& packet = data["packets"][i];
    const bool control = (packet[5].get<int>() & 1) != 0;
    EXPECT_EQ(trees[i] == '0', control);
    if (!control) parents[trees[i]][packet[1]].insert(packet[0].get<int>());
  }
  ASSERT_EQ(parents.size(), 2u);
  for (const auto& [tree, of] : parents) {
    EXPECT_EQ(of.size(), 15u) << tree;
    for (const auto& [node, senders] : of) EXPECT_EQ(senders.size(), 1u) << tree << " " << node;
  }
  EXPECT_NE(parents['1'], parents['2']);
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
