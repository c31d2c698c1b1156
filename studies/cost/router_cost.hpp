// What the router of a scenario costs, and its result as JSON.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "base/progress.hpp"
#include "simulation/scenario/settings.hpp"
#include "studies/cost/estimate.hpp"

namespace annelid::studies {

/// The network of a scenario of any command: nothing else of it is read. The file's name may be
/// empty. Throws InputError, also for a network without routers.
[[nodiscard]] systemc::NetworkConfig read_router(const std::filesystem::path& file,
                                                 std::span<const simulation::Override> overrides);

/// As cost::estimate_cost(), for users: throws InputError for a tool that is not installed,
/// ConfigError, cost::CostError, and Interrupted if a signal asks the program to end. Sets
/// options.progress, and clears `progress` in the end.
[[nodiscard]] cost::CostReport run_cost(const systemc::RouterConfig& router,
                                        cost::CostOptions options, Progress& progress);

/// Of the same router without control VCs.
[[nodiscard]] cost::AsicCost cost_without_control(const cost::CostReport& report,
                                                  cost::CostOptions options, Progress& progress);

/// Of a network's routers; `without`: of those with control VCs, the same without.
[[nodiscard]] std::string to_json(const cost::CostReport& report,
                                  const std::optional<cost::AsicCost>& without,
                                  const systemc::NetworkConfig& network);

}  // namespace annelid::studies
