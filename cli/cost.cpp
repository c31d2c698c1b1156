// `annelid cost`: what a router costs in silicon.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/command_files.hpp"
#include "base/input_error.hpp"
#include "base/output_file.hpp"
#include "cli/commands.hpp"
#include "cli/installed_files.hpp"
#include "cli/key_options.hpp"
#include "cli/progress_line.hpp"
#include "cli/standard_output.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "studies/cost/router_cost.hpp"

namespace annelid::cli {
namespace {

/// The arguments of `annelid cost`.
struct CostArguments {
  std::string scenario;
  std::vector<simulation::Override> overrides;
  cost::CostOptions options;
  std::optional<std::string> unit;
  std::optional<int> places, lanes, engines;
  std::string json;
  int time_limit_s = 1800;
  bool no_cache = false, quiet = false;
};

void add_unit_options(CLI::App& command, CostArguments& a) {
  const std::string group = "A unit of the NIC in place of a router";
  const auto range = [](int least, int most) { return CLI::Range(least, most); };
  command
      .add_option("--unit", a.unit,
                  "Synthesizes the unit that fires triggered sends (trigger), combines messages "
                  "(combine), or plays lists of descriptors (list).")
      ->type_name("NAME")
      ->check(CLI::IsMember(cost::unit_names()))
      ->group(group);
  command.add_option("--places", a.places, "Its send places, and its receive places. Default: 16.")
      ->type_name("N")
      ->check(range(2, 64))
      ->group(group);
  command
      .add_option("--lanes", a.lanes, "Flits that the combine unit starts in a cycle. Default: 2.")
      ->type_name("C")
      ->check(range(1, 8))
      ->group(group);
  command
      .add_option("--engines", a.engines,
                  "Engines that report messages to the combine unit. Default: 2.")
      ->type_name("N")
      ->check(range(1, 8))
      ->group(group);
}

CLI::App* add_options(CLI::App& program, CostArguments& a) {
  CLI::App* command = program.add_subcommand(
      "cost",
      "Synthesizes a router, or a unit of the NIC, and shows its area, critical path and clock "
      "rate.");
  command->add_option(
      "scenario", a.scenario,
      "Scenario file (TOML) that describes the router. Default: the default router.");
  add_key_options(*command, simulation::network_keys(), a.overrides);
  add_unit_options(*command, a);
  command->add_flag("--fpga", a.options.fpga,
                    "Also places and routes the router on an iCE40 HX8K. This is slow, and only "
                    "small routers fit. Of a unit: counts its LUTs and flip-flops there.");
  command->add_option("--json", a.json, "Writes the result as JSON.")->type_name("FILE");
  command
      ->add_option("--rtl-dir", a.options.rtl_dir,
                   "Folder of rtl.f and its sources. Default: the RTL of this program.")
      ->type_name("DIR");
  command
      ->add_option("--time-limit", a.time_limit_s, "Stops a tool that takes more than S seconds.")
      ->type_name("S")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_flag("--no-cache", a.no_cache,
                    "Neither uses results of earlier runs nor keeps new ones.");
  command->add_option("--keep", a.options.keep, "Leaves scripts, netlist and logs in this folder.")
      ->type_name("DIR");
  command->add_flag("--quiet", a.quiet, "Prints nothing.");
  command->footer(
      "Yosys maps the router to the OSU 0.18 um standard cells. OpenSTA then times it, with the\n"
      "path into the next router. Flit buffers are flip-flops, so deep buffers are large and slow\n"
      "to synthesize. docs/how-to/estimate-the-cost-of-a-router.md explains the figures.\n"
      "Results are kept in $ANNELID_CACHE_DIR/cost, or else in $XDG_CACHE_HOME/annelid/cost, or\n"
      "else in ~/.cache/annelid/cost, for each version of the RTL and each set of parameters.\n"
      "\n"
      "Examples:\n"
      "  annelid cost\n"
      "  annelid cost --size 8x8 --vcs 2 --stages 3\n"
      "  annelid cost --size 4x4x4 --router one-port --arbiters matrix --json cost.json\n"
      "  annelid cost --size 8x8 --topology torus --vcs 4 --classes plh\n"
      "  annelid cost --size 8 --local-ports 1 --depth 2 --fpga\n"
      "  annelid cost scenarios/edn-broadcast-8x8.toml\n"
      "  annelid cost --unit trigger --places 8\n"
      "\n"
      "Exit status: 0 if the figures were computed; 1 if a tool failed or took too long, or if the "
      "router does not fit on the FPGA; 2 for bad input, or if a tool is not installed.");
  return command;
}

std::string excess(double with, double without, const char* unit, int digits) {
  return fmt::format("{:+.{}f} {} ({:+.1f} %)", with - without, digits, unit,
                     100 * (with / without - 1));
}

/// What the control VCs of a router cost: `without` is the same router but for them.
void print_control(const cost::AsicCost& with, const cost::AsicCost& without) {
  put("  control   {}, {}, {} of the period, all beside the router without control VCs\n",
      excess(with.area_um2, without.area_um2, "um2", 0),
      excess(static_cast<double>(with.flip_flops), static_cast<double>(without.flip_flops),
             "flip-flops", 0),
      excess(with.period_ns, without.period_ns, "ns", 2));
}

void print_area(const cost::AsicCost& a) {
  put("  area      {:.0f} um2 = {:.0f} NAND2 gates, {:.0f} % of it flip-flops  (OSU 0.18 um, "
      "without wires)\n",
      a.area_um2, a.nand2_equivalents, 100 * a.flip_flop_area_um2 / a.area_um2);
}

void print(const cost::CostReport& r, const systemc::NetworkConfig& network) {
  const cost::AsicCost& a = r.asic;
  const cost::CriticalPath& p = a.critical;
  put("{}{}\n", simulation::describe_router(network), r.cached ? "  (from the cache)" : "");
  print_area(a);
  put("  cells     {}, of which {} flip-flops ({} bits of flit buffers)\n", a.cells, a.flip_flops,
      r.buffer_bits);
  put("  clock     {:.1f} MHz, period {:.2f} ns\n", a.clock_mhz, a.period_ns);
  put("  hop       {:.2f} ns = {} cycle{}\n", a.hop_ns, r.config.stages + r.config.link_registers,
      r.config.stages + r.config.link_registers == 1 ? "" : "s");
  put("  critical  {}{}: {:.2f} ns + setup {:.2f} ns\n", p.stage,
      p.crosses_channel ? ", channel, next router" : "", p.delay_ns, p.setup_ns);
  put("    from    {}{}\n", p.start,
      p.crosses_channel ? fmt::format("  ({:.2f} ns to the channel)", p.sender_ns) : "");
  put("    to      {}\n", p.end);
  if (r.fpga) {
    put("  iCE40     {} LUTs, {} flip-flops, {:.1f} MHz  (HX8K, {} of {} cells with the "
        "harness)\n",
        r.fpga->luts, r.fpga->flip_flops, r.fpga->clock_mhz, r.fpga->cells, cost::kFpgaCells);
  }
}

/// The sources of the RTL are inputs: a router that is synthesized is to stay as it is.
void require_inputs_apart(const CostArguments& a, const std::filesystem::path& rtl) {
  CommandFiles files;
  files.reads("the scenario", a.scenario);
  files.reads("--rtl-dir", rtl);
  std::error_code ignored;  // a folder that cannot be read is refused with its name, later
  for (const auto& entry : std::filesystem::directory_iterator(rtl, ignored)) {
    files.reads("--rtl-dir", entry.path());
  }
  files.writes("--json", a.json);
  files.writes("--keep", a.options.keep);
  if (!a.json.empty()) require_writable(a.json, "--json");
}

void write_json(const CostArguments& a, const std::string& text) {
  if (a.json.empty()) return;
  OutputFile file(a.json, "--json " + a.json);
  file.stream() << text;
  file.commit();
}

/// What the options say of a unit. What says something of routers besides, or of another unit, is
/// refused: it would change nothing.
cost::UnitConfig read_unit(const CostArguments& a) {
  cost::UnitConfig unit;
  unit.name = *a.unit;
  if (!a.scenario.empty()) throw InputError("--unit", "a scenario", "no router beside the unit");
  if (!a.overrides.empty()) {
    throw InputError("--unit", "an option of routers", "no router beside the unit");
  }
  if (!unit.has_lanes() && (a.lanes || a.engines)) {
    throw InputError(a.lanes ? "--lanes" : "--engines", "--unit " + unit.name, "--unit combine");
  }
  unit.places = a.places.value_or(unit.places);
  unit.lanes = a.lanes.value_or(unit.lanes);
  unit.engines = a.engines.value_or(unit.engines);
  return unit;
}

void print(const cost::UnitReport& r) {
  const cost::AsicCost& a = r.asic;
  const std::string lanes =
      r.config.has_lanes() ? fmt::format(", {} lanes, {} engines", r.config.lanes, r.config.engines)
                           : "";
  put("{} unit of the NIC: {} places{}{}\n", r.config.name, r.config.places, lanes,
      r.cached ? "  (from the cache)" : "");
  print_area(a);
  put("  cells     {}, of which {} flip-flops\n", a.cells, a.flip_flops);
  put("  clock     {:.1f} MHz, period {:.2f} ns\n", a.clock_mhz, a.period_ns);
  put("  critical  {:.2f} ns + setup {:.2f} ns\n", a.critical.delay_ns, a.critical.setup_ns);
  put("    from    {}\n", a.critical.start);
  put("    to      {}\n", a.critical.end);
  if (r.fpga) put("  iCE40     {} LUTs, {} flip-flops\n", r.fpga->luts, r.fpga->flip_flops);
}

int run_unit(const CostArguments& a, const cost::CostOptions& options) {
  const cost::UnitConfig unit = read_unit(a);
  ProgressLine progress(!a.quiet);
  const cost::UnitReport report = studies::run_unit_cost(unit, options, progress);
  write_json(a, studies::to_json(report));
  if (!a.quiet) print(report);
  return 0;
}

int run_router(const CostArguments& a, const cost::CostOptions& options) {
  const systemc::NetworkConfig network = studies::read_router(a.scenario, a.overrides);
  ProgressLine progress(!a.quiet);
  const cost::CostReport report = studies::run_cost(network.router, options, progress);
  std::optional<cost::AsicCost> without;
  if (network.router.control_vc) without = studies::cost_without_control(report, options, progress);
  write_json(a, studies::to_json(report, without, network));
  if (a.quiet) return 0;
  print(report, network);
  if (without) print_control(report.asic, *without);
  return 0;
}

int run(const CostArguments& a) {
  for (const auto& [given, name] :
       {std::pair{a.places.has_value(), "--places"}, std::pair{a.lanes.has_value(), "--lanes"},
        std::pair{a.engines.has_value(), "--engines"}}) {
    if (given && !a.unit) throw InputError(name, "no --unit", "--unit NAME");
  }
  cost::CostOptions options = a.options;
  if (options.rtl_dir.empty()) options.rtl_dir = rtl_folder();
  require_inputs_apart(a, options.rtl_dir);
  options.use_cache = !a.no_cache;
  options.time_limit = std::chrono::seconds(a.time_limit_s);
  return a.unit ? run_unit(a, options) : run_router(a, options);
}

}  // namespace

Command add_cost(CLI::App& program) { return command<CostArguments>(program, add_options, run); }

}  // namespace annelid::cli
