// Rationale: RTL and model are two readings of docs/microarchitecture.md; any difference in any
// output or register in any cycle is a mistake in one of them or in the text.
// State space: all registers of section 4, all outputs. Parameter space: every configuration that
// rtl/CMakeLists.txt Verilates: VCs 1 to 4, depths 1 to 8, 1 to 4 local ports, 1 or 2 local VCs.
// Stimulus: six moods of random neighbours, 997 cycles each in turn (router_lockstep.cpp).
#include "testbench/lockstep/router_lockstep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "systemc/rtl_model.hpp"

namespace annelid::lockstep {
namespace {

/// ANNELID_SEED changes the stimulus of all cases.
std::uint64_t seed() {
  const char* text = std::getenv("ANNELID_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 0);
}

std::string name(const RouterConfig& c) {
  return "L" + std::to_string(c.local_ports) + "V" + std::to_string(c.vcs) + "VL" +
         std::to_string(c.local_vcs) + "D" + std::to_string(c.depth);
}

class RouterLockstep : public ::testing::TestWithParam<RouterConfig> {};

constexpr Cycle kCyclesPerConfiguration = 100'000;

TEST_P(RouterLockstep, ModelAndRtlAreEqualInEveryCycle) {
  const RouterConfig config = GetParam();
  const Outcome outcome = run_router_lockstep(config, config, kCyclesPerConfiguration, seed());
  ASSERT_TRUE(outcome.equal) << name(config) << ", " << outcome.difference;

  const Coverage& c = outcome.coverage;
  EXPECT_GE(c.cycles, kCyclesPerConfiguration);
  EXPECT_GT(c.flits, kCyclesPerConfiguration / 2);
  EXPECT_GT(c.packets, kCyclesPerConfiguration / 10);
  EXPECT_GT(c.single_flit_packets, 1000u);
  EXPECT_GT(c.full_fifos, 1000u);
  EXPECT_GT(c.exhausted, 1000u);
  for (int p = 0; p < config.ports(); ++p) {
    EXPECT_GT(c.flits_by_output[static_cast<std::size_t>(p)], 500u) << "output " << p;
  }
  for (int v = 0; v < config.vcs; ++v) {
    EXPECT_GT(c.flits_by_output_vc[static_cast<std::size_t>(v)], 500u) << "VC " << v;
  }
  if (config.vcs > 1) {
    EXPECT_GT(c.contended, 1000u);
    EXPECT_GT(c.passed_over, 100u);
  }
}

INSTANTIATE_TEST_SUITE_P(Verilated, RouterLockstep, ::testing::ValuesIn(rtl_configurations()),
                         [](const auto& test) { return name(test.param); });

TEST(RouterLockstepSet, CoversAMillionCyclesAndAllNamedLevels) {
  const auto& all = rtl_configurations();
  EXPECT_GE(all.size() * kCyclesPerConfiguration, 1'000'000u);
  const auto some = [&](auto has) { return std::any_of(all.begin(), all.end(), has); };
  for (int vcs : {1, 2, 4}) {
    EXPECT_TRUE(some([&](const RouterConfig& c) { return c.vcs == vcs; })) << vcs << " VCs";
  }
  for (int depth : {1, 2, 4, 8}) {
    EXPECT_TRUE(some([&](const RouterConfig& c) { return c.depth == depth; })) << "depth " << depth;
  }
}

TEST(RouterLockstepSet, TheComparisonNoticesARouterWithADeeperBuffer) {
  const Outcome outcome = run_router_lockstep({4, 2, 1, 4}, {4, 2, 1, 8}, 1000, seed());
  EXPECT_FALSE(outcome.equal);
  EXPECT_NE(outcome.difference.find("cycle 0: credits of port 0 vc 0: model 4, RTL 8"),
            std::string::npos)
      << outcome.difference;
}

TEST(RouterLockstepSet, ANotVerilatedConfigurationIsRefusedByName) {
  try {
    make_rtl_model({4, 7, 1, 4});
    FAIL() << "expected a ConfigError";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.key(), "rtl");
    EXPECT_NE(std::string(error.what()).find("4/7/1/4"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace annelid::lockstep
