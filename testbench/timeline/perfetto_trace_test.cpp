// The trace: its events are what Perfetto's importer asks for, nest, and say what the run says.
#include "timeline/perfetto_trace.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "testbench/parameter_name.hpp"
#include "testbench/systemc/names.hpp"
#include "testbench/timeline/recorded_run.hpp"

namespace annelid::timeline {
namespace {

using Json = nlohmann::json;

struct Slice {
  Cycle begin, end;
  const Json* event;
};

/// The complete events of each track, outer ones before those that they contain.
std::map<std::pair<int, int>, std::vector<Slice>> tracks(const Json& trace) {
  std::map<std::pair<int, int>, std::vector<Slice>> all;
  for (const Json& e : trace["traceEvents"]) {
    if (e["ph"] != "X") continue;
    const Cycle ts = e["ts"], dur = e["dur"];
    all[{e["pid"], e["tid"]}].push_back({ts, ts + dur, &e});
  }
  for (auto& [track, slices] : all) {
    std::ranges::stable_sort(slices, [](const Slice& a, const Slice& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
  }
  return all;
}

class Traces : public ::testing::TestWithParam<systemc::NetworkConfig> {};

TEST_P(Traces, AreWellFormedAndNestAndCountWhatTheRunHas) {
  RecordedNetwork network(GetParam(), {.load = 0.5, .packets = 10});
  network.finish();
  RecordedRun run = network.run();
  run.title = "a \"title\"";
  const Json trace = Json::parse(perfetto_trace(run));
  EXPECT_EQ(trace["otherData"]["title"], run.title);

  std::map<std::string, int> kinds;
  std::map<int, std::string> processes;
  std::set<std::pair<int, int>> named;
  for (const Json& e : trace["traceEvents"]) {
    const std::string ph = e["ph"];
    ++kinds[ph];
    ASSERT_TRUE(e["name"].is_string() && e["pid"].is_number_integer() &&
                e["tid"].is_number_integer())
        << e;
    if (ph == "M") {
      if (e["name"] == "process_name") processes[e["pid"]] = e["args"]["name"];
      if (e["name"] == "thread_name") named.emplace(e["pid"], e["tid"]);
      continue;
    }
    ASSERT_TRUE(e["ts"].is_number_unsigned()) << e;
    if (ph == "X") {
      ASSERT_GT(e["dur"].get<std::int64_t>(), 0) << e;
    }
  }
  EXPECT_THAT(processes, ::testing::ElementsAre(std::pair(1, "steps"), std::pair(2, "messages"),
                                                std::pair(3, "nodes"), std::pair(4, "channels"),
                                                std::pair(5, "control packets")));

  std::size_t messages = 0, steps = 0, hops = 0;
  for (const auto& [track, slices] : tracks(trace)) {
    EXPECT_TRUE(named.contains(track)) << track.first << " " << track.second;
    std::vector<Slice> open;
    for (const Slice& s : slices) {
      while (!open.empty() && open.back().end <= s.begin) open.pop_back();
      ASSERT_TRUE(open.empty() || s.end <= open.back().end) << *s.event << *open.back().event;
      if (track.first == 3 || track.first == 4) {
        EXPECT_TRUE(open.empty()) << *s.event;
      }
      open.push_back(s);
      steps += track.first == 1;
      hops += track.first >= 3;
    }
    if (track.first != 2) continue;
    ++messages;
    const Json& outer = *slices[0].event;
    const Journey& j = run.journeys[outer["args"]["message"].get<std::size_t>() - 1];
    EXPECT_EQ(outer["ts"], j.hops.front().head());
    EXPECT_EQ(slices[0].end, j.hops.back().end());
    EXPECT_EQ(outer["args"]["flits"], j.hops.front().flits());
    EXPECT_EQ(outer["args"]["head_wait_cycles"], j.waited());
    // A slice for each router and the arrival, and one for each wait.
    const auto waits = std::ranges::count_if(j.hops, [](const Hop& h) { return h.waited() > 0; });
    EXPECT_EQ(slices.size(), 1 + j.hops.size() + static_cast<std::size_t>(waits));
  }
  EXPECT_EQ(messages, 160u);
  EXPECT_EQ(steps, 1u);  // all random traffic has step 1
  std::size_t expected_hops = 0;
  for (const Journey& j : run.journeys) expected_hops += j.hops.size();
  EXPECT_EQ(hops, expected_hops);
  EXPECT_EQ(kinds["s"], 160);
  EXPECT_EQ(kinds["f"], 160);
}

INSTANTIATE_TEST_SUITE_P(PerfettoTrace, Traces, ::testing::ValuesIn(networks()),
                         test::ParameterName());

TEST(PerfettoTrace, HoldsCoresAndTreesIfTheRunHasThem) {
  RecordedNetwork network(networks()[0], {.load = 0.5, .packets = 1});
  network.finish();
  RecordedRun run = network.run();
  run.cores = {{{0, 5}, {9, 12}}, {}};
  run.trees.assign(run.journeys.size(), 2);
  const Json trace = Json::parse(perfetto_trace(run));
  std::vector<std::pair<Cycle, Cycle>> work;
  for (const Json& e : trace["traceEvents"]) {
    if (e["ph"] != "X") continue;
    if (e["pid"] == 6) work.emplace_back(e["ts"], e["dur"]);
    if (e["args"].contains("tag")) {
      EXPECT_EQ(e["args"]["tree"], 2);
    }
  }
  EXPECT_THAT(work, ::testing::ElementsAre(std::pair(0, 5), std::pair(9, 3)));
}

}  // namespace
}  // namespace annelid::timeline
