#include "cli/run_command.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <chrono>
#include <optional>

#include "cli/checks.hpp"
#include "cli/files.hpp"
#include "cli/input_error.hpp"
#include "cli/nic_rows.hpp"
#include "cli/recordings.hpp"
#include "cli/run_failure.hpp"
#include "cli/simulation.hpp"
#include "firmware/image.hpp"
#include "systemc/route.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestPayload = std::size_t{16} << 20;  // one message (docs/nic.md)

Image read_image(const Scenario& scenario) {
  if (scenario.firmware.kind == FirmwareChoice::Kind::kRv32) {
    const auto elf = firmware_image();
    return load_elf({elf.begin(), elf.end()});
  }
  const std::string where = scenario.origin("firmware");
  try {
    return load_elf(read_file(scenario.firmware.elf, where, kLongestPayload));
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw InputError(where + ": " + scenario.firmware.elf.string(), error.what());
  }
}

std::vector<ChannelLoad> channel_loads(const NetworkConfig& network, const PacketTracker& packets) {
  std::vector<ChannelLoad> loads;
  for (NodeId n = 0; n < network.nodes(); ++n) {
    const auto add = [&](std::string channel, std::uint64_t flits) {
      if (flits > 0) loads.push_back({network.address(n), std::move(channel), flits});
    };
    for (Port p = 0; p < network.router.ports(); ++p) {
      add(output_channel_name(network.router, p), packets.channel_load(n, p));
    }
    for (Port l = 0; l < network.router.local_ports; ++l) {
      add(injection_channel_name(l), packets.injection_load(n, l));
    }
  }
  return loads;
}

RunResult collect(const Scenario& scenario, Simulation& simulation,
                  const std::vector<std::byte>& payload) {
  RunResult r;
  r.scenario = scenario;
  r.payload_bytes = payload.size();
  r.payload_crc32 = static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(payload.data()), static_cast<uInt>(payload.size())));
  r.finished = simulation.nics().finished();
  r.cycles = *std::max_element(r.finished.begin(), r.finished.end()) + 1;
  r.steps = simulation.packets().steps();
  r.control = simulation.packets().control();
  r.instructions = simulation.instructions();
  r.channels = channel_loads(scenario.network, simulation.packets());
  return r;
}

}  // namespace

int run(const RunArguments& arguments) {
  const Scenario scenario = Scenario::read(arguments.scenario, arguments.overrides);
  const auto payload =
      read_file(scenario.payload, scenario.origin("collective.payload"), kLongestPayload);
  const bool native = scenario.firmware.kind == FirmwareChoice::Kind::kNative;
  const Image image = native ? Image{} : read_image(scenario);
  const std::set<NodeId> rtl = rtl_nodes(arguments.recordings, scenario.network.nodes());

  const fs::path folder =
      arguments.out.empty() ? fs::path("runs") / scenario.name : fs::path(arguments.out);
  const fs::path json = prepare_result(folder);
  require_writable(arguments.recordings);

  const auto start = std::chrono::steady_clock::now();
  Simulation simulation(scenario, native ? nullptr : &image, rtl);
  Recordings recordings(arguments.recordings, simulation.network());
  std::optional<NicRows> nic_rows;
  if (recordings.wave() != nullptr) nic_rows.emplace(*recordings.wave(), scenario.network);
  std::vector<NicObserver*> nic_observers;
  if (nic_rows) nic_observers.push_back(&*nic_rows);
  simulation.watch(recordings.observers(), nic_observers);
  Progress progress(!arguments.quiet);
  try {
    simulation.run(payload, progress);
  } catch (const RunFailure&) {
    recordings.close();
    throw;
  }
  recordings.close();

  RunResult result = collect(scenario, simulation, payload);
  check_run(simulation, payload, result);
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
