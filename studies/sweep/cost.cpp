#include "studies/sweep/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/child_process.hpp"
#include "base/input_error.hpp"
#include "studies/cost/estimate.hpp"

namespace annelid::studies {

namespace {

/// Area and clock rate of a router; `number` counts the different ones.
RouterCost cost_of(const systemc::RouterConfig& router, const std::filesystem::path& rtl_dir,
                   std::size_t number, Progress& progress) {
  cost::CostOptions options;
  options.rtl_dir = rtl_dir;
  const HeldSignals held;
  options.progress = [&](std::string_view tool, std::chrono::seconds so_far) {
    held.check();
    progress.show(fmt::format("cost of router {}: {}, {} s", number, tool, so_far.count()));
  };
  try {
    const cost::AsicCost asic = cost::estimate_cost(router, options).asic;
    return {asic.area_um2, asic.period_ns};
  } catch (const cost::MissingTool& error) {
    throw InputError("--cost", error.what());
  }
}

}  // namespace

void add_costs(const SweepGrid& grid, const std::filesystem::path& rtl_dir, SweepTable& table,
               Progress& progress) {
  std::vector<std::pair<systemc::RouterConfig, RouterCost>> known;
  for (std::size_t i = 0; i < grid.points.size(); ++i) {
    if (!table.row(i) || grid.points[i].scenario.network.ideal) continue;
    const systemc::RouterConfig& router = grid.points[i].scenario.network.router;
    auto cost =
        std::ranges::find(known, router, &std::pair<systemc::RouterConfig, RouterCost>::first);
    if (cost == known.end()) {
      cost =
          known.insert(known.end(), {router, cost_of(router, rtl_dir, known.size() + 1, progress)});
    }
    table.set_cost(i, cost->second);
  }
}

}  // namespace annelid::studies
