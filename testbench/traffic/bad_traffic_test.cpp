// What a user of `annelid traffic` and `annelid sweep` gets wrong: one clear line, exit status 2,
// nothing half-written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::HasSubstr;

class TrafficOptions : public ::testing::TestWithParam<Refusal> {};

TEST_P(TrafficOptions, AreRefused) {
  const Workplace w;
  const std::string out = " --out " + w.path("out").string();
  expect_refused(w, w.annelid(GetParam().arguments + out), GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    Bad, TrafficOptions,
    ::testing::Values(
        Refusal{"Pattern", "traffic --pattern diagonal", {"--pattern", "diagonal", "\"uniform\""}},
        Refusal{"PatternAndSize",
                "traffic --pattern transpose --size 8x4",
                {"--pattern", "8x4", "equal size"}},
        Refusal{"LoadText", "traffic --load much", {"--load", "\"much\"", "a number"}},
        Refusal{"LoadTooMuch", "traffic --load 9", {"--load", "found 9", "0..8"}},
        Refusal{"LoadNegative", "traffic --load -0.1", {"--load", "-0.1"}},
        Refusal{"Flits", "traffic --flits 0", {"--flits", "\"0\"", "2..16"}},
        Refusal{"Injection", "traffic --injection poisson", {"--injection", "\"bernoulli\""}},
        Refusal{"Duty", "traffic --injection bursty --duty 2", {"--duty", "found 2"}},
        Refusal{
            "Hotspot", "traffic --pattern hotspot --hotspots 64", {"--hotspots", "64", "0..63"}},
        Refusal{"NoHotspot", "traffic --pattern hotspot", {"--hotspots", "at least one"}},
        Refusal{"Measure", "traffic --measure 0", {"--measure", "found 0"}},
        Refusal{"Size", "traffic --size 300x2", {"--size", "found 300", "1..256"}},
        Refusal{"Sizes", "traffic --size 2x2x2x2", {"--size", "one to three"}},
        Refusal{"Topology", "traffic --topology ring", {"--topology", "\"torus\""}},
        Refusal{"Topologies",
                "traffic --topology torus,mesh,mesh",
                {"--topology", "one for each dimension"}},
        Refusal{"TorusVcs", "traffic --topology torus --vcs 1", {"--vcs", "found 1", "at least 2"}},
        Refusal{"PlhVcs",
                "traffic --topology torus --classes plh --vcs 2",
                {"--vcs", "found 2", "at least 3"}},
        Refusal{"OnePortPorts",
                "traffic --router one-port --local-ports 2",
                {"--local-ports", "found 2", "1..1"}},
        Refusal{"Stages", "traffic --stages 5", {"--stages", "found 5", "1..4"}},
        Refusal{"LinkRegisters", "traffic --link-registers 5", {"--link-registers", "0..4"}},
        Refusal{"LocalVcs", "traffic --local-vcs 0", {"--local-vcs", "found 0", "1..8"}},
        Refusal{"Boolean", "traffic --allow-deadlock maybe", {"--allow-deadlock", "true or false"}},
        Refusal{"Set", "traffic --set router.speed=3", {"--set", "router.speed"}},
        Refusal{"SetValue", "traffic --set router.vcs=9", {"--set router.vcs", "1..8"}},
        Refusal{"MissingFile", "traffic nowhere.toml", {"nowhere.toml", "no such file"}},
        Refusal{"MissingTrace", "traffic --trace no.csv", {"--trace", "no.csv"}},
        Refusal{"Packets", "traffic --packets /proc/x.csv", {"--packets", "cannot be written"}},
        Refusal{"Rtl", "traffic --rtl 64", {"--rtl", "0 to 63"}},
        Refusal{"NoSweep", "sweep", {"--sweep", "nothing to sweep"}},
        Refusal{"SweepKey", "sweep --sweep router.speed=1", {"--sweep", "router.speed"}},
        Refusal{"SweepValue", "sweep --sweep router.vcs=1,9", {"--sweep router.vcs", "1..8"}},
        Refusal{"SweepRange", "sweep --sweep traffic.load=0.5:0.1:0.1", {"0.5 to 0.1"}},
        Refusal{"SweepText", "sweep --sweep traffic.load=a,b", {"traffic.load", "\"a\""}}),
    name_of);

struct BadFile {
  const char* name;
  const char* command;
  const char* text;
  std::vector<std::string> parts;
};

class TrafficFiles : public ::testing::TestWithParam<BadFile> {};

TEST_P(TrafficFiles, AreRefusedWithFileLineAndKey) {
  const Workplace w;
  const std::string file = w.file("bad.toml", GetParam().text);
  expect_refused(
      w,
      w.annelid(std::string(GetParam().command) + " " + file + " --out " + w.path("out").string()),
      GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    Bad, TrafficFiles,
    ::testing::Values(
        BadFile{"UnknownKey", "traffic", "[traffic]\nrate = 3\n", {"bad.toml:2: traffic.rate"}},
        BadFile{
            "WrongType", "traffic", "[traffic]\nload = \"x\"\n", {":2: traffic.load", "a number"}},
        BadFile{
            "Range", "traffic", "[router]\nstages = 0\n", {":2: router.stages", "found 0", "1..4"}},
        BadFile{"TorusVcs",
                "traffic",
                "[network]\ntopology = [\"mesh\", \"torus\"]\n[router]\nvcs = 1\n",
                {":4: router.vcs", "found 1", "at least 2"}},
        BadFile{"SweepInTraffic",
                "traffic",
                "[sweep]\n\"router.vcs\" = [1]\n",
                {":2: sweep.router.vcs"}},
        BadFile{"SweptValue",
                "sweep",
                "[sweep]\n\"router.depth\" = [4, 65]\n",
                {":2: sweep.router.depth", "found 65", "1..64"}},
        BadFile{"SweptType",
                "sweep",
                "[sweep]\n\"router.depth\" = [4, \"x\"]\n",
                {":2: sweep.router.depth", "\"x\"", "an integer"}},
        BadFile{"NoList",
                "sweep",
                "[sweep]\n\"router.depth\" = 4\n",
                {":2: sweep.router.depth", "list"}},
        BadFile{"BadRange",
                "sweep",
                "[sweep]\n\"traffic.load\" = { from = 0.1, to = 0.5 }\n",
                {":2: sweep.traffic.load", "step"}},
        BadFile{"SweptKey",
                "sweep",
                "[sweep]\n\"traffic.loda\" = [1]\n",
                {":2: sweep.traffic.loda", "did you mean \"traffic.load\"?"}},
        BadFile{"NoTable", "sweep", "name = \"x\"\n", {"bad.toml", "nothing to sweep"}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(BadTrace, IsRefusedWithItsFileAndLine) {
  const Workplace w;
  const std::string trace =
      w.file("bad.csv", "id,cycle,source,destination,bytes,after\na,0,0,64,8,\n");
  expect_refused(w, w.annelid("traffic --trace " + trace + " --out " + w.path("out").string()),
                 {"bad.csv:2: destination", "\"64\"", "0..63"});
}

}  // namespace
}  // namespace annelid::end_to_end
