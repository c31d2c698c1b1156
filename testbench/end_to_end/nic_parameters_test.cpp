// The NICs' parameters: what annelid run makes of its keys and options
// (docs/reference/scenario-keys.md). What they mean to a NIC is tested with the NIC.
#include <gtest/gtest.h>

#include <cstdint>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using nlohmann::json;

constexpr const char* kCommon = "--quiet --size 4x4 --firmware native ";

/// The cycles of a run that holds.
std::uint64_t cycles_of(const Workplace& w, const std::string& options) {
  const Outcome o = w.run(kCommon + options);
  EXPECT_EQ(o.status, 0) << options << '\n' << o.err << o.out;
  return w.result()["cycles"];
}

TEST(NicParameters, ChangeTheCyclesAndNotTheBytes) {
  const Workplace w;
  const std::string payload = "--payload " + w.payload(64) + ' ';
  const std::uint64_t cycles = cycles_of(w, payload);
  EXPECT_EQ(cycles_of(w, payload + "--memory-flits 0 --half-duplex false"), cycles);
  // Three steps one after the other, each with a start-up and a reception; some nodes send twice.
  EXPECT_GE(cycles_of(w, payload + "--alpha 1000"), cycles + 3000);
  EXPECT_GE(cycles_of(w, payload + "--gamma 1000"), cycles + 3000);
  EXPECT_LE(cycles_of(w, payload + "--gamma 1000"), cycles + 3100);
  EXPECT_NE(cycles_of(w, payload + "--eager-bytes 0"), cycles);
  EXPECT_GT(cycles_of(w, payload + "--memory-flits 1"), cycles);
  EXPECT_GE(cycles_of(w, payload + "--half-duplex true"), cycles);
  EXPECT_EQ(cycles_of(w, payload + "--combine-lanes 1"), cycles) << "nothing is combined";
}

TEST(NicParameters, AreKeysOfAScenarioAndInItsResult) {
  const Workplace w;
  const std::string file = w.file("nic.toml",
                                  "[nic]\neager_bytes = 128\nalpha = 3\ngamma = 5\n"
                                  "memory_flits = 2\ncombine_lanes = 7\n"
                                  "half_duplex = true\n[network]\nsize = [4, 4]\n"
                                  "[collective]\npayload = \"" +
                                      w.payload(100) + "\"\n");
  const Outcome o = w.annelid("run --quiet " + file + " --alpha 4 --out " + w.path("out").string());
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(w.result()["configuration"]["nic"],
            json::parse(R"({"eager_bytes": 128, "alpha": 4, "gamma": 5, "memory_flits": 2,
                            "combine_lanes": 7, "half_duplex": true})"));
  ASSERT_EQ(w.run("--quiet --local-ports 3").status, 0);
  EXPECT_EQ(w.result()["configuration"]["nic"],
            json::parse(R"({"eager_bytes": 64, "alpha": 0, "gamma": 0, "memory_flits": 0,
                            "combine_lanes": 3, "half_duplex": false})"));
}

TEST(NicParameters, OutOfRangeAreRefused) {
  const Workplace w;
  expect_refused(w, w.run("--eager-bytes 12"), {"--eager-bytes", "found 12", "a multiple of 8"});
  expect_refused(w, w.run("--eager-bytes 4104"), {"--eager-bytes", "found 4104", "0..4096"});
  expect_refused(w, w.run("--alpha -1"), {"--alpha", "found -1", "0.."});
  expect_refused(w, w.run("--alpha 1048577"), {"--alpha", "found 1048577", "0..1048576"});
  expect_refused(w, w.run("--gamma 99999999999"), {"--gamma", "found 99999999999", "0..1048576"});
  expect_refused(w, w.run("--memory-flits 65"), {"--memory-flits", "found 65", "0..64"});
  expect_refused(w, w.run("--combine-lanes 0"), {"--combine-lanes", "found 0", "1..8"});
  expect_refused(w, w.run("--combine-lanes 9"), {"--combine-lanes", "found 9", "1..8"});
  expect_refused(w, w.run("--half-duplex 1"), {"--half-duplex", "true or false"});
  const std::string file = w.file("nic.toml", "[nic]\n\ngamma = 1048577\n");
  expect_refused(w, w.annelid("run " + file + " --out " + w.path("out").string()),
                 {":3: nic.gamma", "found 1048577", "0..1048576"});
}

}  // namespace
}  // namespace annelid::end_to_end
