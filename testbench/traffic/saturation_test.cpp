// Each criterion of saturation for itself, with packets made up for it.
#include "traffic/saturation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "testbench/traffic/one_network.hpp"

namespace annelid::traffic {
namespace {

constexpr Cycle kBegin = 1000, kEnd = 11000;
constexpr std::uint32_t kFlits = 8;

/// Packets of a window on a mesh of 4 by 4.
class Window {
 public:
  Window() : result_(mesh(4, 4), kBegin, kEnd) {
    result_.cycles = kEnd + 1000;
    traffic_.injection.load = 0.1;
    analysis_.busiest.rate = 5;
  }

  /// The packets of a source: `share` of them are delivered, at once.
  Window& source(NodeId node, int packets, double share) {
    for (int i = 0; i < packets; ++i) {
      const bool delivered = i < packets * share;
      add(node, kBegin + static_cast<Cycle>(i), delivered ? 20 : kNever);
    }
    return *this;
  }

  Window& add(NodeId node, Cycle created, Cycle latency) {
    Packet p{.source = node, .destination = node == 0 ? 1u : 0u, .flits = kFlits};
    p.created = p.injected = created;
    ++result_.packets;
    result_.packets_of_window.created(p);
    if (latency == kNever) return *this;
    p.tail_ejected = created + latency;
    result_.packets_of_window.ejected(p);
    return *this;
  }

  Window& load(double load) {
    traffic_.injection.load = load;
    return *this;
  }

  [[nodiscard]] Saturation judge() const { return judge_saturation(traffic_, analysis_, result_); }

 private:
  OpenLoopResult result_;
  SyntheticConfig traffic_;
  Analysis analysis_;
};

TEST(Source, IsShortBeyondTheTolerance) {
  Window w;
  for (NodeId n = 0; n < 16; ++n) w.source(n, 125, n == 5 || n == 9 ? 0.5 : 1);
  w.source(9, 10, 0);
  const Saturation s = w.judge();
  // 125 packets are expected: a deviation of a little less than 11.2 of them.
  EXPECT_NEAR(s.tolerance, 3 * std::sqrt(125 * (1 - 0.0125)) * kFlits, 1e-6);
  ASSERT_EQ(s.short_sources.size(), 2u);
  EXPECT_EQ(s.short_sources[0].node, 5u);
  EXPECT_EQ(s.worst().node, 9u);
  EXPECT_EQ(s.worst().created, 135u * kFlits);
  EXPECT_EQ(s.worst().delivered, 63u * kFlits);
  EXPECT_TRUE(s.saturated());
}

TEST(Source, WithinTheToleranceIsServed) {
  EXPECT_FALSE(Window().source(3, 125, 0.75).judge().saturated());
  EXPECT_TRUE(Window().source(3, 125, 0.65).judge().saturated());
}

TEST(Source, TwoPacketsMayAlwaysBeOnTheirWay) {
  EXPECT_EQ(Window().load(0.0001).judge().tolerance, 2.0 * kFlits);
  EXPECT_FALSE(Window().load(0.0001).source(3, 2, 0).judge().saturated());
  EXPECT_TRUE(Window().load(0.0001).source(3, 3, 0).judge().saturated());
}

TEST(Channel, ThatIsToCarryAFlitACycleSaturates) {
  EXPECT_FALSE(Window().load(0.19).judge().saturated());
  const Saturation s = Window().load(0.2).judge();
  EXPECT_TRUE(s.channel);
  EXPECT_TRUE(s.saturated());
  EXPECT_DOUBLE_EQ(s.channel_load, 1);
}

/// A packet every 10 cycles with latencies between half of the mean and one and a half.
template <typename Mean>
Window with_latencies(const Mean& mean) {
  Window w;
  Random random(1);
  for (Cycle at = kBegin; at < kEnd; at += 10) {
    w.add(0, at, static_cast<Cycle>(mean(at) * (0.5 + random.uniform())));
  }
  return w;
}

TEST(Latency, ThatGrowsSaturates) {
  const Saturation s =
      with_latencies([](Cycle at) { return 0.1 * static_cast<double>(at - kBegin); }).judge();
  EXPECT_TRUE(s.latency);
  EXPECT_TRUE(s.saturated());
  EXPECT_NEAR(s.third_quarter.mean.value(), 625, 30);
  EXPECT_NEAR(s.last_quarter.mean.value(), 875, 30);
}

TEST(Latency, ThatIsSteadyDoesNotSaturate) {
  const Saturation s = with_latencies([](Cycle) { return 100.0; }).judge();
  EXPECT_FALSE(s.latency);
  // 250 packets, a standard deviation of 29: 1.8 of the mean, times Student's 2.8. Of a few
  // batches.
  EXPECT_GT(*s.last_quarter.half_width, 1);
  EXPECT_LT(*s.last_quarter.half_width, 10);
}

TEST(Latency, ThatGrowsWithinItsIntervalsDoesNotSaturate) {
  // Bursts of 500 cycles with latencies that differ by far more than the quarters do.
  const Saturation s = with_latencies([](Cycle at) {
                         return at / 500 % 2 == 0 ? 20.0 : at < 8500 ? 150.0 : 200.0;
                       }).judge();
  EXPECT_GT(s.last_quarter.mean.value(), 1.1 * s.third_quarter.mean.value());
  EXPECT_FALSE(s.latency);
}

TEST(Latency, OfAPacketThatHasNotArrivedIsAtLeastTheTimeSoFar) {
  Window w;
  for (Cycle at = kBegin; at < kEnd; at += 10)
    w.add(0, at, at > 8500 && at % 20 == 0 ? kNever : 20);
  EXPECT_GT(w.judge().last_quarter.mean.value(), 500);
  EXPECT_TRUE(w.judge().latency);
}

TEST(Latency, OfNoPacketIsNoNumber) {
  const Saturation s = Window().judge();
  EXPECT_TRUE(s.empty);
  EXPECT_EQ(s.third_quarter.mean, std::nullopt);
  EXPECT_FALSE(s.saturated());
  EXPECT_FALSE(Window().add(0, kBegin, 20).judge().empty);
}

TEST(Latency, OfAFewPacketsIsNoEvidence) {
  Window w;
  for (int i = 0; i < 29; ++i) w.add(0, 6000 + static_cast<Cycle>(i), 10).add(0, 9000, 100);
  EXPECT_FALSE(w.judge().last_quarter.half_width);
  EXPECT_FALSE(w.judge().latency);
  w.add(0, 6000, 10).add(0, 9000, 100);
  EXPECT_TRUE(w.judge().latency);
}

}  // namespace
}  // namespace annelid::traffic
