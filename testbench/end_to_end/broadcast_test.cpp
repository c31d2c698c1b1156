// The main job, as its user runs it: firmware broadcasts a file over a simulated mesh.
// Parameter space: algorithm, size, root, payload length, RV32 or native firmware, model or RTL.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <utility>

#include "testbench/end_to_end/program.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::end_to_end {
namespace {

using nlohmann::json;

/// Every check of a run held, and what the run says of itself is as expected.
void expect_broadcast(const json& result, int size_x, int size_y, std::size_t steps,
                      std::size_t bytes) {
  const auto nodes = static_cast<std::uint64_t>(size_x * size_y);
  EXPECT_TRUE(result["passed"]);
  EXPECT_EQ(result["messages"], nodes - 1);
  EXPECT_EQ(result["nodes_verified"], nodes);
  EXPECT_EQ(result["steps"].size(), steps);
  EXPECT_EQ(result["configuration"]["collective"]["bytes"], bytes);
  EXPECT_EQ(result["checks"].size(), 6u);
  for (const json& check : result["checks"]) EXPECT_EQ(check["verdict"], "held") << check;
  for (const json& step : result["steps"]) {
    EXPECT_EQ(step["blocked_flit_cycles"]["stepwise"], 0);
    EXPECT_EQ(step["flits"], step["messages"].get<std::uint64_t>() * (2 + (bytes + 7) / 8));
  }
}

TEST(MainScenario, SaysWhatAStrangerWantsToKnow) {
  const Workplace w;
  const Outcome o = w.run("");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.err, "") << "no progress line in a pipe";
  EXPECT_EQ(o.out.find('\033'), std::string::npos) << "no colours in a pipe";
  for (const char* text : {"edn broadcast from node 2,0 of the 8x8 mesh", "63 in 4 steps",
                           "bytes at 64 of 64 nodes equal the reference's",
                           "63 messages in 4 steps equal the reference's",
                           "0 flit-cycles blocked by a message of the same step", "result.json"}) {
    EXPECT_NE(o.out.find(text), std::string::npos) << text << "\n" << o.out;
  }
  const json result = w.result();
  expect_broadcast(result, 8, 8, 4, result["configuration"]["collective"]["bytes"]);
}

TEST(MainScenario, WithoutMessagesHasNoMeanOfThem) {
  const Workplace w;
  const Outcome o =
      w.annelid("run --operation broadcast --size 1x1 --out " + w.path("out").string());
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_NE(o.out.find("messages  0 in 0 steps, mean path - hops"), std::string::npos) << o.out;
  const json result = w.result();
  EXPECT_TRUE(result["mean_hops"].is_null());
  for (const char* cycles : {"call_to_send", "receive_to_send"}) {
    const json& range = result["firmware_cycles"][cycles];
    EXPECT_EQ(range["cases"], 0);
    for (const char* figure : {"least", "mean", "most"}) {
      EXPECT_TRUE(range[figure].is_null()) << cycles << " " << figure;
    }
  }
}

class Payload : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Payload, ArrivesAtEveryNodeWithRv32AndNativeFirmwareAndBothAlgorithms) {
  const Workplace w;
  const std::string file = w.payload(GetParam());
  for (const char* firmware : {"rv32", "native"}) {
    for (const auto& [algorithm, steps] :
         {std::pair{"edn", std::size_t{3}}, std::pair{"recursive-doubling", std::size_t{4}}}) {
      const Outcome o = w.run("--quiet --size 4x4 --root 1,3 --payload " + file + " --firmware " +
                              firmware + " --algorithm " + algorithm);
      ASSERT_EQ(o.status, 0) << o.err << o.out;
      expect_broadcast(w.result(), 4, 4, steps, GetParam());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Bytes, Payload, ::testing::Values(0, 1, 7, 8, 9, 64, 1000, 65536, 1048576),
                         [](const auto& test) { return std::to_string(test.param); });

TEST(Root, EveryNodeOf4x4CanBeIt) {
  const Workplace w;
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) {
      const std::string root = std::to_string(x) + "," + std::to_string(y);
      const Outcome o = w.run("--quiet --size 4x4 --root " + root);
      ASSERT_EQ(o.status, 0) << root << o.err << o.out;
    }
  }
}

TEST(Root, EveryNodeOf8x8TakesFourStepsWithNativeFirmware) {
  const Workplace w;
  for (int node = 0; node < 64; ++node) {
    const std::string root = std::to_string(node % 8) + "," + std::to_string(node / 8);
    const Outcome o = w.run("--quiet --firmware native --root " + root);
    ASSERT_EQ(o.status, 0) << root << o.err << o.out;
    ASSERT_EQ(w.result()["steps"].size(), 4u) << root;
  }
}

struct Size {
  int x, y;
  std::size_t edn_steps, doubling_steps;  // 0: does not fit
};

class MeshSizes : public ::testing::TestWithParam<Size> {};

TEST_P(MeshSizes, RunBothAlgorithmsWithRv32Firmware) {
  const Workplace w;
  const auto [x, y, edn, doubling] = GetParam();
  const std::string size = std::to_string(x) + "x" + std::to_string(y);
  const std::string root = std::to_string(x - 1) + "," + std::to_string(y / 2);
  const std::string file = w.payload(100);
  const std::string common = "--quiet --payload " + file + " --size " + size + " --root " + root;
  if (edn != 0) {
    const Outcome o = w.run(common);
    ASSERT_EQ(o.status, 0) << o.err << o.out;
    expect_broadcast(w.result(), x, y, edn, 100);
  }
  const Outcome o = w.run(common + " --algorithm recursive-doubling");
  ASSERT_EQ(o.status, 0) << o.err << o.out;
  expect_broadcast(w.result(), x, y, doubling, 100);
}

INSTANTIATE_TEST_SUITE_P(Meshes, MeshSizes,
                         ::testing::Values(Size{4, 4, 3, 4}, Size{8, 8, 4, 6}, Size{16, 16, 5, 8},
                                           Size{32, 32, 6, 10}, Size{5, 3, 0, 4}, Size{1, 9, 0, 4},
                                           Size{7, 7, 0, 6}, Size{1, 1, 0, 0}),
                         [](const auto& test) {
                           return std::to_string(test.param.x) + "x" + std::to_string(test.param.y);
                         });

class StandIns : public ::testing::TestWithParam<const char*> {};

TEST_P(StandIns, RtlRoutersGiveTheSameFlitLogAndResult) {
  const Workplace w;
  const std::string router = GetParam();
  const auto run = [&](const std::string& name, const std::string& rtl) {
    const Outcome o = w.run(
        "--quiet " + router + " --flit-log " + w.path(name).string() + " " + rtl, name + "-out");
    EXPECT_EQ(o.status, 0) << o.err << o.out;
  };
  run("model", "");
  run("all", "--rtl all");
  run("some", "--rtl 3,4,17,63");
  EXPECT_GT(w.text("model").size(), 100'000u);
  EXPECT_EQ(w.text("model"), w.text("all"));
  EXPECT_EQ(w.text("model"), w.text("some"));
  EXPECT_EQ(w.text("model-out/result.json"), w.text("all-out/result.json"));
  EXPECT_EQ(w.text("model-out/result.json"), w.text("some-out/result.json"));
}

INSTANTIATE_TEST_SUITE_P(DefaultRouter, StandIns,
                         ::testing::Values("", "--algorithm recursive-doubling",
                                           "--firmware native"),
                         test::ParameterName());

TEST(Determinism, EqualRunsWriteEqualBytes) {
  const Workplace w;
  for (const char* name : {"first", "second"}) {
    const Outcome o = w.run(std::string("--quiet --flit-log ") + w.path(name).string() +
                                " --wave " + w.path(name).string() + ".fst",
                            std::string(name) + "-out");
    ASSERT_EQ(o.status, 0) << o.err;
  }
  EXPECT_EQ(w.text("first"), w.text("second"));
  EXPECT_EQ(w.text("first.fst"), w.text("second.fst"));
  EXPECT_EQ(w.text("first-out/result.json"), w.text("second-out/result.json"));
}

TEST(Waveform, OfRtlRoutersEqualsTheModelsAndGtkwaveDrawsIt) {
  const Workplace w;
  for (const auto& [name, rtl] : {std::pair{"model", ""}, std::pair{"rtl", " --rtl all"}}) {
    const Outcome o = w.run(std::string("--wave ") + w.path(name).string() + ".fst" + rtl);
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_NE(o.out.find("gtkwave " + w.path(name).string() + ".gtkw"), std::string::npos);
  }
  EXPECT_GT(w.text("model.fst").size(), 10'000u);
  EXPECT_EQ(w.text("model.fst"), w.text("rtl.fst"));
  const std::string command = std::string(ANNELID_SOURCE_DIR) + "/scripts/wave-picture " +
                              w.path("model.gtkw").string() + " " + w.path("wave.png").string() +
                              " >" + w.path("rows").string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(w.text("wave.png").substr(1, 3), "PNG");
  EXPECT_GT(w.text("wave.png").size(), 20'000u);  // an empty window is much smaller
  EXPECT_GT(std::stoi(w.text("rows").substr(5)), 1000) << w.text("rows");
}

TEST(EveryScenario, RunsAndHolds) {
  const Workplace w;
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(ANNELID_SOURCE_DIR) + "/scenarios")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".toml" || name.starts_with("traffic-") ||
        name.starts_with("sweep-")) {
      continue;  // of other commands: testbench/traffic
    }
    ++count;
    const std::string command =
        name.starts_with("tune-hybrids") ? "tune --sizes 4x4 --bytes 64 --hybrids 1"
        : name.starts_with("tune-")  // a small part of it: the rest takes minutes
            ? "tune --no-plots --sizes 4x4 --bytes 64 --refine 0"
            : "run";
    const Outcome o = w.annelid(command + " --quiet " + entry.path().string() + " --out " +
                                w.path(name).string());
    EXPECT_EQ(o.status, 0) << entry.path() << o.err << o.out;
  }
  EXPECT_GE(count, 3);
}

TEST(FewerLocalPorts, StillDeliverEveryByte) {
  const Workplace w;
  for (const char* router : {"--local-ports 1", "--local-ports 2 --vcs 2", "--local-ports 3"}) {
    const Outcome o = w.run(std::string("--quiet ") + router);
    ASSERT_EQ(o.status, 0) << o.err << o.out;
    EXPECT_EQ(w.result()["nodes_verified"], 64);
  }
}

}  // namespace
}  // namespace annelid::end_to_end
