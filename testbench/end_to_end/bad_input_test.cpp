// What a user gets wrong: one clear line, exit status 2, nothing half-written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::HasSubstr;

class Options : public ::testing::TestWithParam<Refusal> {};

TEST_P(Options, AreRefusedWithTheirNameWhatWasFoundAndWhatWasExpected) {
  const Workplace w;
  expect_refused(w, w.run(GetParam().arguments), GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    Bad, Options,
    ::testing::Values(
        Refusal{"RootOutside", "--root 8,0", {"--root", "8,0", "8x8", "0,0 to 7,7"}},
        Refusal{"RootNoPair", "--root 3", {"--root", "found [3]", "two integers"}},
        Refusal{"SizeZero", "--size 0x8", {"--size", "found 0", "1..256"}},
        Refusal{"Size257", "--size 257x257", {"--size", "found 257", "1..256"}},
        Refusal{"EdnOnRectangle", "--size 8x5", {"\"edn\" on 8x5", "recursive-doubling"}},
        Refusal{"EdnOn11",
                "--size 11x11",
                {"\"edn\" on 11x11", "4, 5, 6 or 7", "what fits: \"recursive-doubling\""}},
        Refusal{"UnknownAlgorithm", "--algorithm fast", {"--algorithm", "\"fast\"", "\"edn\""}},
        Refusal{"MissingPayload", "--payload no-such-file", {"--payload", "no-such-file"}},
        Refusal{"FolderAsPayload", "--payload /tmp", {"--payload", "found a folder: \"/tmp\""}},
        Refusal{"DepthZero", "--depth 0", {"--depth", "found 0", "1..64"}},
        Refusal{"Vcs9", "--vcs 9", {"--vcs", "found 9", "1..8"}},
        Refusal{"LocalPorts5", "--local-ports 5", {"--local-ports", "found 5", "1..4"}},
        Refusal{"RtlNode64", "--rtl 64", {"--rtl", "\"64\"", "0 to 63"}},
        Refusal{"WaveNode64", "--wave /tmp/x.fst --wave-nodes 64", {"--wave-nodes", "\"64\""}},
        Refusal{"WaveWindow",
                "--wave /tmp/x.fst --wave-window 9:3",
                {"--wave-window", "\"9:3\"", "100:250"}},
        Refusal{"WaveTrigger",
                "--wave /tmp/x.fst --wave-trigger tag:70000",
                {"--wave-trigger", "\"tag:70000\"", "0 to 65535", "blocked:CYCLES"}},
        Refusal{"WaveBefore", "--wave /tmp/x.fst --wave-before 0", {"--wave-before", "1"}},
        Refusal{"UnwritableWave", "--wave /proc/x.fst", {"--wave", "cannot be written"}},
        Refusal{"UnwritableLog", "--flit-log /proc/x.log", {"--flit-log", "cannot be written"}},
        Refusal{"NoElf", "--firmware scenarios/payload.txt", {"--firmware", "no ELF file"}},
        Refusal{"MissingElf", "--firmware no.elf", {"--firmware", "no.elf"}},
        Refusal{"CycleLimitZero", "--cycle-limit 0", {"--cycle-limit", "found 0"}},
        Refusal{"UnknownOption", "--quick", {"--quick", "--help"}},
        Refusal{"MistypedOption", "--sizee 4x4", {"--sizee", "did you mean \"--size\"?"}},
        Refusal{"MistypedAlgorithm", "--algorithm edm", {"\"edm\"", "did you mean \"edn\"?"}},
        Refusal{"MistypedOperation",
                "--operation brodcast",
                {"--operation", "did you mean \"broadcast\"?"}},
        Refusal{"MistypedTopology", "--topology mseh", {"--topology", "did you mean \"mesh\"?"}},
        Refusal{"MistypedFirmware", "--firmware natve", {"--firmware", "did you mean \"native\"?"}},
        Refusal{"MistypedTrigger",
                "--wave /tmp/x.fst --wave-trigger failur",
                {"--wave-trigger", "did you mean \"failure\"?"}},
        Refusal{"NoRanks", "--ranks 0", {"--ranks", "found 0", "1..64"}},
        Refusal{"RanksByCoordinates", "--ranks 8", {"--ranks", "a value for \"edn\"", "by rank"}},
        Refusal{"BytesWithUnknownUnit", "--bytes 1q", {"--bytes", "\"1q\"", "\"4k\""}}),
    name_of);

// Options that would change nothing: to accept them would let a user believe that they do.
INSTANTIATE_TEST_SUITE_P(
    WithoutEffect, Options,
    ::testing::Values(
        Refusal{"OperatorOfABroadcast", "--operator sum", {"--operator", "a value for broadcast"}},
        Refusal{"TypeOfABroadcast", "--type int32", {"--type", "a value for broadcast"}},
        Refusal{"RootOfAnAllGather",
                "--operation all-gather --algorithm ring --root 0,0",
                {"--root", "a value for all-gather"}},
        Refusal{"BytesOfABarrier",
                "--operation barrier --algorithm dissemination --bytes 8",
                {"--bytes", "a value for barrier"}},
        Refusal{"TriggersOfAReduce",
                "--operation reduce --algorithm edn --triggers true",
                {"--triggers", "a value for reduce"}},
        Refusal{"SeedOfABarrier",
                "--operation barrier --algorithm dissemination --seed 3",
                {"--seed", "a value for barrier", "--skew"}},
        Refusal{"ParameterOfEdnOptimal",
                "--algorithm edn-optimal --parameter 3",
                {"--parameter", "\"edn-optimal\", which takes none", "\"circulant\""}},
        Refusal{"RadixOf1",
                "--operation all-to-all --algorithm radix --bytes 8 --parameter 1",
                {"--parameter", "found 1", "a radix of 2 or more"}},
        Refusal{"ParameterOfATransposition",
                "--operation transpose --algorithm edn --bytes 8 --parameter 1",
                {"--parameter", "none for transpose"}},
        Refusal{"ClassesOfAMesh", "--classes plh", {"--classes", "8x8 mesh, which has no rings"}},
        Refusal{"StagesOfAnIdealNetwork",
                "--topology ideal --stages 2",
                {"--stages", "a value for an ideal network"}},
        Refusal{"VcsOfAnIdealNetwork", "--topology ideal --vcs 2", {"--vcs", "an ideal network"}},
        Refusal{"ArbitersOfAnIdealNetwork",
                "--topology ideal --arbiters matrix",
                {"--arbiters", "an ideal network"}},
        Refusal{"RoutingOfAnIdealNetwork",
                "--topology ideal --routing yx",
                {"--routing", "an ideal network"}},
        Refusal{"VcSelectionOfAnIdealNetwork",
                "--topology ideal --vc-selection rotating",
                {"--vc-selection", "an ideal network"}},
        Refusal{"RoutingOfALine",
                "--size 8 --local-ports 2 --routing yx",
                {"--routing", "8-node line, which has one dimension"}},
        Refusal{"RoutingOfAOnePortRouter",
                "--router one-port --local-ports 1 --routing yx",
                {"--routing", "found yx", "expected xy", "router.kind = all-port"}},
        Refusal{"LastOfAScan",
                "--operation scan --algorithm two-tree --bytes 64 --last leaf",
                {"--last", "a value for scan"}},
        Refusal{"WaveNodesAlone", "--wave-nodes 3", {"--wave-nodes", "without --wave"}},
        Refusal{"WaveWindowAlone", "--wave-window 3:9", {"--wave-window", "without --wave"}},
        Refusal{"WaveTriggerAlone", "--wave-trigger tag:1", {"--wave-trigger", "without --wave"}},
        Refusal{"WaveBeforeNoTrigger",
                "--wave /tmp/x.fst --wave-before 9",
                {"--wave-before", "--wave-trigger"}},
        Refusal{"WaveAsVcd", "--wave /tmp/x.vcd", {"--wave", "x.vcd", "ends in .fst"}}),
    name_of);

struct BadCommand {
  const char* name;
  const char* arguments;
  std::vector<std::string> parts;
};

class CommandLine : public ::testing::TestWithParam<BadCommand> {};

TEST_P(CommandLine, IsRefusedWithTheNearestMatch) {
  const Workplace w;
  const Outcome o = w.annelid(GetParam().arguments);
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.out, "");
  for (const std::string& part : GetParam().parts) EXPECT_THAT(o.err, HasSubstr(part));
}

INSTANTIATE_TEST_SUITE_P(
    Bad, CommandLine,
    ::testing::Values(
        BadCommand{"Command", "runn", {"runn", "unknown command", "did you mean \"run\"?"}},
        BadCommand{"GlobalOption", "--verson", {"--verson", "did you mean \"--version\"?"}},
        BadCommand{"InnerCommand", "firmware rn", {"rn", "did you mean \"run\"?"}},
        BadCommand{"Nothing", "", {"Usage: annelid [OPTIONS] SUBCOMMAND", "traffic", "Help:"}},
        BadCommand{"NothingWithin", "firmware", {"Usage: annelid firmware", "build", "Help:"}},
        BadCommand{"OfHelp", "runn --help", {"runn", "unknown command", "did you mean \"run\"?"}},
        BadCommand{"InnerOfHelp", "firmware rn --help", {"rn", "did you mean \"run\"?"}},
        BadCommand{"OptionBesideHelp", "run --rood --help", {"--rood", "\"--root\"?"}},
        BadCommand{"BehindHelp", "help runn", {"runn", "did you mean \"run\"?"}},
        BadCommand{"BesideVersion", "--version runn", {"runn", "did you mean \"run\"?"}},
        BadCommand{"Surplus", "run a.toml b.toml", {"b.toml", "no further argument"}},
        BadCommand{"KeyTable", "keys netwrok", {"\"netwrok\"", "did you mean \"network\"?"}},
        BadCommand{"Set", "traffic --set router.vsc=2", {"did you mean \"router.vcs\"?"}},
        BadCommand{
            "NoNumber", "traffic --threads abc", {"--threads: found \"abc\", expected a number"}},
        BadCommand{"EmptyNumber", "traffic --threads ''", {"--threads: found \"\"", "--help"}},
        BadCommand{"EmptySamples", "check --quick --samples ''", {"--samples: found \"\""}},
        BadCommand{"EmptyFile", "traffic --flit-log ''", {"--flit-log: found \"\""}},
        BadCommand{"PortOfGdb",
                   "firmware run x.elf --gdb abc",
                   {"--gdb: found \"abc\", expected 0 to 65535"}},
        BadCommand{"NoPortOfGdb",
                   "firmware run x.elf --gdb ''",
                   {"--gdb: found \"\", expected 0 to 65535"}},
        BadCommand{"NoPortOfGdbForARun", "run --operation broadcast --gdb=", {"--gdb"}},
        BadCommand{"Jobs", "check --jobs -3", {"--jobs: found \"-3\", expected 1 to 1024"}},
        BadCommand{
            "SeedOfCheck", "check --seed -1", {"--seed: found \"-1\", expected 0 to 1000000000"}},
        BadCommand{"SeedOfRun",
                   "run --operation broadcast --seed -1",
                   {"--seed: found -1, expected 0..1000000000"}},
        BadCommand{"SeedOfTraffic", "traffic --seed -1", {"--seed: found -1, expected 0.."}},
        BadCommand{"SeedOfTune", "tune --seed -1", {"--seed: found -1, expected 0.."}},
        BadCommand{"SeedOfSchedule",
                   "schedule --operation all-gather --algorithm intercom --size 3x3 --counts "
                   "random:0..9 --seed -1",
                   {"--seed: found -1, expected 0.."}},
        BadCommand{"TraceNodeAlone",
                   "firmware run x.elf --trace-node 1",
                   {"--trace-node", "without --trace"}},
        BadCommand{"LoadBesideATrace",
                   "traffic --trace scenarios/trace-gather-scatter.csv --size 4x4 --load 0.1",
                   {"--load", "beside a trace"}},
        BadCommand{
            "PatternBesideATrace",
            "traffic --trace scenarios/trace-gather-scatter.csv --size 4x4 --pattern shuffle",
            {"--pattern", "beside a trace"}},
        BadCommand{"BurstOfBernoulli", "traffic --burst 9", {"--burst", "a value for bernoulli"}},
        BadCommand{
            "HotspotsOfUniform", "traffic --hotspots 3", {"--hotspots", "a value for uniform"}},
        BadCommand{
            "LimitWithoutATrace", "traffic --cycle-limit 9", {"--cycle-limit", "without a trace"}},
        BadCommand{"SweptKey",
                   "sweep --sweep traffic.loda=1,2",
                   {"--sweep", "did you mean \"traffic.load\"?"}},
        BadCommand{"TunedAlgorithm",
                   "tune --algorithm edn,edm",
                   {"--algorithm", "\"edm\"", "did you mean \"edn\"?"}},
        BadCommand{
            "CheckedAlgorithm", "check --algorithm edm", {"--algorithm", "did you mean \"edn\"?"}},
        BadCommand{"CheckedOperation",
                   "check --operation brodcast",
                   {"--operation", "did you mean \"broadcast\"?"}},
        BadCommand{
            "CheckedRouter", "check --router al-port", {"--router", "did you mean \"all-port\"?"}},
        BadCommand{"Item", "reproduce tabel3.1", {"\"tabel3.1\"", "did you mean \"table3.1\"?"}},
        BadCommand{"TorusThatIsAMesh",
                   "schedule --torus --topology mesh",
                   {"--torus", "beside --topology", "one of the two"}},
        BadCommand{"CheckedTorusThatIsAMesh",
                   "check --torus --topology mesh",
                   {"--torus", "beside --topology", "one of the two"}},
        BadCommand{"TunedSizes", "tune --sizes 4x4,wide", {"--sizes: ", "\"4x4\""}},
        BadCommand{"EmbeddingByCoordinates",
                   "tune --algorithm edn-optimal --embedding snake",
                   {"--embedding", "an algorithm by rank"}},
        BadCommand{"SizeBesideAList", "schedule --list --size 4x4", {"--size", "beside --list"}},
        BadCommand{"SvgBesideAList", "schedule --list --svg x.svg", {"--svg", "beside --list"}},
        BadCommand{"FreshList", "reproduce list --fresh", {"--fresh", "beside list"}},
        BadCommand{"ListBesideItems", "reproduce list table3.1", {"list beside items"}},
        BadCommand{"DateAlone", "reproduce table3.1 --date x", {"--date", "without --document"}},
        BadCommand{"SweptClassesOfAMesh",
                   "sweep --sweep router.classes=dateline,plh",
                   {"--sweep router.classes", "which has no rings"}},
        BadCommand{"ValueOfASweptKey",
                   "sweep --sweep router.vcs=1,2 --vcs 3",
                   {"--vcs", "beside --sweep router.vcs"}},
        BadCommand{"ValueOfAKeyThatTheFileSweeps",
                   "sweep scenarios/sweep-vcs.toml --vcs 3",
                   {"--vcs", "sweep-vcs.toml:15: sweep.router.vcs"}},
        BadCommand{"KeySweptTwice",
                   "sweep --sweep router.vcs=1 --sweep router.vcs=2",
                   {"--sweep router.vcs", "a second time"}},
        BadCommand{"HotspotsAtNoPoint",
                   "sweep --sweep traffic.pattern=uniform,transpose --hotspots 3",
                   {"--hotspots", "a value for uniform"}},
        BadCommand{"KeyTwice",
                   "traffic --set router.vcs=2 --vcs 3",
                   {"--set router.vcs", "beside --vcs", "one of the two"}},
        BadCommand{"SetTwice",
                   "traffic --set router.vcs=2 --set router.vcs=3",
                   {"--set router.vcs", "a second value for router.vcs"}},
        BadCommand{"MissingFlitLog", "timeline no.log", {"no.log: found no such file"}},
        BadCommand{"FolderAsFlitLog", "timeline docs", {"docs: found a folder"}},
        BadCommand{"FolderAsTrace", "traffic --trace docs", {"--trace: found a folder: \"docs\""}},
        BadCommand{"FolderAsProgram", "firmware run docs", {"found a folder: \"docs\""}},
        BadCommand{"FolderAsScenario", "run scenarios", {"scenarios: found a folder"}},
        BadCommand{"EmptyScenario", "run /dev/null", {"/dev/null: found an empty file"}}),
    [](const auto& test) { return test.param.name; });

TEST(Options, ThatTheirOperationReplacesMayStandInTheFile) {
  const Workplace w;
  EXPECT_EQ(w.run("--quiet --operation all-gather --algorithm ring --bytes 64").status, 0)
      << "the scenario has a payload, which an all-gather does not take";
}

TEST(Options, OfAKeyWithoutEffectInAnIdealNetworkMayStandInTheFile) {
  const Workplace w;
  const std::string file = w.file("mesh.toml", "[router]\nstages = 2\nvcs = 2\n");
  const Outcome o = w.annelid("run --quiet " + file + " --topology ideal --bytes 8 --out " +
                              w.path("out").string());
  EXPECT_EQ(o.status, 0) << o.err;
}

TEST(Options, ThatHaveAnEffectAtOnePointOfASweepAreAccepted) {
  const Workplace w;
  const Outcome o = w.annelid(
      "sweep --quiet --no-plots --size 2x2 --warm-up 0 --measure 100 --vcs 2 --hotspots 3 "
      "--sweep network.topology=mesh,ideal --sweep traffic.pattern=uniform,hotspot --out " +
      w.path("out").string());
  EXPECT_EQ(o.status, 0) << o.err;
}

TEST(Options, TakeBytesWithAUnit) {
  const Workplace w;
  const Outcome o = w.run("--bytes 1k");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("(1024 bytes"));
}

struct BadScenario {
  const char* name;
  const char* text;
  std::vector<std::string> parts;
};

class Scenarios : public ::testing::TestWithParam<BadScenario> {};

TEST_P(Scenarios, AreRefusedWithFileLineAndKey) {
  const Workplace w;
  const std::string file = w.file("bad.toml", GetParam().text);
  std::vector<std::string> parts = GetParam().parts;
  parts.push_back("bad.toml");
  expect_refused(w, w.annelid("run " + file + " --out " + w.path("out").string()), parts);
}

INSTANTIATE_TEST_SUITE_P(
    Bad, Scenarios,
    ::testing::Values(
        BadScenario{
            "UnknownKey", "[router]\nvcs = 1\nspeed = 3\n", {":3: router.speed", "router.vcs"}},
        BadScenario{
            "WrongType", "[router]\nvcs = \"two\"\n", {":2: router.vcs", "\"two\"", "an integer"}},
        BadScenario{"FloatSize", "[network]\nsize = [8.5, 8]\n", {":2: network.size", "8.5"}},
        BadScenario{
            "FourSizes", "[network]\nsize = [8, 8, 8, 8]\n", {":2: network.size", "one to three"}},
        BadScenario{
            "SizeZero", "\n[network]\nsize = [0, 8]\n", {":3: network.size", "found 0", "1..256"}},
        BadScenario{"NoToml", "[network\nsize = 3\n", {":1: ", "TOML"}},
        BadScenario{"RootOutside",
                    "[network]\nsize = [4, 4]\n[collective]\nroot = [4, 0]\npayload = \"x\"\n",
                    {":4: collective.root", "4,0", "0,0 to 3,3"}},
        BadScenario{"UnreadablePayload",
                    "[collective]\npayload = \"nothing-here\"\n",
                    {":2: collective.payload", "nothing-here"}},
        BadScenario{"PayloadAndBytes",
                    "[collective]\nbytes = 3\npayload = \"x\"\n",
                    {":2: collective.bytes", "not both"}},
        BadScenario{"RootOfThreeDimensions",
                    "[network]\nsize = [4, 4]\n[collective]\nroot = [1, 0, 0]\n",
                    {":4: collective.root", "[1, 0, 0]", "two integers"}},
        BadScenario{"SectionAsValue", "network = 3\n", {":1: network"}}),
    [](const auto& test) { return test.param.name; });

TEST(Scenario, AMissingFileIsNamed) {
  const Workplace w;
  const Outcome o = w.annelid("run nowhere.toml --out " + w.path("out").string());
  expect_refused(w, o, {"nowhere.toml", "no such file"});
}

TEST(OldResult, IsRemovedBeforeARunThatFails) {
  const Workplace w;
  ASSERT_EQ(w.run("--quiet").status, 0);
  EXPECT_EQ(w.run("--quiet --cycle-limit 100").status, 1);
  EXPECT_FALSE(std::filesystem::exists(w.path("out") / "result.json"));
}

TEST(LimitOfCycles, IsTheSameInEveryCommand) {
  const Workplace w;
  const std::string commands[] = {
      "run --operation broadcast --size 2x2 --firmware native --quiet --out " +
          w.path("out").string() + " --cycle-limit ",
      "traffic --trace scenarios/trace-gather-scatter.csv --size 4x4 --quiet --out " +
          w.path("out").string() + " --cycle-limit ",
      std::string("firmware run --quiet ") + ANNELID_TEST_ELF_DIR + "/sleeps.elf --cycles "};
  for (const std::string& command : commands) {
    const Outcome o = w.annelid(command + "4611686018427387904");
    EXPECT_NE(o.status, 2) << command << o.err;
  }
  std::filesystem::remove_all(w.path("out"));
  for (const std::string& command : commands) {
    for (const char* wrong : {"4611686018427387905", "0"}) {
      expect_refused(w, w.annelid(command + wrong), {wrong, "4611686018427387904"});
    }
  }
}

}  // namespace
}  // namespace annelid::end_to_end
