// The algorithm auto: the firmware takes what the program finds in tune.json, on the core and
// natively, whatever is asked for; every run compares messages and bytes.
// State space: operations, sizes on either side of the crossovers of the tables that are built in,
// networks and numbers of processes near and far from the tuned ones, operators.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::HasSubstr;

nlohmann::json run_auto(const Workplace& w, const std::string& arguments) {
  const Outcome o =
      w.annelid("run --quiet --algorithm auto --out " + w.path("out").string() + " " + arguments);
  EXPECT_EQ(o.status, 0) << arguments << '\n' << o.out << o.err;
  return o.status == 0 ? w.result() : nlohmann::json{};
}

/// The first table of a tuning for these calls.
nlohmann::json table(const std::string& folder, const std::string& operation, int processes,
                     const std::string& among = "all") {
  std::ifstream in(std::string(ANNELID_SOURCE_DIR "/tuned/") + folder + "/tune.json");
  const auto tuning = nlohmann::json::parse(in);
  for (const auto& t : tuning["tables"]) {
    const auto& a = t["among"];
    if (t["operation"] == operation && t["processes"] == processes &&
        std::find(a.begin(), a.end(), among) != a.end()) {
      return t;
    }
  }
  ADD_FAILURE() << "no table for " << operation;
  return {};
}

class AutoOperation : public ::testing::TestWithParam<const char*> {};

// On both sides of each crossover, on both firmwares; the messages and cycles of native firmware
// are those of the algorithm by name.
TEST_P(AutoOperation, IsTheNamedAlgorithmOnEitherSideOfACrossover) {
  const Workplace w;
  const std::string operation = GetParam();
  const bool is_scan = operation.ends_with("scan");
  const auto choices = table(is_scan ? "mesh-scans" : "mesh", operation, 16)["choices"];
  std::map<std::uint64_t, nlohmann::json> expected = {{0, choices[0]}};
  for (std::size_t i = 1; i < choices.size(); ++i) {
    expected[choices[i]["from"].get<std::uint64_t>() - 8] = choices[i - 1];
    expected[choices[i]["from"]] = choices[i];
  }
  EXPECT_GE(expected.size(), 3u) << "no crossover";
  for (const auto& [bytes, choice] : expected) {
    const std::string call =
        "--operation " + operation + " --size 4x4 --bytes " + std::to_string(bytes);
    for (const char* firmware : {"rv32", "native"}) {
      const auto result = run_auto(w, call + " --firmware " + firmware);
      ASSERT_FALSE(result.is_null());
      const auto& collective = result["configuration"]["collective"];
      EXPECT_EQ(collective["algorithm"], "auto");
      EXPECT_EQ(collective["chosen"], choice["algorithm"]) << call;
    }
    const auto result = w.result();
    const std::string embedding =
        choice.contains("embedding") ? " --embedding " + std::string(choice["embedding"]) : "";
    const Outcome named =
        w.annelid("run --quiet --firmware native --algorithm " + std::string(choice["algorithm"]) +
                  embedding + " " + call + " --out " + w.path("named").string());
    ASSERT_EQ(named.status, 0) << named.err;
    EXPECT_EQ(result["messages"], w.result("named")["messages"]) << call;
    EXPECT_EQ(result["cycles"], w.result("named")["cycles"]) << call;
  }
}

/// A name of a test holds letters and digits alone.
std::string operation_of(const ::testing::TestParamInfo<const char*>& test) {
  std::string name = test.param;
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, AutoOperation,
                         ::testing::Values("broadcast", "reduce", "all-reduce", "scan", "exscan"),
                         operation_of);

/// The algorithm that a table takes for so many bytes.
std::string taken(const nlohmann::json& table, std::uint64_t bytes) {
  std::string algorithm;
  for (const auto& choice : table["choices"]) {
    if (choice["from"].get<std::uint64_t>() <= bytes) algorithm = choice["algorithm"];
  }
  return algorithm;
}

// The tables of ordinary calls contain the time of the core; where they differ from those of
// prepared calls, each call takes its own.
class AutoOfPreparedCalls : public ::testing::TestWithParam<const char*> {};

TEST_P(AutoOfPreparedCalls, GoesByTheTablesOfPreparedCalls) {
  const std::string operation = GetParam();
  const auto ordinary = table(operation == "scan" ? "mesh-scans" : "mesh", operation, 16),
             prepared = table("prepared-mesh", operation, 16);
  std::uint64_t bytes = 64;
  while (taken(ordinary, bytes) == taken(prepared, bytes) && bytes < 1 << 20) bytes *= 2;
  ASSERT_NE(taken(ordinary, bytes), taken(prepared, bytes)) << "they never differ";
  const Workplace w;
  const std::string call =
      "--operation " + operation + " --size 4x4 --bytes " + std::to_string(bytes) + " --firmware ";
  for (const char* firmware : {"rv32", "native"}) {
    const auto first = run_auto(w, call + firmware);
    EXPECT_EQ(first["configuration"]["collective"]["chosen"], taken(ordinary, bytes));
    const auto second = run_auto(w, call + firmware + " --prepared --repeat 2");
    EXPECT_EQ(second["configuration"]["collective"]["chosen"], taken(prepared, bytes));
  }
}

INSTANTIATE_TEST_SUITE_P(All, AutoOfPreparedCalls, ::testing::Values("broadcast", "reduce", "scan"),
                         operation_of);

TEST(Auto, IsRightInPreparedCallsWhateverItIsAskedFor) {
  const Workplace w;
  for (const char* firmware : {"native", "rv32"}) {
    for (const char* call :
         {"--operation broadcast --size 5x3 --bytes 13 --root 4,2",
          "--operation broadcast --size 4x4 --topology torus --bytes 3000",
          "--operation reduce --size 4x4 --router one-port --bytes 640 --type float32",
          "--operation all-reduce --size 3x3 --bytes 400", "--operation all-gather --size 5x3",
          "--operation gather --size 5x3 --group 1,1..3,2 --root-rank 2 --bytes 40",
          "--operation all-to-all --size 3x3", "--operation barrier --size 5x3"}) {
      run_auto(w, std::string(call) + " --prepared --repeat 2 --firmware " + firmware);
    }
  }
}

/// InterCom's hybrid is chosen by the times of the NICs and routers, on the core, too.
TEST(Prepared, CallsByInterComTakeTheHybridOfNativeFirmware) {
  const Workplace w;
  for (const char* call :
       {"--operation broadcast --bytes 4096", "--operation all-reduce --bytes 4096",
        "--operation all-gather --bytes 64", "--operation reduce-scatter"}) {
    std::vector<std::uint64_t> cycles;
    for (const bool native : {false, true}) {
      const Outcome o =
          w.annelid("run --quiet --size 4x4 --algorithm intercom --prepared " + std::string(call) +
                    (native ? " --firmware native" : "") + " --out " + w.path("out").string());
      ASSERT_EQ(o.status, 0) << call << '\n' << o.out << o.err;
      cycles.push_back(w.result()["cycles"]);
    }
    EXPECT_EQ(cycles[0], cycles[1]) << call;
  }
}

// Far from what was tuned, and where the fastest is not allowed.
TEST(Auto, IsRightWhateverItIsAskedFor) {
  const Workplace w;
  for (const char* firmware : {"native", "rv32"}) {
    for (const char* call :
         {"--operation broadcast --size 5x3 --bytes 13 --root 4,2",
          "--operation broadcast --size 7 --bytes 0",
          "--operation broadcast --size 1x1 --bytes 5",
          "--operation broadcast --size 3x2x4 --bytes 40000 --root 1,1,3",
          "--operation broadcast --size 5x4 --topology torus,mesh --bytes 3000",
          "--operation broadcast --size 4x4 --topology ideal --router one-port --bytes 3000",
          "--operation broadcast --size 5x5 --ranks 11 --embedding snake --bytes 999",
          "--operation reduce --size 5x3 --bytes 40 --root 4,2",
          "--operation reduce --size 4x4 --bytes 64 --operator affine --root 2,2",
          "--operation reduce --size 5x3 --bytes 9600 --operator affine --root 4,2",
          "--operation reduce --size 5x3 --ranks 13 --bytes 9600 --operator affine",
          "--operation reduce --size 4x4 --router one-port --bytes 640 --type float32",
          "--operation all-reduce --size 3x3 --bytes 400 --operator affine",
          "--operation all-reduce --size 2x2 --topology torus --bytes 8000 --type int64",
          "--operation scan --size 5x3 --bytes 800 --operator affine --embedding quadrants",
          "--operation exscan --size 4x4 --ranks 9 --bytes 24",
          "--operation gather --size 5x3 --bytes 13 --root 1,1",
          "--operation scatter --size 4x4 --bytes 100",
          "--operation gather --size 5x3 --group 1,1..3,2 --root-rank 2 --bytes 40",
          "--operation scatter --size 5x3 --group \"row 1\" --bytes 40",
          "--operation all-gather --size 5x3",
          "--operation all-to-all --size 3x3",
          "--operation transpose --size 5x5 --bytes 100",
          "--operation barrier --size 5x3"}) {
      run_auto(w, std::string(call) + " --firmware " + firmware);
    }
  }
}

TEST(Auto, SaysWhatItChose) {
  const Workplace w;
  const Outcome o = w.annelid(
      "run --operation all-to-all --size 3x3 --algorithm auto --firmware "
      "native --out " +
      w.path("out").string());
  EXPECT_THAT(o.out, HasSubstr("auto (direct) all-to-all on the 3x3 mesh"));
  EXPECT_THAT(w.annelid("schedule --operation gather --size 5x3 --algorithm auto").out,
              HasSubstr("auto (recursive-doubling) gather"));
}

TEST(Auto, DependsOnTheBytesOfAPayload) {
  const Workplace w;
  const auto choices = table("mesh", "broadcast", 16)["choices"];
  ASSERT_GE(choices.size(), 2u);
  const std::uint64_t from = choices[1]["from"];
  const auto result = run_auto(
      w, "--size 4x4 --operation broadcast --firmware native --payload " + w.payload(from));
  EXPECT_EQ(result["configuration"]["collective"]["chosen"], choices[1]["algorithm"]);
}

// Long blocks on all-port routers take the algorithms that send through all ports at once.
class AutoOfLongBlocks : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(AutoOfLongBlocks, UsesAllPorts) {
  const auto& [network, operation] = GetParam();
  const std::string all_ports =
      std::string_view(operation) == "all-reduce" ? "port-rings" : "disjoint-trees";
  const auto choices = table(network, operation, 64)["choices"];
  const auto choice = std::find_if(choices.begin(), choices.end(),
                                   [&](const auto& c) { return c["algorithm"] == all_ports; });
  ASSERT_NE(choice, choices.end());
  EXPECT_EQ(choices.back()["algorithm"], all_ports) << "of all blocks above";
  const std::uint64_t from = (*choice)["from"];
  const Workplace w;
  const auto result =
      run_auto(w, std::string("--size 8x8 --firmware native --topology ") + network +
                      " --operation " + operation + " --bytes " + std::to_string(from));
  ASSERT_FALSE(result.is_null());
  EXPECT_EQ(result["configuration"]["collective"]["chosen"], all_ports);
}

INSTANTIATE_TEST_SUITE_P(All, AutoOfLongBlocks,
                         ::testing::Combine(::testing::Values("mesh", "torus"),
                                            ::testing::Values("broadcast", "reduce", "all-reduce")),
                         [](const auto& test) {
                           std::string name =
                               std::string(std::get<0>(test.param)) + "_" + std::get<1>(test.param);
                           std::erase(name, '-');
                           return name;
                         });

class AutoOptions : public ::testing::TestWithParam<Refusal> {};

TEST_P(AutoOptions, AreRefusedWithTheReason) {
  const Workplace w;
  expect_refused(w,
                 w.annelid("run --size 8x8 --algorithm auto --out " + w.path("out").string() + " " +
                           GetParam().arguments),
                 GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    Bad, AutoOptions,
    ::testing::Values(
        Refusal{"Packets", "--packets 3", {"--packets", "\"auto\"", "by name"}},
        Refusal{"Parameter", "--parameter 1", {"--parameter", "\"auto\""}},
        Refusal{"Triggers", "--triggers false", {"--triggers", "\"auto\""}},
        Refusal{"Embedding", "--embedding snake", {"--embedding", "\"auto\"", "all nodes"}},
        Refusal{"RanksOfNoRanks",
                "--operation gather --ranks 3",
                {"--ranks", "auto (recursive-doubling)", "coordinates"}},
        Refusal{"NoAlgorithm",
                "--operation transpose --topology torus",
                {"--size", "8x8 torus", "\"direct\""}}),
    name_of);

}  // namespace
}  // namespace annelid::end_to_end
