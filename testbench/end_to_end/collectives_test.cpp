// Every operation as its user runs it, and what its checks notice.
// State space: each operation once with its default algorithm and every scenario file elsewhere
// (broadcast_test.cpp); meshes and tori of one to three dimensions; one-port routers; skew;
// firmware that does nothing, and firmware that writes where it must not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

Outcome run(const Workplace& w, const std::string& arguments) {
  return w.annelid("run --out " + w.path("out").string() + " " + arguments);
}

std::string verdict(const json& result, const std::string& check) {
  for (const json& c : result["checks"]) {
    if (c["check"] == check) return c["verdict"];
  }
  return "no such check";
}

class Operations : public ::testing::TestWithParam<const char*> {};

TEST_P(Operations, HoldOnAMeshAnd3dAndOnePortRouters) {
  const Workplace w;
  const std::string operation = GetParam();
  int seed = 0;  // other contents in each run
  for (const std::string network : {"--size 4x4", "--size 4x4 --router one-port",
                                    "--size 4x4 --topology torus --skew 300", "--size 2x3x4"}) {
    ++seed;
    if (operation == "transpose" && network != "--size 4x4") continue;
    const bool synchronizes = operation == "barrier" || operation.starts_with("sync-");
    const std::string bytes = synchronizes ? "" : "--bytes 40 --seed " + std::to_string(seed) + " ";
    const Outcome o =
        run(w, "--quiet --firmware native " + bytes + "--operation " + operation + " " + network);
    ASSERT_EQ(o.status, 0) << network << o.err << o.out;
    const json result = w.result();
    EXPECT_TRUE(result["passed"]);
    EXPECT_EQ(result["nodes_verified"], network == "--size 2x3x4" ? 24 : 16);
    EXPECT_EQ(verdict(result, "bytes"), "held");
    EXPECT_EQ(verdict(result, "schedule"), "held");
    EXPECT_EQ(result["configuration"]["collective"]["operation"], operation);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Operations,
                         ::testing::Values("broadcast", "reduce", "gather", "scatter", "all-gather",
                                           "all-reduce", "barrier", "transpose", "all-to-all",
                                           "scan", "exscan", "reduce-scatter", "shift", "sync-in",
                                           "sync-out"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(Shift, GoesUpAndDownCyclicAndWithEnds) {
  const Workplace w;
  for (const std::string algorithm : {"send-receive", "even-odd", "auto"}) {
    for (const std::string steps : {"1", "-4", "37", "0"}) {
      for (const std::string ends : {"false", "true"}) {
        const Outcome o =
            run(w, "--quiet --firmware native --size 5x3 --operation shift --algorithm " +
                       algorithm + " --steps " + steps + " --ends " + ends);
        ASSERT_EQ(o.status, 0) << algorithm << steps << o.err << o.out;
        const json collective = w.result()["configuration"]["collective"];
        EXPECT_EQ(collective["steps"], std::stoi(steps));
        EXPECT_EQ(collective["ends"], ends == "true");
      }
    }
  }
}

TEST(Modes, OfEveryOperationAddMessagesOfStep0AndHold) {
  const Workplace w;
  for (const std::string operation : {"broadcast", "reduce", "gather", "scatter", "all-gather",
                                      "all-reduce", "barrier", "transpose", "all-to-all", "scan",
                                      "exscan", "reduce-scatter", "shift", "sync-in", "sync-out"}) {
    for (const std::string firmware : {"native", "rv32"}) {
      const Outcome o =
          run(w, "--quiet --size 4x4 --skew 2000 --mode barrier --develop true --firmware " +
                     firmware + " --operation " + operation);
      ASSERT_EQ(o.status, 0) << operation << o.err << o.out;
      const json result = w.result();
      EXPECT_EQ(verdict(result, "barrier"), "held") << operation;
      EXPECT_EQ(verdict(result, "schedule"), "held") << operation;
      EXPECT_EQ(result["steps"].front()["step"], 0);
      EXPECT_EQ(result["configuration"]["collective"]["mode"], "barrier");
      EXPECT_EQ(result["configuration"]["collective"]["develop"], true);
    }
  }
}

TEST(Modes, LeaveTheArenaToAnAlgorithmThatNeedsMostOfIt) {
  const Workplace w;
  for (const std::string call : {"all-gather --algorithm port-rings --size 3x3x3",
                                 "all-reduce --algorithm port-rings --size 3x3x3",
                                 "reduce-scatter --algorithm port-rings --size 3x3x3",
                                 "broadcast --algorithm disjoint-trees --size 4x4"}) {
    for (const std::string mode : {"", " --mode barrier"}) {
      const Outcome o = run(w,
                            "--quiet --topology torus --router one-port --bytes 8 "
                            "--firmware rv32 --develop true --operation " +
                                call + mode);
      ASSERT_EQ(o.status, 0) << call << mode << o.err << o.out;
    }
  }
}

TEST(Reductions, TakeEveryOperatorAndType) {
  const Workplace w;
  for (const char* op : {"sum", "min", "max", "product", "and", "or", "xor"}) {
    for (const char* type : {"int32", "uint32", "int64", "float32"}) {
      const Outcome o =
          run(w, std::string("--quiet --firmware native --size 3x3 --operation reduce "
                             "--algorithm recursive-doubling --root 1,2 --operator ") +
                     op + " --type " + type);
      ASSERT_EQ(o.status, 0) << op << type << o.err << o.out;
      const json collective = w.result()["configuration"]["collective"];
      EXPECT_EQ(collective["operator"], op);
      EXPECT_EQ(collective["type"], type);
    }
  }
}

TEST(Contents, OfOneSeedAreTheSameAndOfAnotherAreNot) {
  const Workplace w;
  const auto crc = [&](const char* seed) -> std::string {
    EXPECT_EQ(run(w, std::string("--quiet --firmware native --operation gather --algorithm "
                                 "recursive-doubling --size 3x2 --seed ") +
                         seed)
                  .status,
              0);
    return w.result()["configuration"]["collective"]["crc32"];
  };
  const std::string first = crc("5");
  EXPECT_EQ(crc("5"), first);
  EXPECT_NE(crc("6"), first);
}

TEST(Scatter, OfAFileGivesEachNodeItsShare) {
  const Workplace w;
  const std::string common =
      "--quiet --operation scatter --algorithm recursive-doubling --size 3x2 ";
  ASSERT_EQ(run(w, common + "--payload " + w.payload(60)).status, 0);
  EXPECT_EQ(w.result()["configuration"]["collective"]["bytes"], 10);
  std::filesystem::remove(w.path("out") / "result.json");
  expect_refused(w, run(w, common + "--payload " + w.payload(61)),
                 {"--payload", "61 bytes", "a multiple of 6"});
}

TEST(Contention, OnOnePortRoutersTellsWaitsForThePortsApart) {
  const Workplace w;
  const Outcome o = run(w,
                        "--operation broadcast --algorithm edn --size 8x8 --router one-port "
                        "--bytes 800 --firmware native");
  ASSERT_EQ(o.status, 0) << o.err << o.out;
  EXPECT_THAT(o.out, AllOf(HasSubstr("ejection  injection"), HasSubstr("not run stepwise")));
  const json result = w.result();
  std::uint64_t waits = 0;
  for (const json& step : result["steps"]) {
    waits += step["injection_wait_cycles"].get<std::uint64_t>();
  }
  // In each of the three later steps some node sends a second message of 102 flits behind a first.
  EXPECT_GT(waits, 3U * 100U);
}

TEST(Triggers, PlayABroadcastToo) {
  const Workplace w;
  ASSERT_EQ(run(w, "--quiet --size 4x4 --triggers false").status, 0);
  EXPECT_EQ(w.result()["configuration"]["collective"]["triggers"], false);
}

// ---- Bad input ----------------------------------------------------------------------------------

class BadCollective : public ::testing::TestWithParam<Refusal> {};

TEST_P(BadCollective, IsRefused) {
  const Workplace w;
  expect_refused(w, run(w, GetParam().arguments), GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    Of, BadCollective,
    ::testing::Values(
        Refusal{"Operation", "--operation sort", {"--operation", "\"sort\"", "\"all-to-all\""}},
        Refusal{"AlgorithmOfAnother",
                "--operation barrier --algorithm edn",
                {"--algorithm", "\"edn\"", "for barrier: \"dissemination\""}},
        Refusal{"AlgorithmOnASize",
                "--algorithm u-torus --size 8x8",
                {"--algorithm", "\"u-torus\" on 8x8 mesh", "rings in all dimensions",
                 "what fits: ", "\"edn\", \"recursive-doubling\""}},
        Refusal{"NoAlgorithmFits",
                "--operation transpose --size 4x5",
                {"--size", "4x5 mesh", "transpose", "\"edn\""}},
        Refusal{"Operator",
                "--operation reduce --operator minus",
                {"--operator", "\"minus\"", "\"sum\"", "\"xor\""}},
        Refusal{
            "Type", "--operation reduce --type float64", {"--type", "\"float64\"", "\"float32\""}},
        Refusal{"HalfAnElement",
                "--operation reduce --bytes 6",
                {"--bytes", "found 6", "a multiple of the 4 bytes of int32"}},
        Refusal{"RootOutside3d",
                "--size 4x4x4 --root 1,2,4",
                {"--root", "1,2,4", "4x4x4 mesh: 0,0,0 to 3,3,3"}},
        Refusal{"RootWithoutZ", "--size 4x4x4 --root 1,2", {"--root", "three integers"}},
        Refusal{"FileForAGather",
                "--operation gather --payload scenarios/payload.txt",
                {"--payload", "a file for gather", "--bytes"}},
        Refusal{
            "FileAndBytes", "--payload scenarios/payload.txt --bytes 3", {"--bytes", "not both"}},
        Refusal{"TooMuch",
                "--operation all-to-all --size 32x32 --bytes 100000",
                {"--bytes", "100000 bytes", "less: "}},
        Refusal{"NetworkOfNoPowerOfTwo",
                "--operation all-gather --algorithm exchange --size 5x3",
                {"--algorithm", "15 processes for \"exchange\"", "in the network or in a --group"}},
        Refusal{"LongMessage",
                "--operation transpose --algorithm edn --size 8x8 --bytes 12000000",
                {"--bytes", "less: a message of", "at most 16777216"}},
        Refusal{"LongConcat",
                "--operation all-gather --algorithm dissemination --size 8x8 --bytes 600000",
                {"--bytes", "600000 bytes", "at most 262144 bytes: all-gather has 64 blocks"}},
        Refusal{"LongIndex",
                "--operation all-to-all --algorithm radix --size 4x4 --bytes 1500000",
                {"--bytes", "1500000 bytes", "at most 1048576 bytes: all-to-all has 16 blocks"}},
        Refusal{"LongBuffer",
                "--operation gather --size 16x16 --bytes 65537",
                {"--bytes", "65537 bytes", "at most 65536 bytes: gather has 256 blocks"}}),
    name_of);

// ---- What the checks notice ---------------------------------------------------------------------

std::string firmware(const char* name) {
  return std::string(" --firmware ") + ANNELID_TEST_ELF_DIR + "/" + name;
}

TEST(Checks, NoticeWhatLazyFirmwareLeavesUndone) {
  const Workplace w;
  for (const auto& [operation, difference] :
       {std::pair{"broadcast", "node (1,0): SOURCE, byte 0: expected"},
        std::pair{"reduce", "node (0,0): TARGET, byte "},
        std::pair{"all-gather", "node (0,0): TARGET, byte 0: expected"}}) {
    const Outcome o =
        run(w, std::string("--size 4x4 --operation ") + operation + firmware("lazy.elf"));
    EXPECT_EQ(o.status, 1) << o.err;
    EXPECT_THAT(o.out, AllOf(HasSubstr("FAILED  bytes: "), HasSubstr(difference),
                             HasSubstr("FAILED  schedule: missing step 1: ")));
    EXPECT_EQ(verdict(w.result(), "network"), "held");
  }
}

TEST(Checks, NoticeABarrierThatLetsAProcessThroughTooEarly) {
  const Workplace w;
  const Outcome o = run(w, "--size 2x2 --operation barrier --skew 500" + firmware("lazy.elf"));
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.out, HasSubstr("FAILED  barrier: the first call ended in cycle "));
}

// It says that its call is done when it posts its first message. Everything else is honest.
TEST(Checks, NoticeFirmwareThatEndsItsCallsTooEarly) {
  const Workplace w;
  const std::string call = " --operation broadcast --algorithm recursive-doubling --size 4x4";
  const Outcome o = run(w, call + " --bytes 1000" + firmware("hasty.elf"));
  EXPECT_EQ(o.status, 1) << o.err;
  EXPECT_THAT(o.out, AllOf(HasSubstr("held    bytes: "), HasSubstr("held    schedule: "),
                           HasSubstr("FAILED  calls: step "), HasSubstr("ended its call in")));
  EXPECT_EQ(verdict(w.result(), "calls"), "failed");
  EXPECT_FALSE(w.result()["passed"]);

  const Outcome check = w.annelid("check --quick" + call + firmware("hasty.elf"));
  EXPECT_EQ(check.status, 1);
  EXPECT_THAT(check.out, AllOf(HasSubstr("FAILED, "), HasSubstr("\n  calls: step ")));

  const Outcome tune = w.annelid("tune --no-plots --bytes 1000" + call + firmware("hasty.elf") +
                                 " --out " + w.path("tuned").string());
  EXPECT_EQ(tune.status, 1);
  EXPECT_THAT(tune.err, HasSubstr("calls: step "));
}

// The statistics are those of the same run without the write.
TEST(Checks, NoticeWhatComesLongAfterTheLastCall) {
  const Workplace w;
  const std::string call = "--size 2x1 --operation barrier --quiet --trace ";
  const Outcome o = run(w, call + w.path("trace").string() + firmware("restless.elf"));
  EXPECT_EQ(o.status, 1) << o.err;
  EXPECT_EQ(verdict(w.result(), "calls"), "failed");
  EXPECT_LT(w.result()["cycles"].get<int>(), 100);
  EXPECT_THAT(w.text("trace"), ::testing::Not(HasSubstr("xori")));
}

/// A register's value in the first line of a trace with this instruction.
std::string traced_value(const std::string& trace, const std::string& instruction) {
  const std::size_t line = trace.find(instruction), value = trace.find("=0x", line);
  return line == std::string::npos ? "" : trace.substr(value + 1, 10);
}

TEST(Checks, OfManySeedsNoticeFirmwareThatHasLearntTheResultOfOne) {
  const Workplace w;
  const std::string call = "--size 1x1 --operation all-gather --algorithm ring";
  const std::string honest = firmware("learnt.elf");
  ASSERT_EQ(run(w, call + " --bytes 8 --trace " + w.path("trace").string() + honest).status, 0);
  const std::string folder = std::string(ANNELID_SOURCE_DIR) + "/testbench/end_to_end/firmware/";
  const std::string elf = w.path("knows.elf").string();
  const std::string compiler =
      "riscv64-unknown-elf-gcc -march=rv32im -misa-spec=2.2 -mabi=ilp32 "
      "-nostdlib -nostartfiles -T " +
      folder + "bare.ld " + folder + "learnt.S -o " + elf;
  const std::string words = " -DWORD_0=" + traced_value(w.text("trace"), "lw a3,0(a0)") +
                            " -DWORD_1=" + traced_value(w.text("trace"), "lw a4,4(a0)");
  ASSERT_EQ(w.shell(compiler + words).status, 0) << words;

  const std::string knows = " --firmware " + elf;
  EXPECT_EQ(run(w, call + " --bytes 8" + knows).status, 0) << "one run proves nothing";
  const Outcome other = run(w, call + " --bytes 8 --seed 2" + knows);
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.out, HasSubstr("FAILED  bytes: node (0,0): TARGET, byte "));
  const Outcome check = w.annelid("check --quick " + call + knows);
  EXPECT_EQ(check.status, 1);
  EXPECT_THAT(check.out, HasSubstr("bytes: node (0,0): TARGET, byte "));
  EXPECT_EQ(w.annelid("check --quick " + call + honest).status, 0);
}

TEST(Checks, NoticeWritesBesideTheBuffers) {
  const Workplace w;
  const Outcome o = run(w, "--size 1x1 --operation barrier" + firmware("scribbles.elf"));
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.out, HasSubstr("FAILED  bytes: node (0,0): the bytes before SOURCE, byte 5: "));
}

}  // namespace
}  // namespace annelid::end_to_end
