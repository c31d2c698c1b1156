// Rationale: RTL and model are two readings of docs/internals/microarchitecture.md; any difference
// in any output or register in any cycle is a mistake in one of them or in the text. State space:
// all registers of section 4, all outputs. Parameter space: the rows of rtl/configurations.txt that
// the build has Verilated (coverage_test.cpp says what they cover). Stimulus: eight moods of random
// neighbours (router_lockstep.cpp) at eight places of a network.
//
// ANNELID_SEED changes the stimulus, ANNELID_LOCKSTEP_CYCLES the cycles of each configuration.
#include "testbench/lockstep/router_lockstep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "systemc/cosim/rtl_model.hpp"
#include "testbench/lockstep/configuration_name.hpp"
#include "testbench/lockstep/neighbours.hpp"

namespace annelid::lockstep {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 0);
}
std::uint64_t seed() { return from_environment("ANNELID_SEED", 1); }
Cycle cycles_per_configuration() { return from_environment("ANNELID_LOCKSTEP_CYCLES", 170'000); }

class RouterLockstep : public ::testing::TestWithParam<systemc::RouterConfig> {
 protected:
  /// Everything that the configuration has was used: every input and output VC of the switches,
  /// every class of every link, every reason to wait.
  void expect_covered(const Coverage& c) const;
  void expect_every_vc(const Coverage& c) const;
  void expect_control(const Coverage& c) const;
  void expect_rings(const Coverage& c) const;
  [[nodiscard]] const systemc::RouterConfig& config() const { return GetParam(); }
};

void RouterLockstep::expect_every_vc(const Coverage& c) const {
  const Geometry geometry(config(), {});
  for (int p = 0; p < config().ports(); ++p) {
    const auto port = static_cast<std::size_t>(p);
    const int input_vcs = geometry.input_data_vcs(p) + geometry.control_vcs(p);
    const int data_vcs = geometry.output_data_vcs(p);
    // Few inputs lead to an ejection channel: they never need more of its VCs than they have.
    const int used = config().is_ejection(p) ? std::min(data_vcs, config().vcs) : data_vcs;
    for (int v = 0; v < kMaxVcs; ++v) {
      const auto vc = static_cast<std::size_t>(v);
      const bool is_control = v >= data_vcs && v < data_vcs + geometry.control_vcs(p);
      EXPECT_GE(c.granted_input[port][vc], v < input_vcs ? 20u : 0u) << p << " vc " << v;
      EXPECT_GE(c.granted_output[port][vc], v < used || is_control ? 20u : 0u) << p << " vc " << v;
    }
  }
}

void RouterLockstep::expect_control(const Coverage& c) const {
  const Geometry geometry(config(), {});
  EXPECT_GE(c.apart, 1000u);
  for (int link = 0; link < config().links(); ++link) {
    for (int k = 0; k < geometry.control_vcs(link); ++k) {
      EXPECT_GE(c.control_heads[static_cast<std::size_t>(link)][static_cast<std::size_t>(k)], 50u)
          << "output " << link << " class " << k;
    }
  }
}

void RouterLockstep::expect_rings(const Coverage& c) const {
  EXPECT_GE(c.wrapping, 1000u);
  EXPECT_GE(c.ties, 300u);
  for (int link = 0; link < config().external_ports(); ++link) {
    const bool ring = config().torus[static_cast<std::size_t>(link / 2)];
    for (int k = 0; k < (ring ? config().ring_classes() : 1); ++k) {
      EXPECT_GE(c.heads[static_cast<std::size_t>(link)][static_cast<std::size_t>(k)], 100u)
          << "output " << link << " class " << k;
    }
  }
}

void RouterLockstep::expect_covered(const Coverage& c) const {
  EXPECT_GE(c.cycles, cycles_per_configuration());
  EXPECT_GT(c.flits, c.cycles / 4);
  EXPECT_GT(c.packets, c.cycles / 50);
  EXPECT_GT(c.full_fifos, 1000u);
  EXPECT_GT(c.exhausted, 1000u);
  EXPECT_GE(c.contended, config().vcs > 1 || config().control_vc ? 1000u : 0u);
  expect_every_vc(c);
  if (config().control_vc) expect_control(c);
  if (config().has_rings()) expect_rings(c);
  const int classes = config().has_rings() ? config().ring_classes() : 1;
  if (config().vcs > classes) {
    EXPECT_GT(c.passed_over, 100u);
  }
  if (config().stages >= 3) {
    EXPECT_GT(c.routed, 1000u);
  }
  if (config().stages == 4) {
    EXPECT_GT(c.va_grants, 1000u);
    EXPECT_GT(c.va_lost, 1000u);
  }
}

TEST_P(RouterLockstep, ModelAndRtlAreEqualInEveryCycle) {
  Coverage coverage;
  const std::vector<Place> all = places(config());
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Cycle cycles = (cycles_per_configuration() + all.size() - 1) / all.size();
    const Outcome outcome = run_router_lockstep(config(), config(), all[k], cycles, seed() + k);
    ASSERT_TRUE(outcome.equal) << describe(config()) << "\n" << outcome.difference;
    coverage += outcome.coverage;
  }
  std::cout << coverage.cycles << " cycles, " << coverage.flits << " flits, " << coverage.packets
            << " packets, " << coverage.wrapping << " wrapping, " << coverage.ties << " ties, "
            << coverage.passed_over << " passed over, " << coverage.apart
            << " control packets apart from data: no difference\n";
  expect_covered(coverage);
}

INSTANTIATE_TEST_SUITE_P(Verilated, RouterLockstep,
                         ::testing::ValuesIn(systemc::rtl_configurations()),
                         [](const auto& test) { return configuration_name(test.param); });

TEST(RouterLockstepSet, RunsAMillionCyclesOrTenIfEveryRowIsVerilated) {
  const auto& listed = systemc::listed_rtl_configurations();
  const bool full = std::all_of(listed.begin(), listed.end(), [](auto& r) { return r.verilated; });
  const Cycle cycles = systemc::rtl_configurations().size() * cycles_per_configuration();
  std::cout << systemc::rtl_configurations().size() << " of " << listed.size()
            << " configurations, " << cycles << " cycles\n";
  EXPECT_GE(cycles, 1'000'000u);
  if (full && std::getenv("ANNELID_LOCKSTEP_CYCLES") != nullptr) {
    EXPECT_GE(cycles, 10'000'000u);
  }
}

TEST(RouterLockstepSet, TheComparisonNoticesARouterWithADeeperBuffer) {
  const systemc::RouterConfig rtl = systemc::rtl_configurations().front();
  systemc::RouterConfig model = rtl;
  model.depth = rtl.depth - 1;
  const Outcome outcome = run_router_lockstep(model, rtl, places(rtl).front(), 1000, seed());
  EXPECT_FALSE(outcome.equal);
  EXPECT_NE(outcome.difference.find("cycle 0: credits of port 0 vc 0: model 3, RTL 4"),
            std::string::npos)
      << outcome.difference;
}

TEST(RouterLockstepSet, TheComparisonNoticesAnotherArbiterAndSaysWhere) {
  const systemc::RouterConfig rtl = systemc::rtl_configurations().front();
  systemc::RouterConfig model = rtl;
  model.arbiters = systemc::ArbiterKind::kMatrix;
  const Outcome outcome = run_router_lockstep(model, rtl, places(rtl).front(), 1000, seed());
  EXPECT_FALSE(outcome.equal);
  EXPECT_NE(outcome.difference.find("out_pointer of port"), std::string::npos)
      << outcome.difference;
}

TEST(RouterLockstepSet, TheComparisonNoticesThatControlVcsAreMissing) {
  const systemc::RouterConfig rtl = systemc::rtl_configurations().at(1);
  ASSERT_TRUE(rtl.control_vc) << describe(rtl);
  systemc::RouterConfig model = rtl;
  model.control_vc = false;
  const Outcome outcome = run_router_lockstep(model, rtl, places(rtl).front(), 1000, seed());
  EXPECT_FALSE(outcome.equal);
  EXPECT_NE(outcome.difference.find("cycle 0: credits of port 0 vc 1: model 0, RTL 4"),
            std::string::npos)
      << outcome.difference;
}

/// A packet of one flit from the first local port one step up in x, at that output on `vc`, as the
/// neighbours judge it.
std::string judged(const systemc::RouterConfig& config, bool control, int vc) {
  constexpr int kInjection = 2;
  const Place place{.router = {1, 0, 0}, .size = {4, 1, 1}};
  systemc::HeadFields head;
  head.source = place.router;
  head.destination = {2, 0, 0};
  head.tag = static_cast<std::uint16_t>(kInjection | (control ? 16 : 0));
  Response response;
  response.flits[0] = systemc::Flit{pack(head), static_cast<Vc>(vc), true, true};
  return Neighbours(config, place, 1).response(response);
}

TEST(RouterLockstepSet, TheNeighboursJudgeKindAndClassOfAHead) {
  systemc::RouterConfig config;
  config.dims = 1;
  config.local_ports = 1;
  config.vcs = 2;
  config.local_vcs = 3;  // VC 2 is for data there, and for control on the line
  config.control_vc = true;
  EXPECT_EQ(judged(config, false, 1), "");
  EXPECT_EQ(judged(config, true, 2), "");
  EXPECT_THAT(judged(config, true, 1), ::testing::HasSubstr("control head"));
  EXPECT_THAT(judged(config, false, 2), ::testing::HasSubstr("data head"));
  EXPECT_THAT(judged(config, true, 3), ::testing::HasSubstr("without a place"));

  config.torus[0] = true;  // upwards from 1 to 2 no link that closes the ring is ahead: class 1
  EXPECT_EQ(judged(config, false, 1), "");
  EXPECT_EQ(judged(config, true, 3), "");
  EXPECT_THAT(judged(config, true, 2), ::testing::HasSubstr("class 0 of control"));
  EXPECT_THAT(judged(config, false, 0), ::testing::HasSubstr("class 0 of data"));
  EXPECT_THAT(judged(config, false, 3), ::testing::HasSubstr("class 1 of control"));
}

TEST(RouterLockstepSet, ANotVerilatedConfigurationIsRefusedByName) {
  try {
    systemc::make_rtl_model({.local_ports = 4, .vcs = 7});
    FAIL() << "expected a ConfigError";
  } catch (const systemc::ConfigError& error) {
    EXPECT_EQ(error.key(), "rtl");
    const std::string what = error.what();
    EXPECT_NE(what.find("all-port, 2 dimensions, 4 local ports, 7 VCs"), std::string::npos) << what;
    EXPECT_NE(what.find("rtl/configurations.txt"), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace annelid::lockstep
