#include "cli/run_command.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <charconv>
#include <chrono>
#include <fstream>

#include "cli/checks.hpp"
#include "cli/files.hpp"
#include "cli/input_error.hpp"
#include "cli/nic_rows.hpp"
#include "cli/run_failure.hpp"
#include "cli/simulation.hpp"
#include "firmware/image.hpp"
#include "systemc/flit_log.hpp"
#include "systemc/route.hpp"
#include "systemc/wave_trace.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestPayload = std::size_t{16} << 20;  // one message (docs/nic.md)

/// "all" or "3,4,17".
std::set<NodeId> parse_nodes(const std::string& option, const std::string& text, NodeId nodes) {
  std::set<NodeId> result;
  if (text == "all") {
    for (NodeId n = 0; n < nodes; ++n) result.insert(n);
    return result;
  }
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    NodeId node = 0;
    const auto [rest, error] = std::from_chars(text.data() + begin, text.data() + end, node);
    if (error != std::errc{} || rest != text.data() + end || node >= nodes) {
      throw InputError(option, "\"" + text + "\"",
                       fmt::format("all, or numbers of nodes from 0 to {}, as in 3,4", nodes - 1));
    }
    result.insert(node);
    begin = end + 1;
  }
  return result;
}

Scenario read_scenario(const RunArguments& arguments) {
  Scenario scenario = Scenario::read(arguments.scenario);
  for (const auto& [key, text] : arguments.overrides) {
    const std::string option = "--" + key.substr(key.find('.') + 1);
    scenario.override_value(key,
                            option == "--local_ports" ? "--local-ports"
                            : key == "limits.cycles"  ? "--cycle-limit"
                                                      : option,
                            text);
  }
  scenario.validate();
  return scenario;
}

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

/// A flit log that is there completely, and only after close().
class FlitLogFile {
 public:
  FlitLogFile(const fs::path& path, const NetworkConfig& network)
      : path_(path), file_(part(), std::ios::binary), log_(file_, network) {}
  FlitLogFile(const FlitLogFile&) = delete;
  FlitLogFile& operator=(const FlitLogFile&) = delete;
  ~FlitLogFile() {
    std::error_code ignored;
    if (!closed_) fs::remove(part(), ignored);
  }
  FlitLog& log() { return log_; }
  void close() {
    log_.flush();
    file_.close();
    if (!file_) throw InputError("--flit-log", "a full disk", "room for the log");
    fs::rename(part(), path_);
    closed_ = true;
  }

 private:
  [[nodiscard]] fs::path part() const { return path_.string() + ".tmp"; }
  fs::path path_;
  std::ofstream file_;
  FlitLog log_;
  bool closed_ = false;
};

/// The files that a run writes while it runs, as the user asked for.
struct Recordings {
  std::unique_ptr<WaveTrace> wave;
  std::unique_ptr<NicRows> nic_rows;
  std::unique_ptr<FlitLogFile> flit_log;

  Recordings(const RunArguments& arguments, Simulation& simulation, const Scenario& scenario) {
    if (!arguments.wave.empty()) {
      std::vector<NodeId> nodes;
      if (!arguments.wave_nodes.empty()) {
        const auto chosen =
            parse_nodes("--wave-nodes", arguments.wave_nodes, scenario.network.nodes());
        nodes.assign(chosen.begin(), chosen.end());
      }
      wave = std::make_unique<WaveTrace>(arguments.wave, scenario.network, nodes,
                                         [&simulation](NodeId n, RouterState& state) {
                                           simulation.network().router(n).state(state);
                                         });
      nic_rows = std::make_unique<NicRows>(*wave, scenario.network);
    }
    if (!arguments.flit_log.empty()) {
      flit_log = std::make_unique<FlitLogFile>(arguments.flit_log, scenario.network);
    }
    std::vector<FabricObserver*> observers;
    std::vector<NicObserver*> nic_observers;
    if (wave) observers.push_back(wave.get());
    if (nic_rows) nic_observers.push_back(nic_rows.get());
    if (flit_log) observers.push_back(&flit_log->log());
    simulation.watch(observers, nic_observers);
  }

  /// Also after a failed run: that is when one wants to look.
  void close() {
    if (wave) wave->close();
    if (flit_log) flit_log->close();
  }
};

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
  const Scenario scenario = read_scenario(arguments);
  const auto payload =
      read_file(scenario.payload, scenario.origin("collective.payload"), kLongestPayload);
  const bool native = scenario.firmware.kind == FirmwareChoice::Kind::kNative;
  const Image image = native ? Image{} : read_image(scenario);
  std::set<NodeId> rtl;
  if (!arguments.rtl.empty()) {
    rtl = parse_nodes("--rtl", arguments.rtl, scenario.network.nodes());
  }

  const fs::path folder =
      arguments.out.empty() ? fs::path("runs") / scenario.name : fs::path(arguments.out);
  const fs::path json = folder / "result.json";
  std::error_code exists_or_not_writable;
  fs::create_directories(folder, exists_or_not_writable);
  require_writable(json, "--out");
  fs::remove(json);  // an old result must not pass for this run's
  if (!arguments.wave.empty()) require_writable(arguments.wave, "--wave");
  if (!arguments.flit_log.empty()) require_writable(arguments.flit_log, "--flit-log");

  const auto start = std::chrono::steady_clock::now();
  Simulation simulation(scenario, native ? nullptr : &image, rtl);
  Recordings recordings(arguments, simulation, scenario);
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
    fmt::print("{}\n  result    {}\n", summary(result, isatty(STDOUT_FILENO) == 1), json.string());
    if (!arguments.flit_log.empty()) fmt::print("  flit log  {}\n", arguments.flit_log);
    if (recordings.wave) {
      fmt::print("  waveform  gtkwave {}\n", recordings.wave->save_file().string());
    }
  }
  return result.passed() ? 0 : 1;
}

}  // namespace annelid::cli
