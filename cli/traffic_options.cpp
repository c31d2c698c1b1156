#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/input_error.hpp"
#include "cli/key_options.hpp"
#include "cli/recording_options.hpp"
#include "cli/traffic_command.hpp"
#include "simulation/scenario/traffic_scenario.hpp"

namespace annelid::cli {

void add_set_option(CLI::App& command, const std::vector<simulation::Key>& keys,
                    std::vector<simulation::Override>& overrides) {
  command
      .add_option_function<std::vector<std::string>>(
          "--set",
          [&](const std::vector<std::string>& assignments) {
            for (const std::string& assignment : assignments) {
              const std::size_t equals = assignment.find('=');
              const std::string key = assignment.substr(0, equals);
              if (equals == std::string::npos ||
                  std::ranges::none_of(keys,
                                       [&](const simulation::Key& k) { return k.name == key; })) {
                throw InputError("--set", "\"" + assignment + "\"", "KEY=VALUE with a known key");
              }
              overrides.push_back({key, "--set " + key, assignment.substr(equals + 1)});
            }
          },
          "Any key of a scenario, as in --set router.vcs=2")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group("Instead of the scenario's value");
}

CLI::App* add_traffic_command(CLI::App& program, TrafficArguments& a) {
  static const std::vector<simulation::Key> kKeys = simulation::traffic_keys();
  CLI::App* traffic = program.add_subcommand(
      "traffic", "Measure a network under synthetic traffic, or play a trace");
  traffic->add_option("scenario", a.scenario, "Scenario file (TOML); without one, the defaults");
  add_key_options(*traffic, kKeys, a.overrides);
  add_set_option(*traffic, kKeys, a.overrides);
  add_recording_options(*traffic, a.recordings);
  traffic
      ->add_option("--packets", a.packets, "Write a line for each packet: when, and where blocked")
      ->type_name("FILE.csv");
  traffic->add_option("--out", a.out, "Folder of result.json; runs/NAME if not given")
      ->type_name("DIR");
  traffic->add_flag("--fast", a.fast, "Leave out channel loads and buffer occupancy");
  traffic->add_flag("--quiet", a.quiet, "Print nothing");
  traffic->footer(
      "Nodes are numbered (z * size_y + y) * size_x + x. Patterns, statistics and the format of "
      "traces: docs/traffic.md.\n"
      "\n"
      "Examples:\n"
      "  annelid traffic --size 8x8 --load 0.2\n"
      "  annelid traffic --size 16x16 --topology torus --pattern tornado --load 0.3 --vcs 4\n"
      "  annelid traffic --pattern hotspot --hotspots 27,36 --hotspot-fraction 0.1\n"
      "  annelid traffic --injection bursty --burst 200 --duty 0.2 --flits 1:0.8,9:0.2\n"
      "  annelid traffic scenarios/traffic-mesh-uniform.toml --packets packets.csv\n"
      "  annelid traffic --trace scenarios/trace-gather-scatter.csv --size 4x4\n"
      "\n"
      "Exit status: 0 measured, saturated or not; 1 a deadlock or another failure; 2 bad input.");
  return traffic;
}

}  // namespace annelid::cli
