// The Verilog that is synthesized: the router's RTL, and the modules around it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "studies/cost/estimate.hpp"
#include "systemc/network/config.hpp"

namespace annelid::cost {

/// Copies the files that rtl.f names into `folder`, and returns their names in compile order.
/// Throws CostError if there is no rtl.f in `rtl_dir`.
std::vector<std::string> copy_rtl(const std::filesystem::path& rtl_dir,
                                  const std::filesystem::path& folder);

/// Copies the files that nic/nic.f names into `folder`, with a unit's parameters as those that the
/// modules have by themselves, and the unit as module `cost_top`. Returns their names in compile
/// order, which include no other unit. Throws CostError if there is no nic/nic.f in `rtl_dir`.
std::vector<std::string> copy_unit(const std::filesystem::path& rtl_dir, const UnitConfig& config,
                                   const std::filesystem::path& folder);

/// Module `cost_top`: the router with its parameters set and without its observer's outputs, whose
/// logic synthesis then removes.
std::string wrapper(const systemc::RouterConfig& config);

/// Module `harness`: cost_top between registers, with four pins. A shift register feeds the inputs
/// (the ports share the 64 data bits), and a registered tree of XORs collects the outputs.
std::string fpga_harness(const systemc::RouterConfig& config);

}  // namespace annelid::cost
