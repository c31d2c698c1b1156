// The measurement: what is offered comes out below saturation, and the verdict above it.
#include <gtest/gtest.h>

#include <algorithm>

#include "systemc/network/route.hpp"
#include "testbench/traffic/one_network.hpp"
#include "traffic/analysis.hpp"
#include "traffic/saturation.hpp"

namespace annelid::traffic {
namespace {

SyntheticConfig loaded(double load) {
  SyntheticConfig config;
  config.injection.load = load;
  return config;
}

OpenLoopResult measure(const systemc::NetworkConfig& config, const SyntheticConfig& synthetic,
                       const Phases& phases) {
  SyntheticWorkload workload(synthetic, config);
  OneNetwork one(config, workload);
  std::vector<bool> sends;
  for (NodeId n = 0; n < config.nodes(); ++n) sends.push_back(workload.pattern().sends(n));
  return run_open_loop(one.network, one.endpoints, sends, phases, {});
}

Saturation judge(const systemc::NetworkConfig& config, const SyntheticConfig& synthetic,
                 const OpenLoopResult& r) {
  const Pattern pattern(synthetic.pattern, config);
  return judge_saturation(synthetic, analyze(config, pattern.demand(), synthetic.length), r);
}

TEST(LowLoad, WhatIsAcceptedIsWhatIsOffered) {
  const auto r = measure(mesh(8, 8), loaded(0.1), {2000, 20000, 5000});
  EXPECT_GT(r.packets, 15'000u);
  EXPECT_EQ(r.packets_ejected, r.packets);
  EXPECT_TRUE(r.drained);
  EXPECT_FALSE(judge(mesh(8, 8), loaded(0.1), r).saturated());
  EXPECT_EQ(r.senders, 64u);
  EXPECT_NEAR(r.offered, 0.1, 0.003);
  EXPECT_NEAR(r.offered_least, r.accepted_least, 0.005);
  EXPECT_NEAR(r.accepted, r.offered, 0.001);
  EXPECT_GT(r.accepted_least, 0.05);
  EXPECT_LE(r.accepted_least, r.accepted);
}

TEST(LowLoad, ChannelLoadsAndHopsAreTheExpectedOnes) {
  const systemc::NetworkConfig config = mesh(4, 4);
  const auto r = measure(config, loaded(0.2), {1000, 60000, 5000});
  const Analysis a = analyze(config, {1, {}}, PacketLength(8));
  std::size_t used = 0;
  for (std::size_t i = 0; i < a.rates.outputs.size(); ++i) {
    const double load = static_cast<double>(r.channels.outputs()[i]) / 60000;
    EXPECT_NEAR(load, 0.2 * a.rates.outputs[i], 0.02) << i;
    used += a.rates.outputs[i] > 0 ? 1 : 0;
  }
  EXPECT_EQ(used, 48 + 16 * 4 - 16u);  // at the rim an ejection port has no input of its own
  EXPECT_NEAR(r.packets_of_window.hops().mean().value(), a.mean_hops, 0.02);
  EXPECT_GT(r.packets_of_window.total_latency().mean().value(), a.zero_load_latency);
  EXPECT_LT(r.packets_of_window.total_latency().mean().value(), 1.5 * a.zero_load_latency);
}

TEST(LowLoad, APatternWithoutContentionTakesTheZeroLoadLatency) {
  // Neighbours on a line: no two packets share a channel, but for the way back of the last node.
  const systemc::NetworkConfig config = mesh(2, 1);
  const Pattern pattern({PatternKind::kNeighbour}, config);
  SyntheticConfig synthetic = loaded(0.001);
  synthetic.pattern = pattern.config();
  const auto r = measure(config, synthetic, {100, 200000, 1000});
  const Analysis a = analyze(config, pattern.demand(), PacketLength(8));
  EXPECT_GT(r.packets, 30u);
  EXPECT_DOUBLE_EQ(r.packets_of_window.network_latency().mean().value(), a.zero_load_latency);
}

TEST(Overload, IsCalledSaturated) {
  const auto r = measure(mesh(8, 8), loaded(4), {500, 1000, 500});
  const Saturation s = judge(mesh(8, 8), loaded(4), r);
  EXPECT_GT(s.short_sources.size(), 60u);
  EXPECT_TRUE(s.channel);
  EXPECT_TRUE(s.saturated());
  EXPECT_FALSE(r.drained);
  EXPECT_LT(r.packets_ejected, r.packets);
  EXPECT_LT(r.accepted, 1);
  EXPECT_GT(r.offered, 3.5);
}

// All of row 0 turns into the one channel up from (0,0), which is offered more than it can carry:
// most nodes are served, so the average is above what the busiest channel allows to all.
TEST(Overload, OfAFewSourcesIsNotHiddenByTheAverage) {
  const systemc::NetworkConfig config = mesh(8, 8);
  SyntheticConfig synthetic = loaded(0.17);
  synthetic.pattern.kind = PatternKind::kTranspose;
  const auto r = measure(config, synthetic, {5000, 10000, 50000});
  EXPECT_TRUE(r.drained);
  EXPECT_GT(r.accepted, 0.95 * r.offered);
  const Saturation s = judge(config, synthetic, r);
  ASSERT_TRUE(s.channel);
  EXPECT_NEAR(s.channel_load, 1.19, 1e-9);
  ASSERT_FALSE(s.short_sources.empty());
  EXPECT_LE(s.short_sources.size(), 8u);
  EXPECT_LT(s.worst().delivered, s.worst().created / 2);
}

TEST(Occupancy, OfAnIdleNetworkIsNothingAndOfAFullOneReachesTheDepth) {
  const auto r = measure(mesh(4, 4), loaded(3), {500, 1000, 0});
  const auto& fill = r.occupancy.fill(BufferClass::kExternal, 0);
  EXPECT_EQ(r.occupancy.times(), 64u);
  EXPECT_EQ(fill.samples, 64u * 48);  // 48 channels between 16 nodes
  EXPECT_EQ(fill.most, 4);
  EXPECT_GT(fill.mean(), 1);
  EXPECT_EQ(r.occupancy.fill(BufferClass::kExternal, 1).samples, 0u);
}

TEST(Statistics, OnlyPacketsOfTheWindowCount) {
  PacketStatistics s(mesh(2, 2), 100, 200);
  Packet p{.source = 0, .destination = 3, .flits = 4};
  const auto add = [&](Cycle created, Cycle injected, Cycle tail) {
    p.created = created;
    p.injected = injected;
    p.tail_ejected = tail;
    s.ejected(p);
  };
  add(99, 99, 150);    // created before; its flits were delivered in the window
  add(100, 105, 120);  // in the window
  add(199, 199, 500);  // in the window, delivered after it
  add(200, 200, 210);  // after it
  EXPECT_EQ(s.total_latency().count(), 2u);
  EXPECT_EQ(s.total_latency().max(), 301u);
  EXPECT_EQ(s.total_latency().min(), 20u);
  EXPECT_EQ(s.network_latency().min(), 15u);
  EXPECT_EQ(s.hops().mean(), 2);
  EXPECT_EQ(s.delivered_flits()[0], 8u);
}

}  // namespace
}  // namespace annelid::traffic
