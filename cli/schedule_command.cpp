#include "cli/schedule_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "cli/key_options.hpp"
#include "simulation/scenario/collective_keys.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "studies/schedule/schedule_drawing.hpp"
#include "studies/schedule/schedule_text.hpp"

namespace annelid::cli {
namespace {

/// Of the network and the collective, what a schedule depends on.
std::vector<simulation::Key> schedule_keys() {
  constexpr std::array<std::string_view, 11> kWanted = {
      "network.size",    "network.topology", "collective.operation", "collective.algorithm",
      "collective.root", "collective.bytes", "collective.parameter", "collective.packets",
      "collective.last", "collective.ranks", "collective.embedding"};
  std::vector<simulation::Key> keys;
  for (const std::span<const simulation::Key> all :
       {simulation::network_keys(), simulation::collective_keys()}) {
    std::ranges::copy_if(all, std::back_inserter(keys), [&](const simulation::Key& key) {
      return std::ranges::find(kWanted, key.name) != kWanted.end();
    });
  }
  return keys;
}

}  // namespace

CLI::App* add_schedule_command(CLI::App& program, ScheduleArguments& a) {
  static const std::vector<simulation::Key> kKeys = schedule_keys();
  CLI::App* schedule =
      program.add_subcommand("schedule", "Show an algorithm's schedule, step by step");
  add_key_options(*schedule, kKeys, a.overrides, "What to show");
  schedule->add_flag("--torus", a.torus, "All dimensions are rings: --topology torus");
  schedule->add_option("--svg", a.svg, "Draw it: a panel for each step")->type_name("FILE.svg");
  schedule->add_flag("--list", a.list, "List all algorithms and the networks that they run on");
  schedule->add_flag("--quiet", a.quiet, "Do not print the steps");
  schedule->footer(
      "Without --algorithm: the operation's first one that runs on the network. Algorithms: "
      "docs/algorithms.md.\n"
      "\n"
      "Examples:\n"
      "  annelid schedule --list\n"
      "  annelid schedule --algorithm edn --size 8x8 --root 2,0\n"
      "  annelid schedule --algorithm edn --size 16x16 --root 2,0 --svg edn.svg --quiet\n"
      "  annelid schedule --algorithm recursive-doubling --size 4x4x4\n"
      "  annelid schedule --operation reduce --size 8x8 --svg reduce.svg\n"
      "  annelid schedule --algorithm two-tree --size 8x8 --embedding snake --ranks 40 --packets "
      "4\n"
      "\n"
      "Exit status: 0, or 2 for bad input.");
  return schedule;
}

int run_schedule(const ScheduleArguments& arguments) {
  if (arguments.list) {
    fmt::print("{}", studies::algorithm_list());
    return 0;
  }
  simulation::Settings settings(schedule_keys(), {}, arguments.overrides);
  if (arguments.torus) settings.set({"network.topology", "--torus", "torus"});
  const systemc::NetworkConfig network = simulation::read_network(settings);
  const simulation::Collective collective =
      simulation::read_collective(settings, network).collective;
  if (network.ideal && !arguments.svg.empty()) {
    throw InputError("--svg", "an ideal network", "a mesh or torus, whose channels it draws");
  }
  if (!arguments.svg.empty()) require_writable(arguments.svg, "--svg");
  const reference::Schedule schedule = collective.schedule();
  if (!arguments.quiet) fmt::print("{}", studies::schedule_text(collective, network, schedule));
  if (arguments.svg.empty()) return 0;
  write_file(arguments.svg, studies::draw_schedule(collective, network, schedule));
  if (!arguments.quiet) fmt::print("\ndrawing  {}\n", arguments.svg);
  return 0;
}

}  // namespace annelid::cli
