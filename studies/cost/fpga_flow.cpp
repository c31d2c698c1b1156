#include <fmt/format.h>

#include <algorithm>

#include "studies/cost/flows.hpp"
#include "studies/cost/reports.hpp"
#include "studies/cost/sources.hpp"
#include "studies/cost/tool.hpp"

namespace annelid::cost {
namespace fs = std::filesystem;
namespace {

/// Runs a script that writes fpga.txt, and counts the module's cells.
FpgaCost synthesized(const std::string& script, const fs::path& folder,
                     const CostOptions& options) {
  write_text(folder / "fpga.ys", script);
  run_tool(kYosys, {"-q", "fpga.ys"}, folder, options);
  FpgaCost cost;
  for (const auto& [type, count] : parse_statistics(read_text(folder / "fpga.txt")).cells) {
    if (type == "SB_LUT4") cost.luts += count;
    if (type.compare(0, 6, "SB_DFF") == 0) cost.flip_flops += count;
  }
  return cost;
}

}  // namespace

std::string fpga_unit_script(const std::vector<std::string>& sources) {
  std::string s;
  for (const std::string& source : sources) s += "read_verilog -sv -noassert " + source + "\n";
  return s +
         "synth_ice40 -top cost_top\n"
         "tee -o fpga.txt stat\n";
}

FpgaCost fpga_unit_cost(const std::vector<std::string>& sources, const fs::path& folder,
                        const CostOptions& options) {
  require(kYosys);
  return synthesized(fpga_unit_script(sources), folder, options);
}

std::string fpga_script(const std::vector<std::string>& sources) {
  // The router is mapped and counted by itself; only then it is put into the harness.
  return fpga_unit_script(sources) +
         "read_verilog -sv harness.sv\n"
         "hierarchy -check -top harness\n"
         "proc\n"
         "synth_ice40 -top harness -run flatten:json\n"
         "write_json fpga.json\n";
}

FpgaCost fpga_cost(const std::vector<std::string>& sources, const fs::path& folder,
                   const CostOptions& options) {
  require(kYosys);
  require(kNextpnr);
  FpgaCost cost = synthesized(fpga_script(sources), folder, options);
  if (std::max(cost.luts, cost.flip_flops) > kFpgaCells) {
    throw CostError(
        fmt::format("the router does not fit: it needs {} LUTs and {} flip-flops, the "
                    "iCE40 HX8K has {} of each",
                    cost.luts, cost.flip_flops, kFpgaCells));
  }
  try {
    run_tool(kNextpnr,
             {"--hx8k", "--package", "ct256", "--json", "fpga.json", "--report", "fpga_report.json",
              "--pcf-allow-unconstrained", "--seed", "1", "--quiet"},
             folder, options);
  } catch (const CostError& error) {
    const std::string what = error.what();
    if (what.find("Unable to place") == std::string::npos &&
        what.find("Unable to find legal placement") == std::string::npos) {
      throw;
    }
    throw CostError(
        fmt::format("the router does not fit: with {} LUTs, {} flip-flops and the "
                    "harness around it, it needs more than the {} cells of the iCE40 "
                    "HX8K",
                    cost.luts, cost.flip_flops, kFpgaCells));
  }
  const PlaceAndRoute placed = parse_nextpnr_report(read_text(folder / "fpga_report.json"));
  cost.cells = placed.cells;
  cost.clock_mhz = placed.clock_mhz;
  return cost;
}

}  // namespace annelid::cost
