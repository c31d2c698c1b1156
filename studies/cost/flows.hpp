// The synthesis flows for two kinds of hardware: standard cells, and an FPGA.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "studies/cost/estimate.hpp"

namespace annelid::cost {

/// Returns the path of the OSU 0.18 um cells' liberty library. Throws MissingTool if it is not
/// installed.
std::filesystem::path liberty_file();

/// Return the tools' scripts, which also identify the flow in the cache. `sources` are in compile
/// order.
std::string asic_script(const std::vector<std::string>& sources);
std::string abc_script();
std::string fpga_script(const std::vector<std::string>& sources);

/// Run a flow on the sources in `folder`. They throw MissingTool for a tool that is not installed,
/// and CostError for a tool that fails.
AsicCost asic_cost(const systemc::RouterConfig& config, const std::vector<std::string>& sources,
                   const std::filesystem::path& folder, const CostOptions& options);
/// Makes the cost of a unit of the NIC in the same way. Its top module is cost_top.
AsicCost asic_unit_cost(const std::vector<std::string>& sources,
                        const std::filesystem::path& folder, const CostOptions& options);
std::string fpga_unit_script(const std::vector<std::string>& sources);
FpgaCost fpga_unit_cost(const std::vector<std::string>& sources,
                        const std::filesystem::path& folder, const CostOptions& options);
FpgaCost fpga_cost(const std::vector<std::string>& sources, const std::filesystem::path& folder,
                   const CostOptions& options);

}  // namespace annelid::cost
