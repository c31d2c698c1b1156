// `annelid tune`: measurements in a fixed order, resumable, the winners, and files for programs.
// A 4 x 4 mesh, native firmware, three sizes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>

#include "testbench/base/stored_rows.hpp"
#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kTuning =
    " --firmware native --size 4x4 --operation broadcast,reduce --bytes 64,1k,8k"
    " --algorithm edn,two-tree,linear-pipeline ";

Outcome tune(const Workplace& w, const std::string& arguments, const std::string& out = "out") {
  return w.annelid("tune --out " + w.path(out).string() + kTuning + arguments);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Tune, FindsTheBestRadicesForEachLength) {
  const Workplace w;
  const std::string all_to_all =
      "tune --firmware native --size 4x2 --operation all-to-all --bytes 8,2k --radices true ";
  const Outcome o = w.annelid(all_to_all + "--out " + w.path("out").string());
  ASSERT_EQ(o.status, 0) << o.err;
  // 8 processes have the radices 2 to 8, and lists as good as those in steps and blocks.
  const auto result = nlohmann::json::parse(w.text("out/tune.json"))["cases"][0];
  std::vector<std::string> names;
  for (const auto& curve : result["curves"]) names.push_back(curve["algorithm"]);
  for (int radix = 2; radix <= 8; ++radix) {
    EXPECT_THAT(names, ::testing::Contains("radix " + std::to_string(radix)));
  }
  EXPECT_THAT(names, ::testing::Contains("radix 2,4"));
  EXPECT_THAT(names, ::testing::Contains("direct"));
  for (std::size_t size = 0; size < 2; ++size) {
    std::uint64_t least = ~std::uint64_t{0};
    for (const auto& curve : result["curves"]) {
      least = std::min(least, curve["cycles"][size].get<std::uint64_t>());
    }
    for (const auto& curve : result["curves"]) {
      if (curve["algorithm"] == result["winners"][size]) {
        EXPECT_EQ(curve["cycles"][size], least);
      }
    }
  }
  EXPECT_THAT(o.out, HasSubstr("radix "));
  EXPECT_FALSE(std::filesystem::exists(w.path("out/tuned.inc"))) << "auto names no radices";
  EXPECT_EQ(w.annelid("tune --operation scan --radices true").status, 2);
  EXPECT_EQ(w.annelid(all_to_all + "--algorithm direct").status, 2);
}

TEST(Tune, MeasuresEveryAlgorithmAndNamesTheFastest) {
  const Workplace w;
  const Outcome o = tune(w, "");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_THAT(o.out, HasSubstr("tune: 18 runs, 18 simulated, 0 kept"));
  EXPECT_THAT(o.out, HasSubstr("reduce on the 4x4 mesh, 16 processes: 3 algorithms"));
  const auto rows = lines_of(w.text("out/tune.csv"));
  ASSERT_EQ(rows.size(), 19u);
  EXPECT_THAT(rows[1], HasSubstr(",broadcast,4x4 mesh,16,edn,,64,"));
  EXPECT_THAT(rows[4], HasSubstr(",broadcast,4x4 mesh,16,two-tree,quadrants,64,"));
  EXPECT_THAT(rows[18], HasSubstr(",reduce,4x4 mesh,16,linear-pipeline,snake,8192,"));

  const auto result = nlohmann::json::parse(w.text("out/tune.json"));
  ASSERT_EQ(result["cases"].size(), 2u);
  for (const auto& c : result["cases"]) {
    for (std::size_t size = 0; size < 3; ++size) {
      std::uint64_t least = ~std::uint64_t{0};
      std::string fastest;
      for (const auto& curve : c["curves"]) {
        if (curve["cycles"][size] >= least) continue;
        least = curve["cycles"][size];
        fastest = curve["algorithm"];
      }
      EXPECT_EQ(c["winners"][size], fastest);
    }
  }
  EXPECT_THAT(w.text("out/tuned.inc"), HasSubstr("TUNED_TABLE(kBroadcast, kMesh, kAllPort, 16, "));
  for (const char* name : {"out/broadcast-4x4-16", "out/reduce-4x4-16"}) {
    EXPECT_THAT(w.text(std::string(name) + ".svg"), HasSubstr("linear-pipeline"));
    EXPECT_EQ(w.text(std::string(name) + ".png").substr(1, 3), "PNG");
  }
}

TEST(Tune, ComparesHybridsOfInterCom) {
  const Workplace w;
  const std::string command =
      "tune --firmware native --size 2x3 --operation all-gather --algorithm "
      "intercom --hybrids 1 --bytes 8,1k --out " +
      w.path("out").string();
  const Outcome o = w.annelid(command);
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("all-gather on the 2x3 mesh, 6 processes: hybrids of intercom"));
  const auto result = nlohmann::json::parse(w.text("out/tune.json"));
  const auto& lengths = result["hybrids"][0]["lengths"];
  ASSERT_EQ(lengths.size(), 2u);
  for (const auto& length : lengths) EXPECT_GE(length["runs"].size(), 2u);
  // The run that a row names, alone.
  const auto& run = lengths[1]["runs"][0];
  std::string mesh;
  for (const auto& size : run["logical_mesh"]) {
    mesh += (mesh.empty() ? "" : "x") + std::to_string(size.get<int>());
  }
  ASSERT_EQ(
      w.annelid("run --quiet --firmware native --size 2x3 --operation all-gather --algorithm "
                "intercom --bytes 1024 --logical-mesh " +
                mesh + " --template " + run["template"].get<std::string>() + " --dimensions " +
                run["dimensions"].get<std::string>() + " --out " + w.path("run").string())
          .status,
      0);
  EXPECT_EQ(w.result("run")["cycles"], run["cycles"]);
  EXPECT_TRUE(std::filesystem::exists(w.path("out/tuned.inc")));
  EXPECT_THAT(w.annelid(command).out, HasSubstr(" 0 simulated"));
}

TEST(Tune, MeasuresBlocksOfDifferentLengths) {
  const Workplace w;
  const std::string command =
      "tune --firmware native --operation gather,all-to-all --size 3x2 --counts random:0..300 "
      "--seed 5 --out " +
      w.path("out").string();
  const Outcome o = w.annelid(command);
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("tune: 2 runs, 2 simulated"));
  const auto result = nlohmann::json::parse(w.text("out/tune.json"));
  EXPECT_TRUE(result["tables"].empty()) << "auto takes no counts";
  EXPECT_FALSE(std::filesystem::exists(w.path("out/tuned.inc")));
  for (const auto& c : result["cases"]) {
    const std::string operation = c["call"]["operation"];
    const Outcome run = w.annelid(
        "run --quiet --firmware native --size 3x2 --counts random:0..300 --seed 5 "
        "--operation " +
        operation + " --out " + w.path("run").string());
    ASSERT_EQ(run.status, 0) << run.err;
    const auto alone = w.result("run");
    EXPECT_EQ(c["call"]["counts"], alone["configuration"]["collective"]["counts"]) << operation;
    EXPECT_EQ(c["curves"].size(), 1u);
    EXPECT_EQ(c["curves"][0]["cycles"], nlohmann::json::array({alone["cycles"]})) << operation;
  }
  EXPECT_THAT(w.annelid(command).out, HasSubstr(" 0 simulated, 2 kept"));
  EXPECT_THAT(w.annelid(command + " --seed 6").err, HasSubstr("--seed"));
  std::string other = command;
  other.replace(other.find("--seed 5"), 8, "--seed 6");
  EXPECT_THAT(w.annelid(other).out, HasSubstr(" 2 simulated, 0 kept"));
}

TEST(Tune, ComparesHybridsWithBlocksOfDifferentLengths) {
  const Workplace w;
  const std::string lengths =
      "--firmware native --size 2x3 --operation all-gather --algorithm intercom "
      "--counts 8,0,24,100,1,7 ";
  ASSERT_EQ(
      w.annelid("tune --quiet --hybrids 1 " + lengths + "--out " + w.path("out").string()).status,
      0);
  const auto all = nlohmann::json::parse(w.text("out/tune.json"))["hybrids"][0]["lengths"];
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0]["bytes"], 24) << "an equal share of 140 bytes, rounded up";
  ASSERT_EQ(w.annelid("run --quiet " + lengths + "--out " + w.path("run").string()).status, 0);
  EXPECT_EQ(all[0]["chosen_cycles"], w.result("run")["cycles"]);
}

TEST(Tune, MeasuresWhatARunDoes) {
  const Workplace w;
  const Outcome o = tune(w, "--no-plots");
  ASSERT_EQ(o.status, 0);
  const auto result = nlohmann::json::parse(w.text("out/tune.json"));
  const auto& curve = result["cases"][1]["curves"][1];
  ASSERT_EQ(curve["algorithm"], "two-tree");
  ASSERT_EQ(w.annelid("run --quiet --firmware native --size 4x4 --operation reduce --algorithm "
                      "two-tree --bytes 1024 --out " +
                      w.path("run").string())
                .status,
            0);
  const auto run = w.result("run");
  EXPECT_EQ(run["cycles"], curve["cycles"][1]);
  std::uint64_t control = 0;
  for (const auto& step : run["steps"]) {
    control += step["blocked_flit_cycles"]["control"].get<std::uint64_t>();
  }
  EXPECT_GT(control, 0u);
  EXPECT_EQ(curve["control_wait_flit_cycles"][1], control);
  EXPECT_THAT(w.text("out/tune.csv"),
              HasSubstr(",reduce,4x4 mesh,16,two-tree,snake,1024," + run["cycles"].dump() + ","));
  EXPECT_THAT(o.out, HasSubstr("control waits  second"));
}

TEST(Tune, NeitherJobsNorTimeChangeAByte) {
  const Workplace w;
  ASSERT_EQ(tune(w, "--quiet --jobs 1 --refine 1", "one").status, 0);
  ASSERT_EQ(tune(w, "--quiet --jobs 5 --refine 1", "five").status, 0);
  for (const char* file : {"tune.csv", "tune.json", "tuned.inc", "broadcast-4x4-16.svg"}) {
    EXPECT_EQ(w.text(std::string("one/") + file), w.text(std::string("five/") + file)) << file;
  }
}

TEST(Tune, GoesOnWhereItWasInterrupted) {
  const Workplace w;
  ASSERT_EQ(tune(w, "--quiet --no-plots").status, 0);
  const auto lines = lines_of(w.text("out/tune.csv"));
  // Two rows and half of a third are there; the cycles of one are marked.
  test::change_cell(w.path("out/tune.csv"), 2, "cycles", [](std::string& c) { c = "424242"; });
  const std::string marked = lines_of(w.text("out/tune.csv"))[2];
  w.file("out/tune.csv",
         lines[0] + "\n" + marked + "\n" + lines[5] + "\n" + lines[6].substr(0, 60));
  const Outcome o = tune(w, "--no-plots");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("18 runs, 16 simulated, 2 kept"));
  const auto again = lines_of(w.text("out/tune.csv"));
  ASSERT_EQ(again.size(), lines.size());
  EXPECT_THAT(again[2], HasSubstr(",424242,"));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i != 2) {
      EXPECT_EQ(again[i], lines[i]);
    }
  }
  EXPECT_THAT(tune(w, "--no-plots --gamma 5").out, HasSubstr("18 simulated, 0 kept"));
  EXPECT_EQ(lines_of(w.text("out/tune.csv")).size(), 2 * 18u + 1);  // those of gamma 0 too
}

TEST(Tune, AddsSizesWhereTheFastestChanges) {
  const Workplace w;
  ASSERT_EQ(tune(w, "--quiet --no-plots").status, 0);
  const auto before = nlohmann::json::parse(w.text("out/tune.json"))["cases"][0];
  ASSERT_GE(before["crossovers"].size(), 1u);
  const std::uint64_t low = before["crossovers"][0]["between"][0],
                      high = before["crossovers"][0]["between"][1];
  const Outcome o = tune(w, "--no-plots --refine 2");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("18 kept"));
  EXPECT_THAT(o.out, HasSubstr("2 rounds of bisection"));
  const auto after = nlohmann::json::parse(w.text("out/tune.json"))["cases"][0];
  EXPECT_GT(after["bytes"].size(), before["bytes"].size());
  const std::uint64_t lower = after["crossovers"][0]["between"][0],
                      upper = after["crossovers"][0]["between"][1];
  EXPECT_GE(lower, low);
  EXPECT_LE(upper, high);
  EXPECT_LT(upper - lower, (high - low) / 2);
}

TEST(Tune, TakesNodeCountsAndNetworksOfSeveralSizes) {
  const Workplace w;
  const Outcome o = w.annelid(
      "tune --quiet --no-plots --firmware native --operation scan --topology ideal --sizes 4x2,5 "
      "--ranks 3,5 --bytes 64 --operator affine --out " +
      w.path("out").string());
  ASSERT_EQ(o.status, 0) << o.err;
  const auto result = nlohmann::json::parse(w.text("out/tune.json"));
  std::vector<std::string> cases;
  for (const auto& c : result["cases"]) {
    cases.push_back(c["network"]["size"].dump() + " " + c["call"]["processes"].dump());
  }
  EXPECT_THAT(cases, ::testing::ElementsAre("[4,2] 3", "[4,2] 5", "[5] 3", "[5] 5"));
  for (const auto& table : result["tables"]) EXPECT_EQ(table["among"].dump(), R"(["ordered"])");
}

TEST(Tune, ARunThatFailsEndsIt) {
  const Workplace w;
  std::filesystem::create_directories(w.path("out"));
  w.file("out/tune.json", "another tuning's");
  w.file("out/tuned.inc", "another tuning's");
  const Outcome o = tune(w, "--quiet --no-plots --cycle-limit 700");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, StartsWith("annelid: tune: "));
  EXPECT_THAT(o.err, HasSubstr("cycle limit"));
  EXPECT_THAT(o.err, HasSubstr("annelid run --"));
  EXPECT_FALSE(std::filesystem::exists(w.path("out") / "tune.json"));
  EXPECT_FALSE(std::filesystem::exists(w.path("out") / "tuned.inc"));
}

class TuneOptions : public ::testing::TestWithParam<Refusal> {};

TEST_P(TuneOptions, AreRefusedWithTheReason) {
  const Workplace w;
  const Outcome o =
      w.annelid("tune --size 4x4 --out " + w.path("out").string() + " " + GetParam().arguments);
  expect_refused(w, o, GetParam().parts);
  EXPECT_FALSE(std::filesystem::exists(w.path("out") / "tune.csv"));
}

INSTANTIATE_TEST_SUITE_P(
    Bad, TuneOptions,
    ::testing::Values(
        Refusal{"Operation", "--operation broadcast,sort", {"--operation", "\"sort\"", "\"scan\""}},
        Refusal{"NoBytes", "--operation barrier", {"--operation", "barrier", "move bytes"}},
        Refusal{"Algorithm", "--algorithm edn,quick", {"--algorithm", "\"quick\"", "\"two-tree\""}},
        Refusal{"AlgorithmNetwork", "--algorithm u-torus", {"--algorithm", "broadcast on the 4x4"}},
        Refusal{"Bytes", "--bytes 8-64", {"--bytes", "\"8-64\"", "8:64k"}},
        Refusal{"TooManyBytes", "--bytes 17M", {"--bytes", "\"17M\"", "16M"}},
        Refusal{"Column", "--columns first,second", {"--columns", "native, first or prepared"}},
        Refusal{"ColumnTwice", "--columns first,first", {"--columns", "\"first\" twice"}},
        Refusal{"ColumnOfHybrids",
                "--operation gather --algorithm intercom --hybrids 1 --columns first",
                {"--columns", "tuning of hybrids"}},
        Refusal{"PreparedHybrids",
                "--operation gather --algorithm intercom --hybrids 1 --prepared",
                {"--prepared", "tuning of hybrids", "--firmware native"}},
        Refusal{"PreparedByTheCore",
                "--operation reduce --operator affine --prepared",
                {"--prepared", "an operator of the NICs"}},
        Refusal{"ColumnByTheCore",
                "--operation reduce --operator affine --columns prepared",
                {"--columns", "found prepared", "an operator of the NICs"}},
        Refusal{"ColumnOfAnotherProgram",
                "--firmware my.elf --columns native",
                {"--columns", "--firmware", "another program"}},
        Refusal{"Backwards", "--bytes 64:8", {"--bytes", "\"64:8\""}},
        Refusal{"Elements",
                "--operation reduce --type int64 --bytes 64,12",
                {"--bytes", "found 12", "8 bytes of int64"}},
        Refusal{"Ranks", "--ranks 4,17", {"--ranks", "found 17", "1..16"}},
        Refusal{"RanksOfNoRanks",
                "--operation all-to-all --ranks 4",
                {"--operation", "all-to-all on the 4x4 mesh, 4 processes"}},
        Refusal{"SizeBesideSizes", "--sizes 2x2", {"--size: ", "beside --sizes"}},
        Refusal{"OperationTwice",
                "--operation reduce,broadcast,reduce",
                {"--operation", "\"reduce\" twice", "each once"}},
        Refusal{"RanksTwice", "--ranks 4,16,4", {"--ranks", "4 twice", "each once"}},
        Refusal{"SizesTwice", "--sizes 4x4,4x4", {"--sizes", "\"4x4\" twice", "each once"}},
        Refusal{"Root", "--root 4,0", {"--root", "4,0"}},
        Refusal{"CountsOfABroadcast",
                "--counts random:0..8",
                {"--counts", "broadcast by \"edn\"", "gather by \"intercom\""}},
        Refusal{"CountsByAnother",
                "--operation gather --algorithm recursive-doubling --counts random:0..8",
                {"--counts", "gather by \"recursive-doubling\""}},
        Refusal{"CountsOfOthers",
                "--operation gather --counts 1,2",
                {"--counts", "2 numbers", "16, one for each rank"}},
        Refusal{"CountsAndBytes",
                "--operation gather --counts random:0..8 --bytes 64",
                {"--bytes", "beside --counts"}},
        Refusal{"CountsAndRounds",
                "--operation gather --counts random:0..8 --refine 1",
                {"--refine", "beside --counts"}}),
    name_of);

TEST(TuneFolder, IsTriedBeforeAnythingIsMeasured) {
  const Workplace w;
  expect_refused(w, w.annelid("tune --out /dev/null/x"), {"--out", "cannot be written"});
}

TEST(TuneFile, IsReadWithItsLines) {
  const Workplace w;
  const auto refused = [&](const std::string& text, const std::vector<std::string>& parts) {
    const std::string file = w.file("t.toml", text);
    expect_refused(w, w.annelid("tune " + file + " --out " + w.path("out").string()), parts);
  };
  refused("[tune]\nbytes = \"8:x\"\n", {"t.toml:2: tune.bytes", "\"x\""});
  refused("[collective]\nalgorithm = \"edn\"\n",
          {"t.toml:2: collective.algorithm", "tune.algorithm"});
  refused("[tune]\noperation = \"broadcast\"\nspeed = 1\n",
          {"t.toml:3: tune.speed", "unknown key"});
}

}  // namespace
}  // namespace annelid::end_to_end
