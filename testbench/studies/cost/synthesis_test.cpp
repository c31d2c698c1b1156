// Tiny routers synthesized in earnest. A line of two ports, and so 3 ports of 1 VC.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "studies/cost/estimate.hpp"
#include "studies/cost/tool.hpp"

namespace annelid::cost {
namespace {

systemc::RouterConfig tiny(int depth, int stages) {
  return {.local_ports = 1, .depth = depth, .dims = 1, .stages = stages};
}

int bits_for(int values) {
  int bits = 0;
  while (1 << bits < values) ++bits;
  return bits;
}

/// The least that a tiny router of one stage must remember, by section 4 of
/// docs/internals/microarchitecture.md.
int state_bits(const systemc::RouterConfig& c) {
  const int ports = c.ports();
  const int count = bits_for(c.depth + 1), credits = count;
  const int active = 1, out_port = bits_for(ports), owned = 1, pointer = bits_for(ports);
  return static_cast<int>(buffer_bits(c)) +
         ports * (count + active + out_port + credits + owned + pointer);
}

/// `r` is of a router of one stage and depth 1, whose netlist is in `folder`.
void expect_state_and_plausible_area(const CostReport& r, const std::filesystem::path& folder) {
  const systemc::RouterConfig config = tiny(1, 1);
  EXPECT_EQ(r.buffer_bits, 3 * 66);
  EXPECT_GE(r.asic.flip_flops, state_bits(config));
  // Nothing of what only an observer sees has a flip-flop, and counters no bit to spare.
  EXPECT_LE(r.asic.flip_flops, state_bits(config) + 3 * 8);
  std::istringstream netlist(read_text(folder / "netlist.v"));
  int registers = 0;
  for (std::string line; std::getline(netlist, line);) {
    if (line.find("DFF") == std::string::npos) continue;
    ++registers;
    EXPECT_EQ(line.find("obs_"), std::string::npos) << line;
  }
  EXPECT_EQ(registers, r.asic.flip_flops);
  EXPECT_GT(r.asic.area_um2, 96.0 * static_cast<double>(r.asic.flip_flops));
  EXPECT_DOUBLE_EQ(r.asic.nand2_equivalents, r.asic.area_um2 / 24);
  EXPECT_GT(r.asic.cells, r.asic.flip_flops);
  EXPECT_GT(r.asic.period_ns, 0.5);
  EXPECT_LT(r.asic.period_ns, 20);
  EXPECT_DOUBLE_EQ(r.asic.hop_ns, r.asic.period_ns);
  EXPECT_EQ(r.asic.critical.stage, "RC, VA, SA, ST");
  EXPECT_TRUE(r.asic.critical.crosses_channel);
  EXPECT_NE(r.asic.critical.start.find("_q"), std::string::npos) << r.asic.critical.start;
  EXPECT_NE(r.asic.critical.end.find("_q"), std::string::npos) << r.asic.critical.end;

  ASSERT_TRUE(r.fpga);
  EXPECT_GE(r.fpga->flip_flops, state_bits(config));
  EXPECT_LE(r.fpga->flip_flops, r.asic.flip_flops + 24);
  EXPECT_GT(r.fpga->luts, r.fpga->flip_flops);
  EXPECT_GT(r.fpga->cells, r.fpga->luts) << "the harness has cells too";
  EXPECT_LT(r.fpga->cells, kFpgaCells);
  EXPECT_GT(r.fpga->clock_mhz, 10);
  EXPECT_LT(r.fpga->clock_mhz, 400);
}

TEST(Synthesis, DeeperBuffersCostMoreAndASecondStageShortensTheCriticalPath) {
  const WorkFolder cache(""), work("");
  CostOptions options;
  options.rtl_dir = RTL_DIR;
  options.cache_dir = cache.path();
  CostOptions thorough = options;
  thorough.keep = work.path();
  thorough.fpga = true;
  const CostReport one = estimate_cost(tiny(1, 1), thorough);
  EXPECT_FALSE(one.cached);
  expect_state_and_plausible_area(one, work.path());
  const CostReport deeper = estimate_cost(tiny(2, 1), options);
  const CostReport staged = estimate_cost(tiny(1, 2), options);
  EXPECT_GE(deeper.asic.flip_flops - one.asic.flip_flops, 3 * 66);
  EXPECT_GT(deeper.asic.area_um2, one.asic.area_um2 + 3 * 66 * 96);
  EXPECT_GT(staged.asic.flip_flops, one.asic.flip_flops);  // the switch register
  EXPECT_LT(staged.asic.period_ns, one.asic.period_ns);
  EXPECT_DOUBLE_EQ(staged.asic.hop_ns, 2 * staged.asic.period_ns);

  const CostReport again = estimate_cost(tiny(1, 1), thorough);
  EXPECT_TRUE(again.cached);
  EXPECT_EQ(again.asic.area_um2, one.asic.area_um2);
  EXPECT_EQ(again.asic.critical.start, one.asic.critical.start);
}

// Yosys ties together the outputs that are always 0, the credits of local VCs that are not there.
TEST(Synthesis, OfSeveralVcsAndStagesIsTimedToo) {
  CostOptions options;
  options.rtl_dir = RTL_DIR;
  options.use_cache = false;
  systemc::RouterConfig config = tiny(1, 2);
  config.vcs = 2;
  const AsicCost cost = estimate_cost(config, options).asic;
  EXPECT_GT(cost.period_ns, 0.5);
  EXPECT_LT(cost.period_ns, 20);
  EXPECT_EQ(cost.critical.stage, "RC, VA, SA");
}

}  // namespace
}  // namespace annelid::cost
