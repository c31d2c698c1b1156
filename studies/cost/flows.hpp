// The two kinds of hardware: standard cells, and an FPGA.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "studies/cost/estimate.hpp"

namespace annelid::cost {

/// The liberty library of the OSU 0.18 um cells. Throws MissingTool.
std::filesystem::path liberty_file();

/// Scripts, which also say in the cache what was done. `sources` in compile order.
std::string asic_script(const std::vector<std::string>& sources);
std::string abc_script();
std::string fpga_script(const std::vector<std::string>& sources);

/// `folder` holds the sources. Throw MissingTool, CostError.
AsicCost asic_cost(const systemc::RouterConfig& config, const std::vector<std::string>& sources,
                   const std::filesystem::path& folder, const CostOptions& options);
FpgaCost fpga_cost(const std::vector<std::string>& sources, const std::filesystem::path& folder,
                   const CostOptions& options);

}  // namespace annelid::cost
