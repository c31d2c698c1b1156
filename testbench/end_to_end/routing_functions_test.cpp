// What runs say on every routing function: collectives with their checks, traffic with its figures,
// engines with equal results. State space: routing functions, operations, kinds of firmware.
#include <gmock/gmock.h>

#include <ostream>
#include <string>

#include "testbench/end_to_end/program.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::end_to_end {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

struct Function {
  const char* name;
  bool one_path, known_channels;
  friend std::ostream& operator<<(std::ostream& out, const Function& function) {
    return out << function.name;
  }
};

class RoutingFunction : public ::testing::TestWithParam<Function> {
 protected:
  [[nodiscard]] json result_of(const std::string& command) const {
    const Outcome o = place_.annelid(command + " --routing " + GetParam().name + " --out " +
                                     place_.path("out").string());
    EXPECT_EQ(o.status, 0) << command << "\n" << o.out << o.err;
    printed_ = o.out;
    return place_.result("out");
  }

  Workplace place_;
  mutable std::string printed_;
};

// Packets of a pair may overtake each other, and messages of a step share channels that nobody
// foresees: every node must have what it should have all the same.
TEST_P(RoutingFunction, LeadsCollectivesToTheirResults) {
  for (const char* const call :
       {"--operation broadcast --algorithm edn --size 8x8 --bytes 2k",
        "--operation all-to-all --size 4x4 --bytes 64", "--operation all-reduce --size 8x4",
        "--operation scan --algorithm two-tree --size 4x5 --bytes 1k",
        "--operation all-gather --algorithm ring --size 4x4 --eager-bytes 0"}) {
    for (const char* const firmware : {"native", "rv32"}) {
      const json result = result_of("run " + std::string(call) + " --firmware " + firmware);
      EXPECT_EQ(result["configuration"]["router"]["routing"], GetParam().name);
      EXPECT_EQ(result["reference_conflicts"].is_null(), !GetParam().one_path) << call;
    }
  }
  if (!GetParam().one_path) {
    EXPECT_THAT(printed_, HasSubstr("conflicts are not predicted, as paths are not fixed with " +
                                    std::string(GetParam().name) + " routing"));
  }
}

TEST_P(RoutingFunction, HasTheFiguresThatFollowFromItsPaths) {
  const json result = result_of("traffic --size 6x6 --vcs 2 --load 0.1 --measure 2000");
  EXPECT_EQ(result["throughput"]["ideal"].is_null(), !GetParam().known_channels);
  EXPECT_EQ(result["saturation"]["busiest_channel"].is_null(), !GetParam().known_channels);
  EXPECT_EQ(result["kernel"], GetParam().known_channels ? "planes" : "routers");
  EXPECT_FALSE(result["saturated"].get<bool>());
  EXPECT_NEAR(result["hops"]["mean"].get<double>(), result["hops"]["expected"].get<double>(), 0.1);
  if (!GetParam().known_channels) {
    EXPECT_THAT(printed_, HasSubstr("at most -, as " + std::string(GetParam().name)));
  }
}

TEST_P(RoutingFunction, DoesTheSameInThreadsAndForObservers) {
  const std::string command =
      "traffic --size 8x8 --vcs 2 --load 0.4 --flits 1,9 --warm-up 100 --measure 300 --quiet";
  json alone = result_of(command + " --kernel routers");
  json observed = result_of(command + " --flit-log " + place_.path("log").string());
  json threads = result_of(command + " --threads 2");
  for (json* result : {&alone, &observed, &threads}) result->erase("kernel");
  EXPECT_EQ(alone, observed);
  EXPECT_EQ(alone, threads);
}

TEST_P(RoutingFunction, IsProvedFreeOfDeadlock) {
  const Outcome o =
      place_.annelid(std::string("deadlock --size 6x5 --vcs 2 --routing ") + GetParam().name);
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(o.out, HasSubstr("accepted"));
}

INSTANTIATE_TEST_SUITE_P(Each, RoutingFunction,
                         ::testing::Values(Function{"xy", true, true}, Function{"yx", true, true},
                                           Function{"o1turn", false, true},
                                           Function{"west-first", false, false},
                                           Function{"north-last", false, false},
                                           Function{"negative-first", false, false},
                                           Function{"odd-even", false, false}),
                         test::ParameterName());

}  // namespace
}  // namespace annelid::end_to_end
