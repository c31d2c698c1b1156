// When packets are created: rates, and for bursts the lengths of the two states.
#include "traffic/injection.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "systemc/network/config.hpp"

namespace annelid::traffic {
namespace {

std::vector<Cycle> creations(const InjectionConfig& config, double flits, Cycle cycles,
                             std::uint64_t seed = 1) {
  Random random(seed);
  const InjectionProcess process(config, flits);
  InjectionProcess::Burst burst = process.first_burst(random);
  std::vector<Cycle> all;
  Creation next = process.next(0, burst, random);
  while (next.at < cycles) {
    if (next.packet) all.push_back(next.at);
    next = process.next(next.packet ? next.at + 1 : next.at, burst, random);
  }
  return all;
}

TEST(Bernoulli, CreatesTheLoadThatWasAskedFor) {
  const auto all = creations({.load = 0.4}, 8, 1'000'000);
  EXPECT_NEAR(static_cast<double>(all.size()) * 8 / 1e6, 0.4, 0.008);
  for (std::size_t i = 1; i < all.size(); ++i) ASSERT_LT(all[i - 1], all[i]);
}

TEST(Bernoulli, FullLoadIsAPacketInEveryCycle) {
  EXPECT_EQ(creations({.load = 4}, 4, 1000).size(), 1000u);
}

TEST(Bernoulli, NoLoadIsNoPacket) { EXPECT_TRUE(creations({.load = 0}, 8, 1000).empty()); }

TEST(Bursty, CreatesTheSameLoadOnAverage) {
  const InjectionConfig config{InjectionKind::kBursty, 0.2, 50, 0.25};
  double packets = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    packets += static_cast<double>(creations(config, 1, 200'000, seed).size());
  }
  EXPECT_NEAR(packets / (20 * 200'000), 0.2, 0.006);
}

TEST(Bursty, PacketsComeInBurstsOfTheMeanLengthAndDuty) {
  // In the on state every cycle has a packet, so runs of cycles are bursts.
  const auto all = creations({InjectionKind::kBursty, 0.25, 20, 0.25}, 1, 2'000'000);
  std::size_t bursts = 1;
  for (std::size_t i = 1; i < all.size(); ++i) bursts += all[i] != all[i - 1] + 1 ? 1 : 0;
  ASSERT_GT(bursts, 10'000u);
  EXPECT_NEAR(static_cast<double>(all.size()) / static_cast<double>(bursts), 20, 0.8);
  EXPECT_NEAR(static_cast<double>(all.size()) / 2e6, 0.25, 0.01);
}

TEST(Bursty, ALoadThatHardlyEverCreatesAPacketComesToAnEnd) {
  for (const double load : {1e-12, 1e-300, 5e-324}) {
    EXPECT_TRUE(creations({InjectionKind::kBursty, load}, 8, 1'000'000).empty()) << load;
  }
  // Pauses of which several together would be more cycles than there are numbers.
  EXPECT_LT(creations({InjectionKind::kBursty, 1e-17, 1, 1e-16}, 8, kNever).size(), 100u);
}

TEST(Bursty, TheVarianceOfItsPacketsIsTheComputedOne) {
  constexpr Cycle kCycles = 500;
  constexpr int kSeeds = 4000;
  for (const InjectionConfig& config :
       {InjectionConfig{.load = 0.3}, InjectionConfig{InjectionKind::kBursty, 0.3, 40, 0.25},
        InjectionConfig{InjectionKind::kBursty, 0.2, 1, 0.5}}) {
    double sum = 0, squares = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const auto packets = static_cast<double>(creations(config, 2, kCycles, seed).size());
      sum += packets;
      squares += packets * packets;
    }
    const double measured = squares / kSeeds - sum / kSeeds * (sum / kSeeds);
    EXPECT_NEAR(measured / variance_of_packets(config, 2, kCycles), 1, 0.08)
        << name_of(config.kind) << " " << config.burst;
  }
}

TEST(Injection, WhatCannotBeIsRefusedWithItsKey) {
  const auto key = [](const InjectionConfig& config, double mean_flits = 8) -> std::string {
    try {
      validate(config, mean_flits);
    } catch (const systemc::ConfigError& error) {
      return error.key();
    }
    return "accepted";
  };
  EXPECT_EQ(key({.load = 8}), "accepted");
  EXPECT_EQ(key({.load = 8.1}), "traffic.load");
  EXPECT_EQ(key({.load = -1}), "traffic.load");
  EXPECT_EQ(key({InjectionKind::kBursty, 2.1, 100, 0.25}), "traffic.load");
  EXPECT_EQ(key({InjectionKind::kBursty, 0.1, 0.5, 0.25}), "traffic.burst");
  EXPECT_EQ(key({InjectionKind::kBursty, 0.1, 2, 0.9}), "traffic.burst");  // pauses below a cycle
  // The bounds as they are printed, though 0.9 / (1 - 0.9) is above 9, and 7 * 0.7 below 4.9.
  EXPECT_EQ(key({InjectionKind::kBursty, 0.1, 9, 0.9}), "accepted");
  EXPECT_EQ(key({InjectionKind::kBursty, 0.1, 8.99, 0.9}), "traffic.burst");
  EXPECT_EQ(key({InjectionKind::kBursty, 4.9, 100, 0.7}, 7), "accepted");
  EXPECT_EQ(key({InjectionKind::kBursty, 4.901, 100, 0.7}, 7), "traffic.load");
  EXPECT_EQ(key({InjectionKind::kBursty, 0.1, 100, 0}), "traffic.duty");
  EXPECT_EQ(key({InjectionKind::kBursty, 0.1, 100, 1.1}), "traffic.duty");
}

TEST(Geometric, IsTheQuotientOfLogarithms) {
  for (const double p : {0.9, 0.5, 0.1, 0.02, 1e-3, 1e-5, 1e-7, 1e-9, 1e-12}) {
    const Geometric geometric(p);
    Random random(1), same(1);
    for (int i = 0; i < 20'000; ++i) {
      const double quotient = std::log1p(-same.uniform()) / std::log1p(-p);
      ASSERT_EQ(geometric.draw(random), static_cast<Cycle>(quotient)) << p << ", draw " << i;
    }
  }
}

}  // namespace
}  // namespace annelid::traffic
