#include "cli/run_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <optional>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/run_failure.hpp"
#include "cli/progress_line.hpp"
#include "cli/run_summary.hpp"
#include "simulation/checks/checks.hpp"
#include "simulation/machine/contents.hpp"
#include "simulation/machine/simulation.hpp"
#include "simulation/recordings/nic_rows.hpp"
#include "simulation/recordings/recordings.hpp"
#include "simulation/results/collect.hpp"
#include "simulation/scenario/auto_choice.hpp"
#include "simulation/scenario/collective_keys.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestPayload = std::size_t{16} << 20;  // one message (docs/nic.md)

/// Reads the payload, if there is one, and says so in the scenario.
reference::Inputs read_inputs(simulation::Scenario& scenario) {
  simulation::Collective& c = scenario.collective;
  if (scenario.payload.empty()) return simulation::random_inputs(c);
  const simulation::Settings& settings = scenario.settings;
  const auto payload =
      read_file(scenario.payload, settings.origin("collective.payload"), kLongestPayload);
  c.bytes = simulation::block_bytes(settings, c, payload.size());
  if (c.by_auto) simulation::choose_algorithm(c, scenario.network.router.one_port());
  simulation::require_room(settings, c);
  return simulation::payload_inputs(c, payload);
}

}  // namespace

int run(const RunArguments& arguments) {
  simulation::Scenario scenario =
      simulation::Scenario::read(arguments.scenario, arguments.overrides);
  const reference::Inputs inputs = read_inputs(scenario);
  const bool native = scenario.firmware.kind == simulation::FirmwareChoice::Kind::kNative;
  const nic::Image image = simulation::read_image(scenario.firmware, scenario.origin("firmware"));
  const std::set<NodeId> rtl = simulation::rtl_nodes(arguments.recordings, scenario.network);

  const fs::path folder =
      arguments.out.empty() ? fs::path("runs") / scenario.name : fs::path(arguments.out);
  const fs::path json = prepare_result(folder);
  require_writable(arguments.recordings);

  const auto start = std::chrono::steady_clock::now();
  simulation::Simulation simulation(scenario, native ? nullptr : &image, rtl,
                                    simulation::layout_of(scenario.collective).end);
  simulation::Recordings recordings(
      arguments.recordings, simulation.network(),
      fmt::format("{}: {}", scenario.name, describe(scenario.collective, scenario.network)));
  std::optional<simulation::NicRows> nic_rows;
  std::vector<systemc::FabricObserver*> observers = recordings.observers();
  std::vector<nic::NicObserver*> nic_observers;
  if (recordings.wave() != nullptr) {
    nic_rows.emplace(*recordings.wave(), scenario, simulation, native ? nullptr : &image);
    nic_observers.push_back(&*nic_rows);
    observers.push_back(&*nic_rows);
  }
  simulation.watch(observers, nic_observers);
  ProgressLine progress(!arguments.quiet);
  try {
    simulation.run(scenario.collective, inputs, progress);
  } catch (const RunFailure&) {
    recordings.fail("the run failed");
    recordings.close();
    throw;
  }
  simulation::RunResult result = simulation::collect(scenario, simulation, inputs);
  simulation::check_run(simulation, inputs, result);
  for (const simulation::Check& check : result.checks) {
    if (check.verdict == simulation::Verdict::kFailed) recordings.fail(check.name);
  }
  recordings.close();
  result.host_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  write_file(json, to_json(result));
  if (!arguments.quiet || !result.passed()) {
    fmt::print("{}\n  result    {}\n{}", summary(result, isatty(STDOUT_FILENO) == 1), json.string(),
               recordings.described());
  }
  return result.passed() ? 0 : 1;
}

}  // namespace annelid::cli
