// Throughput between two bounds that come from elsewhere: no pattern is served beyond the load that
// fills its busiest channel, and meshes serve uniform traffic up to three quarters of that.
// Parameter space: networks, routing functions, patterns.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>

#include "testbench/end_to_end/program.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::traffic {
namespace {

using end_to_end::Outcome;
using end_to_end::Workplace;

constexpr std::array kPatterns = {"uniform", "transpose", "bit-complement", "bit-reverse",
                                  "shuffle", "tornado",   "neighbour"};

/// The ideal throughputs of the patterns, in flits per cycle and node, in the order of kPatterns.
/// They come from a program that follows every pair of nodes and shares no code with Annelid. There
/// a source of uniform traffic sends to itself, too; what it sends does not enter the network.
struct Ideal {
  const char* network;
  int nodes;
  const char* routing;
  std::array<double, kPatterns.size()> throughput;
  friend std::ostream& operator<<(std::ostream& out, const Ideal& ideal) {
    return out << ideal.network << ' ' << ideal.routing;
  }
};

/// By so much that the shortfall of a source is no accident.
constexpr double kBeyond = 1.2;

class IdealThroughputs : public ::testing::TestWithParam<Ideal> {
 protected:
  /// The result of a run with 4 VCs of 8 flits.
  nlohmann::json measured(std::size_t pattern, double load, const std::string& options = "") {
    const Outcome o = place_.annelid(
        "traffic --quiet --vcs 4 --depth 8 --size " + std::string(GetParam().network) +
        " --routing " + GetParam().routing + " --pattern " + kPatterns[pattern] + " --load " +
        std::to_string(load) + " --out " + place_.path("out").string() + options);
    EXPECT_EQ(o.status, 0) << o.err;
    return place_.result("out");
  }
  /// Without the packets that a source of uniform traffic would send to itself.
  [[nodiscard]] double ideal(std::size_t pattern) const {
    const double nodes = GetParam().nodes;
    return GetParam().throughput[pattern] * (pattern == 0 ? (nodes - 1) / nodes : 1);
  }

 private:
  Workplace place_;
};

TEST_P(IdealThroughputs, AreThoseOfAnotherProgramAndNothingIsServedBeyondThem) {
  for (std::size_t i = 0; i < kPatterns.size(); ++i) {
    SCOPED_TRACE(kPatterns[i]);
    const nlohmann::json result = measured(i, std::min(1.0, kBeyond * ideal(i)),
                                           " --flits 1 --warm-up 1000 --measure 10000 --drain 1");
    EXPECT_NEAR(result["throughput"]["ideal"].get<double>(), ideal(i), 6e-5);
    if (kBeyond * ideal(i) > 1) continue;  // a source cannot offer more
    EXPECT_FALSE(result["saturation"]["short_sources"].empty());
  }
}

class IdealThroughputsOfMeshes : public IdealThroughputs {};

TEST_P(IdealThroughputsOfMeshes, AreReachedToThreeQuartersByUniformTraffic) {
  for (const int flits : {1, 5, 8}) {
    const nlohmann::json result = measured(0, 0.75 * ideal(0), " --flits " + std::to_string(flits));
    EXPECT_FALSE(result["saturated"].get<bool>()) << flits << " flits: " << result["saturation"];
  }
}

constexpr std::array kMeshes = {
    Ideal{"4x4", 16, "xy", {1.0000, 0.3333, 0.5000, 0.3333, 0.5000, 1.0000, 1.0000}},
    Ideal{"4x4", 16, "yx", {1.0000, 0.3333, 0.5000, 0.3333, 0.5000, 1.0000, 1.0000}},
    Ideal{"8x8", 64, "xy", {0.5000, 0.1429, 0.2500, 0.1429, 0.2500, 0.3333, 1.0000}},
    Ideal{"8x8", 64, "yx", {0.5000, 0.1429, 0.2500, 0.1429, 0.2500, 0.3333, 1.0000}}};
constexpr std::array kTori = {
    Ideal{"8x8 --topology torus", 64, "xy", {.8000, .2500, .5000, .2500, .2500, .3333, 1.0000}},
    Ideal{"8x8 --topology torus", 64, "yx", {.8000, .2500, .5000, .2500, .2500, .3333, 1.0000}}};

INSTANTIATE_TEST_SUITE_P(Meshes, IdealThroughputs, ::testing::ValuesIn(kMeshes),
                         test::ParameterName());
INSTANTIATE_TEST_SUITE_P(Tori, IdealThroughputs, ::testing::ValuesIn(kTori), test::ParameterName());
INSTANTIATE_TEST_SUITE_P(Meshes, IdealThroughputsOfMeshes, ::testing::ValuesIn(kMeshes),
                         test::ParameterName());

}  // namespace
}  // namespace annelid::traffic
