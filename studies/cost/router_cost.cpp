#include "studies/cost/router_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/child_process.hpp"
#include "base/input_error.hpp"
#include "base/version.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/scenario.hpp"
#include "simulation/scenario/traffic_scenario.hpp"

namespace annelid::studies {

systemc::NetworkConfig read_router(const std::filesystem::path& file,
                                   std::span<const simulation::Override> overrides) {
  std::vector<simulation::Key> keys = simulation::run_keys();
  for (const simulation::Key& key : simulation::traffic_keys()) {
    const auto same = [&](const simulation::Key& k) {
      return std::string_view(k.name) == key.name;
    };
    if (std::ranges::none_of(keys, same)) keys.push_back(key);
  }
  const simulation::Settings settings(std::move(keys), file, overrides, "sweep.");
  systemc::NetworkConfig network = simulation::read_network(settings);
  if (network.ideal) settings.refuse("network.topology", "a network with routers");
  return network;
}

namespace {

/// Estimates with a command's signals and progress.
template <typename Estimate>
auto estimated(cost::CostOptions options, Progress& progress, const Estimate& estimate) {
  if (!options.rtl_dir.empty() && !std::filesystem::is_regular_file(options.rtl_dir / "rtl.f")) {
    throw InputError("--rtl-dir", "no rtl.f in " + options.rtl_dir.string(), "a copy of rtl/");
  }
  const HeldSignals held;
  options.progress = [&](std::string_view tool, std::chrono::seconds so_far) {
    held.check();
    progress.show(fmt::format("{}: {} s", tool, so_far.count()));
  };
  try {
    auto report = estimate(options);
    progress.clear();
    return report;
  } catch (const cost::MissingTool& error) {
    progress.clear();
    throw InputError("cost", error.what());
  }
}

nlohmann::ordered_json parameters_json(const cost::UnitConfig& unit) {
  nlohmann::ordered_json json = {{"name", unit.name}, {"places", unit.places}};
  if (unit.has_lanes()) {
    json["lanes"] = unit.lanes;
    json["engines"] = unit.engines;
  }
  return json;
}

/// What all modules have.
nlohmann::ordered_json asic_json(const cost::AsicCost& a) {
  return {{"library", "osu018"},
          {"area_um2", a.area_um2},
          {"nand2_equivalents", a.nand2_equivalents},
          {"flip_flop_area_um2", a.flip_flop_area_um2},
          {"cells", a.cells},
          {"flip_flops", a.flip_flops},
          {"period_ns", a.period_ns},
          {"clock_mhz", a.clock_mhz}};
}

}  // namespace

cost::CostReport run_cost(const systemc::RouterConfig& router, cost::CostOptions options,
                          Progress& progress) {
  return estimated(std::move(options), progress,
                   [&](const cost::CostOptions& all) { return cost::estimate_cost(router, all); });
}

cost::UnitReport run_unit_cost(const cost::UnitConfig& unit, cost::CostOptions options,
                               Progress& progress) {
  return estimated(std::move(options), progress, [&](const cost::CostOptions& all) {
    return cost::estimate_unit_cost(unit, all);
  });
}

std::string to_json(const cost::UnitReport& r) {
  const cost::CriticalPath& p = r.asic.critical;
  nlohmann::ordered_json asic = asic_json(r.asic);
  asic["critical_path"] = {
      {"start", p.start}, {"end", p.end}, {"delay_ns", p.delay_ns}, {"setup_ns", p.setup_ns}};
  nlohmann::ordered_json json = {
      {"version", kVersion}, {"unit", parameters_json(r.config)}, {"asic", std::move(asic)}};
  if (r.fpga) {
    json["fpga"] = {
        {"device", "ice40"}, {"luts", r.fpga->luts}, {"flip_flops", r.fpga->flip_flops}};
  }
  return json.dump(2) + "\n";
}

cost::AsicCost cost_without_control(const cost::CostReport& report, cost::CostOptions options,
                                    Progress& progress) {
  systemc::RouterConfig router = report.config;
  router.control_vc = false;
  options.fpga = false;
  options.keep.clear();
  return run_cost(router, std::move(options), progress).asic;
}

std::string to_json(const cost::CostReport& r, const std::optional<cost::AsicCost>& without,
                    const systemc::NetworkConfig& network) {
  const cost::CriticalPath& p = r.asic.critical;
  nlohmann::ordered_json asic = asic_json(r.asic);
  asic["hop_ns"] = r.asic.hop_ns;
  asic["critical_path"] = {{"start", p.start},         {"end", p.end},
                           {"stage", p.stage},         {"crosses_channel", p.crosses_channel},
                           {"sender_ns", p.sender_ns}, {"delay_ns", p.delay_ns},
                           {"setup_ns", p.setup_ns}};
  nlohmann::ordered_json json = {{"version", kVersion},
                                 {"network", simulation::network_json(network)},
                                 {"router", simulation::router_json(network)},
                                 {"buffer_bits", r.buffer_bits},
                                 {"asic", std::move(asic)}};
  if (without) {
    json["without_control_vcs"] = {{"area_um2", without->area_um2},
                                   {"flip_flops", without->flip_flops},
                                   {"period_ns", without->period_ns}};
  }
  if (r.fpga) {
    json["fpga"] = {
        {"device", "ice40-hx8k"},
        {"luts", r.fpga->luts},
        {"flip_flops", r.fpga->flip_flops},
        {"cells_with_harness", r.fpga->cells},
        {"clock_mhz", r.fpga->clock_mhz},
        {"hop_ns", 1000 / r.fpga->clock_mhz * (r.config.stages + r.config.link_registers)}};
  }
  return json.dump(2) + "\n";
}

}  // namespace annelid::studies
