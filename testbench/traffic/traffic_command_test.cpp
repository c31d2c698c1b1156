// `annelid traffic` as its user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

Outcome traffic(const Workplace& w, const std::string& arguments, const std::string& out = "out") {
  return w.annelid("traffic --out " + w.path(out).string() + " " + arguments);
}

constexpr const char* kShort = " --warm-up 500 --measure 2000 --drain 3000 ";

TEST(Traffic, SaysWhatARouterDesignerWantsToKnow) {
  const Workplace w;
  const Outcome o = traffic(w, std::string("--load 0.1") + kShort);
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.err, "") << "no progress line in a pipe";
  for (const char* text : {"uniform traffic, 8x8 mesh", "all-port, 4 local ports, 1 VC of 4 flits",
                           "offered 0.0", "at most 0.4922", "zero load     13.33", "flit-hops/s",
                           "median", "busiest", "result.json"}) {
    EXPECT_THAT(o.out, HasSubstr(text));
  }
  const json r = w.result();
  EXPECT_FALSE(r["saturated"]);
  EXPECT_NEAR(r["throughput"]["accepted"].get<double>(), 0.1, 0.01);
  EXPECT_GE(r["latency"]["total"]["p99"], r["latency"]["total"]["p95"]);
  EXPECT_GE(r["latency"]["total"]["p95"], r["latency"]["total"]["median"]);
  EXPECT_EQ(r["configuration"]["router"]["depth"], 4);
  EXPECT_GT(r["channels"].size(), 400u);
  EXPECT_EQ(r["occupancy"].size(), 2u);
}

TEST(Traffic, IsDataAndLeavesControlVcsEmpty) {
  const Workplace w;
  for (const char* network : {"--size 4x4 --vcs 2 --local-vcs 2", "--size 5x4 --topology torus",
                              "--size 4x4 --topology ideal", "--size 4x4 --router one-port"}) {
    const std::string common =
        std::string("--quiet --load 0.3 --warm-up 100 --measure 500 ") + network;
    ASSERT_EQ(traffic(w, common, "without").status, 0);
    ASSERT_EQ(traffic(w, common + " --control-vc true", "with").status, 0);
    json without = w.result("without"), with = w.result("with");
    EXPECT_EQ(with["configuration"]["router"]["control_vc"], true);
    EXPECT_EQ(without["configuration"]["router"]["control_vc"], false);
    with["configuration"]["router"].erase("control_vc");
    without["configuration"]["router"].erase("control_vc");
    EXPECT_EQ(with, without) << network;
  }
}

TEST(Traffic, EqualSeedsGiveEqualBytesAndOthersDoNot) {
  const Workplace w;
  const std::string common = std::string(
                                 "--quiet --size 5x4 --flits 1:0.8,9:0.2 --injection bursty "
                                 "--load 0.3 --vcs 2") +
                             kShort;
  for (const auto& [name, seed] : {std::pair{"a", "7"}, std::pair{"b", "7"}, std::pair{"c", "8"}}) {
    const std::string log = w.path(std::string(name) + ".log").string();
    const std::string packets = w.path(std::string(name) + ".csv").string();
    const Outcome o = traffic(
        w, common + "--seed " + seed + " --flit-log " + log + " --packets " + packets, name);
    ASSERT_EQ(o.status, 0) << o.err;
  }
  EXPECT_GT(w.text("a.log").size(), 100'000u);
  EXPECT_EQ(w.text("a.log"), w.text("b.log"));
  EXPECT_EQ(w.text("a.csv"), w.text("b.csv"));
  EXPECT_EQ(w.text("a/result.json"), w.text("b/result.json"));
  EXPECT_NE(w.text("a.log"), w.text("c.log"));
  EXPECT_NE(w.text("a.csv"), w.text("c.csv"));
}

TEST(Traffic, RecordingChangesNoResult) {
  const Workplace w;
  const std::string common = std::string("--quiet --size 4x4 --load 0.3") + kShort;
  ASSERT_EQ(traffic(w, common, "plain").status, 0);
  ASSERT_EQ(traffic(w,
                    common + "--wave " + w.path("w.fst").string() + " --packets " +
                        w.path("p.csv").string(),
                    "recorded")
                .status,
            0);
  auto plain = w.result("plain"), recorded = w.result("recorded");
  EXPECT_EQ(plain["kernel"], "planes");
  EXPECT_EQ(recorded["kernel"], "routers");
  plain.erase("kernel");
  recorded.erase("kernel");
  EXPECT_EQ(plain, recorded);
  EXPECT_GT(w.text("w.fst").size(), 10'000u);
  EXPECT_THAT(w.text("w.gtkw"), HasSubstr("w.fst"));
}

TEST(Traffic, RtlRoutersGiveTheSameBytes) {
  const Workplace w;
  const std::string common = std::string("--quiet --size 4x4 --load 0.4") + kShort;
  for (const auto& [name, rtl] : {std::pair{"model", ""}, std::pair{"rtl", " --rtl 1,5,6"}}) {
    const std::string log = " --flit-log " + w.path(std::string(name) + ".log").string();
    ASSERT_EQ(traffic(w, common + log + rtl, name).status, 0);
  }
  EXPECT_GT(w.text("model.log").size(), 100'000u);
  EXPECT_EQ(w.text("model.log"), w.text("rtl.log"));
  EXPECT_EQ(w.text("model/result.json"), w.text("rtl/result.json"));
}

TEST(Traffic, OfNothingHasNoStatistics) {
  const Workplace w;
  // Too short for a packet to arrive, and too short for a packet to be created.
  for (const auto& [arguments, packets, why] :
       {std::tuple{"--load 0.5 --warm-up 10 --measure 5 --drain 1", 2,
                   "not drained: 2 of 2 measured packets had not arrived 1 cycles after the "
                   "measurement; so there are no latencies and hops"},
        std::tuple{"--flits 5000 --load 0.3 --warm-up 100 --measure 1000", 0,
                   "empty: no packet was created in the 1000 cycles of the measurement, where 0.96 "
                   "were expected"}}) {
    const Outcome o = traffic(w, std::string("--size 4x4 ") + arguments);
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_THAT(o.out, HasSubstr("  total             -        -        -        -        -\n"));
    EXPECT_THAT(o.out, HasSubstr("  network           -        -        -        -        -\n"));
    EXPECT_THAT(o.out, HasSubstr("  hops        mean -, expected 2.667\n"));
    EXPECT_THAT(o.out, HasSubstr(why));
    const json r = w.result();
    EXPECT_EQ(r["packets"], packets);
    for (const char* which : {"total", "network"}) {
      EXPECT_EQ(r["latency"][which]["count"], 0);
      for (const char* statistic : {"mean", "median", "p95", "p99", "max"}) {
        EXPECT_TRUE(r["latency"][which][statistic].is_null()) << which << " " << statistic;
      }
    }
    EXPECT_TRUE(r["hops"]["mean"].is_null());
    EXPECT_TRUE(r["saturation"]["latency_of_last_quarter"]["mean"].is_null());
    EXPECT_EQ(r["saturated"].is_null(), packets == 0);
  }
}

TEST(Traffic, WithoutAFlitHasNoBusiestChannel) {
  const Workplace w;
  const Outcome o = traffic(w, "--size 4x4 --load 0 --warm-up 10 --measure 50");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("  channels    mean load 0.0000, busiest -\n"));
  EXPECT_THAT(o.out, HasSubstr("  buffers     external VC 0: never used\n"));
}

/// The VCs of a class of buffers that the run used.
std::vector<int> used_vcs(const json& result, const char* buffers) {
  std::vector<int> vcs;
  for (const json& entry : result["occupancy"]) {
    if (entry["buffers"] == buffers && entry.at("used")) vcs.push_back(entry["vc"]);
  }
  return vcs;
}

// A head takes the lowest free VC, so the higher ones are for heads that find others taken.
TEST(Traffic, SaysWhichVcsWereNeverUsed) {
  const Workplace w;
  const std::string common = "--size 4x4 --vcs 8 --flits 1 --local-ports 1 --stages 3 --depth 8 ";
  const Outcome o = traffic(w, common + "--load 0.3" + kShort);
  ASSERT_EQ(o.status, 0) << o.err;
  const json r = w.result();
  const std::vector<int> used = used_vcs(r, "external");
  ASSERT_FALSE(used.empty());
  ASSERT_LT(used.size(), 8u);
  EXPECT_EQ(used_vcs(r, "injection"), std::vector<int>{0});
  for (int vc = 0; vc < 8; ++vc) {
    const std::string line = "  buffers     external VC " + std::to_string(vc) + ": never used\n";
    const bool idle = std::ranges::count(used, vc) == 0;
    EXPECT_EQ(o.out.find(line) != std::string::npos, idle) << vc;
  }
}

TEST(Traffic, KnowsTheUsedVcsWhateverStepsTheRouters) {
  const Workplace w;
  // Short, so that some VCs are used in a few cycles only: then no sample may have seen it.
  for (const char* network :
       {"--size 4x4 --vcs 8 --load 0.4", "--size 4x4 --topology torus --vcs 8 --load 0.2",
        "--size 4x4 --vcs 8 --stages 4 --load 0.4",
        "--size 4x4 --router one-port --vcs 4 --load 0.1",
        "--size 4x4 --vcs 4 --link-registers 2 --load 0.1"}) {
    const std::string common =
        std::string("--quiet --flits 2 --warm-up 0 --measure 100 --drain 0 ") + network;
    ASSERT_EQ(traffic(w, common, "planes").status, 0) << network;
    ASSERT_EQ(traffic(w, common + " --kernel routers", "routers").status, 0) << network;
    ASSERT_EQ(traffic(w, common + " --threads 2", "threads").status, 0) << network;
    ASSERT_EQ(traffic(w, common + " --flit-log " + w.path("log").string(), "observed").status, 0);
    json planes = w.result("planes"), routers = w.result("routers");
    EXPECT_EQ(planes["kernel"], "planes");
    EXPECT_EQ(w.result("threads"), planes) << network;
    planes["kernel"] = "routers";
    EXPECT_EQ(planes, routers) << network;
    EXPECT_EQ(w.result("observed"), routers) << network;
    const std::vector<int> used = used_vcs(routers, "external");
    EXPECT_FALSE(used.empty()) << network;
    EXPECT_LT(used.size(), routers["configuration"]["router"]["vcs"].get<std::size_t>()) << network;
  }
}

// Internal channels, too: nobody outside the RTL sees their flits.
TEST(Traffic, KnowsTheUsedVcsOfRtl) {
  const Workplace w;
  for (const char* network :
       {"--size 4x3 --router one-port --vcs 2 --control-vc true --depth 1 --stages 4 "
        "--link-registers 1 --topology mesh,torus --load 0.02",
        "--size 8 --local-ports 1 --vcs 5 --local-vcs 3 --control-vc true --depth 4 --stages 3 "
        "--link-registers 1 --topology torus --classes plh --load 0.02"}) {
    const std::string common =
        std::string("--quiet --flits 2 --warm-up 0 --measure 100 --drain 0 --kernel routers ") +
        network;
    ASSERT_EQ(traffic(w, common, "model").status, 0) << network;
    ASSERT_EQ(traffic(w, common + " --rtl all", "rtl").status, 0) << network;
    EXPECT_EQ(w.text("model/result.json"), w.text("rtl/result.json")) << network;
    const std::size_t used = used_vcs(w.result("rtl"), "external").size();
    EXPECT_GT(used, 0u) << network;
  }
}

/// The VCs of channels between routers that have a flit in a flit log.
std::set<int> vcs_of_log(const std::string& log) {
  std::set<int> vcs;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string cycle, node, channel;
    int vc = 0;
    if (line.front() == '#' || !(words >> cycle >> node >> channel >> vc)) continue;
    if (channel.front() == '+' || channel.front() == '-') vcs.insert(vc);
  }
  return vcs;
}

TEST(Traffic, UsesTheVcsThatItsFlitLogHas) {
  const Workplace w;
  const std::string log = w.path("log").string();
  std::set<std::size_t> numbers;
  for (const char* load : {"0.1", "0.4", "0.9"}) {
    const Outcome o = traffic(w, std::string("--size 4x4 --vcs 8 --flits 2 --warm-up 0 --measure "
                                             "60 --drain 0 --flit-log ") +
                                     log + " --load " + load);
    ASSERT_EQ(o.status, 0) << o.err;
    const std::vector<int> used = used_vcs(w.result(), "external");
    EXPECT_EQ(std::set<int>(used.begin(), used.end()), vcs_of_log(w.text("log"))) << load;
    numbers.insert(used.size());
  }
  EXPECT_GT(numbers.size(), 1u);
}

TEST(Traffic, EveryPatternRunsAndDeliversWhatItOffers) {
  const Workplace w;
  int patterns = 0;
  for (const char* pattern : {"uniform", "transpose", "bit-complement", "bit-reverse", "shuffle",
                              "tornado", "neighbour", "hotspot --hotspots 5,6"}) {
    const Outcome o =
        traffic(w, std::string("--quiet --size 4x4 --load 0.05 --pattern ") + pattern + kShort);
    ASSERT_EQ(o.status, 0) << pattern << o.err;
    EXPECT_FALSE(w.result()["saturated"]) << pattern;
    EXPECT_GT(w.result()["packets"], 100) << pattern;
    ++patterns;
  }
  EXPECT_EQ(patterns, 8);
}

TEST(Traffic, OverloadIsAResultNotAFailure) {
  const Workplace w;
  const Outcome o = traffic(w, std::string("--load 2") + kShort);
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("saturated: "));
  EXPECT_TRUE(w.result()["saturated"]);
}

TEST(Traffic, SaysWhichSourcesAndChannelSaturateANetworkWhoseAverageIsFine) {
  const Workplace w;
  const Outcome o = traffic(w, "--pattern transpose --load 0.17");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("least source 0,7: offered 0.1680, accepted 0.0736"));
  EXPECT_THAT(o.out, HasSubstr("of 56 sources are not served; 7,0 created"));
  EXPECT_THAT(o.out, HasSubstr("saturated: channel 0,0 +y is to carry 1.1900 flits/cycle"));
  EXPECT_THAT(o.out, Not(HasSubstr("not drained")));
  const json r = w.result();
  EXPECT_TRUE(r["saturated"]);
  const json s = r["saturation"];
  EXPECT_EQ(s["by"], "source channel");
  EXPECT_EQ(s["busiest_channel"]["channel"], "+y");
  for (const json& source : s["short_sources"]) {
    EXPECT_LT(source["delivered"], 0.95 * source["created"].get<double>());
  }
  double least = 1, sum = 0;
  for (const json& source : r["sources"]) {
    least = std::min(least, source["accepted"].get<double>());
    sum += source["accepted"].get<double>();
  }
  EXPECT_EQ(r["sources"].size(), 56u);
  EXPECT_EQ(least, r["throughput"]["least"]);
  EXPECT_NEAR(sum / 56, r["throughput"]["accepted"].get<double>(), 0.002);
}

TEST(Traffic, WhatWasNotDrainedIsSaidAndIsNoSaturation) {
  const Workplace w;
  const Outcome o = traffic(w, "--load 0.2 --warm-up 500 --measure 2000 --drain 0");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("measured packets had not arrived 0 cycles after the measurement"));
  EXPECT_THAT(o.out, Not(HasSubstr("saturated")));
  EXPECT_FALSE(w.result()["saturated"]);
  EXPECT_FALSE(w.result()["drained"]);
}

TEST(Traffic, BurstsThatHardlyEverCreateAPacketAreMeasuredAtOnce) {
  const Workplace w;
  const Outcome o = traffic(w, "--quiet --injection bursty --load 1e-12");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(w.result()["packets"], 0);
}

TEST(Traffic, TheAnalyticLatencyOfAShallowOnePortPipelineIsTheMeasuredOne) {
  const Workplace w;
  const Outcome o =
      traffic(w,
              "--quiet --size 3x1 --topology torus --router one-port --stages 4 --link-registers 4 "
              "--depth 2 --pattern neighbour --load 0.0005 --flits 27 --measure 200000");
  EXPECT_EQ(o.status, 0) << o.err;
  const json latency = w.result()["latency"];
  EXPECT_EQ(latency["network"]["median"], 170);
  EXPECT_EQ(latency["zero_load"], 170);
}

TEST(Packets, EachHasItsOwnRecord) {
  const Workplace w;
  const Outcome o = traffic(w, std::string("--quiet --size 4x4 --load 0.5 --packets ") +
                                   w.path("p.csv").string() + kShort);
  ASSERT_EQ(o.status, 0) << o.err;
  std::istringstream lines(w.text("p.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line,
            "id,source,destination,flits,created,injected,head_ejected,tail_ejected,hops,blocked,"
            "where");
  std::size_t packets = 0, blocked_packets = 0;
  while (std::getline(lines, line)) {
    unsigned long id, source, destination, flits, created, injected, head, tail, hops, blocked;
    int used = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%lu,%lu,%lu,%lu,%lu,%lu,%lu,%lu,%lu,%lu,%n", &id, &source,
                          &destination, &flits, &created, &injected, &head, &tail, &hops, &blocked,
                          &used),
              10)
        << line;
    const auto distance = [](unsigned long a, unsigned long b) { return a > b ? a - b : b - a; };
    EXPECT_EQ(hops, distance(source % 4, destination % 4) + distance(source / 4, destination / 4));
    EXPECT_LE(created, injected);
    EXPECT_GE(head, injected + hops + 1);
    EXPECT_GE(tail, head + flits - 1);
    unsigned long sum = 0;
    std::istringstream places(line.substr(static_cast<std::size_t>(used)));
    std::string place;
    while (std::getline(places, place, ';')) sum += std::stoul(place.substr(place.rfind(' ')));
    EXPECT_EQ(sum, blocked) << line;
    blocked_packets += blocked > 0 ? 1 : 0;
    ++packets;
  }
  EXPECT_GT(packets, 2000u);
  EXPECT_GT(blocked_packets, 100u);
}

TEST(TraceExample, PlaysToItsEnd) {
  const Workplace w;
  const Outcome o = traffic(w, "scenarios/traffic-trace.toml");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("30 messages arrived"));
  const json r = w.result();
  EXPECT_EQ(r["messages"].size(), 30u);
  EXPECT_EQ(r["latency"]["total"]["count"], 30);
  const json scatter = r["messages"][15];
  EXPECT_EQ(scatter["id"], "scatter0");
  for (int i = 0; i < 15; ++i) EXPECT_LT(r["messages"][i]["arrived"], scatter["created"]);
}

TEST(Run, RecursiveDoublingWorksOnOtherRouters) {
  const Workplace w;
  for (const char* router : {"--vcs 2 --depth 8", "--local-ports 2 --arbiters round-robin"}) {
    const Outcome o = w.run(
        std::string("--quiet --algorithm recursive-doubling --size 4x3 --root 1,1 ") + router);
    EXPECT_EQ(o.status, 0) << router << o.err;
  }
}

}  // namespace
}  // namespace annelid::end_to_end
