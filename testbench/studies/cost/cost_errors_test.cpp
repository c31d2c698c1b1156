#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/cache_folder.hpp"
#include "studies/cost/cache.hpp"
#include "studies/cost/estimate.hpp"
#include "studies/cost/sources.hpp"
#include "studies/cost/tool.hpp"
#include "testbench/base/scratch.hpp"

namespace annelid::cost {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// The message of what estimate_cost throws.
template <typename Error>
std::string error_of(const systemc::RouterConfig& config, const CostOptions& options) {
  try {
    estimate_cost(config, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

CostOptions uncached() {
  CostOptions options;
  options.use_cache = false;
  options.rtl_dir = RTL_DIR;
  return options;
}

TEST(CostCache, GivesBackWhatItKeepsUnlessThatHasChanged) {
  const Scratch s;
  const Cache cache(s / "cache");
  AsicCost cost;
  cost.area_um2 = 1234.5;
  cost.cells = 67;
  cost.critical.start = "u_router.head_q";
  cache.store("key", to_json(cost));
  ASSERT_TRUE(cache.asic("key"));
  EXPECT_EQ(to_json(*cache.asic("key")), to_json(cost));
  std::string text = s.text("cache/key.json");
  text.replace(text.find("1234.5"), 6, "1234.6");
  s.put("cache/key.json", text);
  EXPECT_FALSE(cache.asic("key"));
  s.put("cache/key.json", to_json(cost));
  EXPECT_FALSE(cache.asic("key")) << "as version 0.2 has written it";
}

TEST(CostCache, KeepsNothingWhereItsFolderCannotBeMade) {
  const Scratch s;
  s.put("file", "");
  const Cache cache(s / "file/cache");
  ::testing::internal::CaptureStderr();
  cache.store("key", to_json(AsicCost()));
  cache.store("other key", to_json(AsicCost()));
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(said, "annelid: warning: costs are not kept, as \"" + (s / "file/cache").string() +
                      "\" cannot be written: Not a directory\n");
  EXPECT_FALSE(cache.asic("key"));
}

TEST(CostErrors, AToolThatIsNotInstalledIsNamedWithItsPackage) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  const std::string what = error_of<MissingTool>({}, uncached());
  EXPECT_THAT(what, HasSubstr("yosys is not in PATH"));
  EXPECT_THAT(what, HasSubstr("Debian's package yosys"));
  EXPECT_THROW(require(kSta), MissingTool);
  setenv("PATH", path.c_str(), 1);
}

TEST(CostErrors, AFolderWithoutRtlIsNamed) {
  CostOptions options = uncached();
  options.rtl_dir = "/nonexistent";
  EXPECT_THAT(error_of<CostError>({}, options), HasSubstr("/nonexistent"));
}

TEST(CostErrors, ASourceWhoseNameWouldBeACommandOfYosysIsRefused) {
  const WorkFolder rtl(""), work("");
  for (const std::string name :
       {"a.sv; !touch PWNED", "!touch PWNED", "-p", "a b.sv", "`x`.sv", "[exec touch PWNED].sv"}) {
    write_text(rtl.path() / "rtl.f", name + "\n");
    write_text(rtl.path() / name, "module a; endmodule\n");
    EXPECT_THROW(copy_rtl(rtl.path(), work.path()), CostError) << name;
  }
}

TEST(CostErrors, WithoutAFolderOfTheUsersOwnNothingIsKept) {
  for (const char* name : {"ANNELID_CACHE_DIR", "XDG_CACHE_HOME", "HOME"}) unsetenv(name);
  EXPECT_EQ(cache_folder("cost"), "");
  setenv("HOME", "/home/somebody", 1);
  EXPECT_EQ(cache_folder("cost"), "/home/somebody/.cache/annelid/cost");
}

TEST(CostErrors, ARouterOutOfRangeIsRefusedBeforeAnythingRuns) {
  EXPECT_THROW(estimate_cost({.depth = 0}, uncached()), systemc::ConfigError);
}

TEST(CostErrors, ATimeLimitEndsTheTool) {
  CostOptions options = uncached();
  options.time_limit = std::chrono::seconds(1);
  EXPECT_THAT(error_of<CostError>({.vcs = 4}, options), HasSubstr("yosys was not done after 1 s"));
}

TEST(CostErrors, AToolThatFailsShowsItsLastWords) {
  const WorkFolder work("");
  try {
    run_tool(kYosys, {"-q", "-p", "read_verilog nowhere.sv"}, work.path(), uncached());
    FAIL() << "yosys succeeded";
  } catch (const CostError& error) {
    EXPECT_THAT(error.what(), HasSubstr("nowhere.sv"));
  }
}

TEST(CostErrors, AFailedToolsLogIsShownWholeIfItIsShort) {
  const WorkFolder work("");
  const auto words_of = [&](const std::string& script) -> std::string {
    try {
      run_tool({"sh", "dash"}, {"-c", script + "; exit 3"}, work.path(), uncached());
    } catch (const CostError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(words_of("echo a; echo b"), "sh failed with status 3:\na\nb\n");
  EXPECT_EQ(words_of("true"), "sh failed with status 3:\n");
  EXPECT_EQ(words_of("for i in 1 2 3 4 5 6 7 8; do echo $i; done"),
            "sh failed with status 3:\n4\n5\n6\n7\n8\n");
}

TEST(CostErrors, OpenStaEndsWithStatus0AfterAnErrorWhichIsShownWithItsLine) {
  const WorkFolder work("");
  write_text(work.path() / "netlist.v",
             "module top(a);\n  output [2:0] a;\n  assign { a[2], a[0] } = 2'h0;\nendmodule\n");
  write_text(work.path() / "bad.tcl", "puts first\nread_verilog netlist.v\nputs last\n");
  try {
    run_sta("bad", work.path(), uncached());
    FAIL() << "no error";
  } catch (const CostError& error) {
    EXPECT_THAT(error.what(), HasSubstr("sta-bad.log:"));
    EXPECT_THAT(error.what(), HasSubstr("netlist.v, line 3 syntax error"));
    EXPECT_THAT(error.what(), HasSubstr("netlist.v:3:   assign { a[2], a[0] } = 2'h0;"));
  }
  write_text(work.path() / "bad.tcl", "link_design nothing\n");
  try {
    run_sta("bad", work.path(), uncached());
    FAIL() << "no error";
  } catch (const CostError& error) {
    EXPECT_THAT(error.what(), HasSubstr("Error: cell type nothing can not be linked"));
  }
  write_text(work.path() / "good.tcl", "puts fine\n");
  EXPECT_EQ(run_sta("good", work.path(), uncached()), "fine\n");
}

TEST(Wrapper, SetsWhatIsNoDefaultAndLeavesTheObserversOutputsOpen) {
  systemc::RouterConfig config{.local_ports = 1, .vcs = 3, .depth = 5, .dims = 3};
  config.kind = systemc::RouterKind::kOnePort;
  config.torus = {true, false, true};
  config.classes = systemc::TorusClasses::kPlh;
  config.arbiters = systemc::ArbiterKind::kMatrix;
  const std::string text = wrapper(config);
  EXPECT_THAT(text, HasSubstr("one_port_router #(.Dims(3), .LocalPorts(1), .Vcs(3), .Depth(5), "
                              ".Arbiters(1), .Torus(5), .TorusClasses(3)) u_router"));
  EXPECT_THAT(text, HasSubstr("input logic [447:0] in_data_i"));  // 7 ports of 64 bits
  config.control_vc = true;
  EXPECT_THAT(wrapper(config), HasSubstr(".Vcs(3), .ControlVc(1), .Depth(5)"));
  EXPECT_THAT(text, Not(HasSubstr("obs_")));
}

TEST(BufferBits, AreThoseOfAllInputVcsInternalChannelsIncluded) {
  EXPECT_EQ(buffer_bits({}), 8 * 4 * 66);
  EXPECT_EQ(buffer_bits({.vcs = 2, .local_vcs = 3, .depth = 5}), (4 * 2 + 4 * 3) * 5 * 66);
  systemc::RouterConfig one_port{.local_ports = 1, .vcs = 2, .depth = 4};
  one_port.kind = systemc::RouterKind::kOnePort;
  EXPECT_EQ(buffer_bits(one_port), (4 * 2 + 1 + 2) * 4 * 66);
  one_port.control_vc = true;
  EXPECT_EQ(buffer_bits(one_port), (4 * 3 + 2 + 3) * 4 * 66);
  one_port.torus = {true, false, false};
  EXPECT_EQ(buffer_bits(one_port), (2 * 4 + 2 * 3 + 2 + 3) * 4 * 66);
}

TEST(CostCache, GivesBackWhatItWasGivenAndNothingForADamagedFile) {
  const WorkFolder work("");
  const Cache cache(work.path() / "cache");
  EXPECT_FALSE(cache.asic("key"));
  AsicCost cost;
  cost.area_um2 = 12.5;
  cost.flip_flops = 7;
  cost.critical.start = "u_fifo.count_q[0]";
  cache.store("key", to_json(cost));
  ASSERT_TRUE(cache.asic("key"));
  EXPECT_EQ(cache.asic("key")->area_um2, 12.5);
  EXPECT_EQ(cache.asic("key")->flip_flops, 7);
  EXPECT_EQ(cache.asic("key")->critical.start, "u_fifo.count_q[0]");
  write_text(work.path() / "cache/key.json", "{\"area_um2\":");
  EXPECT_FALSE(cache.asic("key"));
  EXPECT_NE(digest("a"), digest("b"));
}

TEST(CostSources, OfAUnitHaveItsParametersAndNoOtherUnit) {
  const Scratch s;
  fs::create_directories(s / "work");
  const UnitConfig unit{.name = "combine", .places = 5, .lanes = 3, .engines = 4};
  const std::vector<std::string> names = copy_unit(RTL_DIR, unit, s / "work");
  EXPECT_THAT(names, testing::Contains("combine_unit.sv"));
  EXPECT_THAT(names, testing::Not(testing::Contains("list_unit.sv")));
  const std::string text = s.text("work/combine_unit.sv");
  EXPECT_THAT(text, HasSubstr("module cost_top #("));
  EXPECT_THAT(text, HasSubstr("parameter int Places = 5,"));
  EXPECT_THAT(text, HasSubstr("parameter int Lanes = 3,"));
  EXPECT_THAT(text, HasSubstr("parameter int Engines = 4"));
}

TEST(CostSources, OfAUnitThatIsNotThereAreAnError) {
  const Scratch s;
  EXPECT_THROW(copy_unit(s / "none", {.name = "list"}, s / "none"), CostError);
}

}  // namespace
}  // namespace annelid::cost
