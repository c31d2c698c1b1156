// The cost of a scenario's router, and its result as JSON.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "base/progress.hpp"
#include "simulation/scenario/settings.hpp"
#include "studies/cost/estimate.hpp"

namespace annelid::studies {

/// Reads only the network of a scenario, which may be for any command. The file's name may be
/// empty. Throws InputError for a bad scenario, and for a network without routers.
[[nodiscard]] systemc::NetworkConfig read_router(const std::filesystem::path& file,
                                                 std::span<const simulation::Override> overrides);

/// Calls cost::estimate_cost() for a command. Throws InputError for a tool that is not installed,
/// ConfigError for an impossible router, cost::CostError for a tool that fails, and Interrupted if
/// a signal asks the program to end. Sets options.progress, and clears `progress` at the end.
[[nodiscard]] cost::CostReport run_cost(const systemc::RouterConfig& router,
                                        cost::CostOptions options, Progress& progress);

/// Returns the cost of the same router without control VCs.
[[nodiscard]] cost::AsicCost cost_without_control(const cost::CostReport& report,
                                                  cost::CostOptions options, Progress& progress);

/// Calls cost::estimate_unit_cost() for a command, as run_cost() calls estimate_cost().
[[nodiscard]] cost::UnitReport run_unit_cost(const cost::UnitConfig& unit,
                                             cost::CostOptions options, Progress& progress);

/// Returns result.json for a unit of the NIC.
[[nodiscard]] std::string to_json(const cost::UnitReport& report);

/// Returns result.json for a network's routers. For routers with control VCs, `without` is the cost
/// without these.
[[nodiscard]] std::string to_json(const cost::CostReport& report,
                                  const std::optional<cost::AsicCost>& without,
                                  const systemc::NetworkConfig& network);

}  // namespace annelid::studies
