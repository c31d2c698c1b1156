#include "cli/run_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <optional>

#include "cli/auto_choice.hpp"
#include "cli/checks.hpp"
#include "cli/collect.hpp"
#include "cli/collective_keys.hpp"
#include "cli/contents.hpp"
#include "cli/files.hpp"
#include "cli/input_error.hpp"
#include "cli/nic_rows.hpp"
#include "cli/recordings.hpp"
#include "cli/run_failure.hpp"
#include "cli/simulation.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestPayload = std::size_t{16} << 20;  // one message (docs/nic.md)

/// Reads the payload, if there is one, and says so in the scenario.
reference::Inputs read_inputs(Scenario& scenario) {
  Collective& c = scenario.collective;
  if (scenario.payload.empty()) return random_inputs(c);
  const Settings& settings = scenario.settings;
  const auto payload =
      read_file(scenario.payload, settings.origin("collective.payload"), kLongestPayload);
  c.bytes = block_bytes(settings, c, payload.size());
  if (c.by_auto) choose_algorithm(c, scenario.network.router.one_port());
  require_room(settings, c);
  return payload_inputs(c, payload);
}

}  // namespace

int run(const RunArguments& arguments) {
  Scenario scenario = Scenario::read(arguments.scenario, arguments.overrides);
  const reference::Inputs inputs = read_inputs(scenario);
  const bool native = scenario.firmware.kind == FirmwareChoice::Kind::kNative;
  const Image image = read_image(scenario.firmware, scenario.origin("firmware"));
  const std::set<NodeId> rtl = rtl_nodes(arguments.recordings, scenario.network);

  const fs::path folder =
      arguments.out.empty() ? fs::path("runs") / scenario.name : fs::path(arguments.out);
  const fs::path json = prepare_result(folder);
  require_writable(arguments.recordings);

  const auto start = std::chrono::steady_clock::now();
  Simulation simulation(scenario, native ? nullptr : &image, rtl,
                        layout_of(scenario.collective).end);
  Recordings recordings(
      arguments.recordings, simulation.network(),
      fmt::format("{}: {}", scenario.name, describe(scenario.collective, scenario.network)));
  std::optional<NicRows> nic_rows;
  std::vector<FabricObserver*> observers = recordings.observers();
  std::vector<NicObserver*> nic_observers;
  if (recordings.wave() != nullptr) {
    nic_rows.emplace(*recordings.wave(), scenario, simulation, native ? nullptr : &image);
    nic_observers.push_back(&*nic_rows);
    observers.push_back(&*nic_rows);
  }
  simulation.watch(observers, nic_observers);
  Progress progress(!arguments.quiet);
  try {
    simulation.run(scenario.collective, inputs, progress);
  } catch (const RunFailure&) {
    recordings.fail("the run failed");
    recordings.close();
    throw;
  }
  RunResult result = collect(scenario, simulation, inputs);
  check_run(simulation, inputs, result);
  for (const Check& check : result.checks) {
    if (check.verdict == Verdict::kFailed) recordings.fail(check.name);
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
