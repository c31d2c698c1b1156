#include "simulation/program_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "base/command_files.hpp"
#include "base/files.hpp"
#include "base/input_error.hpp"
#include "simulation/machine/memory_estimate.hpp"
#include "simulation/program/native_file.hpp"
#include "simulation/recordings/program_rows.hpp"
#include "simulation/recordings/rtl_library.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/nic_keys.hpp"
#include "systemc/modules/elaboration.hpp"

namespace annelid::simulation {
namespace {

constexpr std::string_view kSize = "network.size";
constexpr const char* kOneNode = "1x1";
constexpr std::size_t kLongestProgram = std::size_t{256} << 20;  // debug information is long

nic::NicConfig read_config(std::span<const Override> overrides) {
  Settings settings(program_keys());
  settings.set({std::string(kSize), "--size", kOneNode});
  for (const Override& o : overrides) settings.set(o);
  return read_nic(settings, read_network(settings, kControlVcWithNics));
}

/// What main gets: the first argument is the program's name, as everywhere.
std::vector<std::string> with_name(const std::filesystem::path& path,
                                   const std::vector<std::string>& arguments) {
  std::vector<std::string> all{path.filename().string()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return all;
}

CoreProgram read_program(const std::vector<std::byte>& elf, const std::filesystem::path& path,
                         const std::vector<std::string>& arguments,
                         std::optional<std::uint32_t> ccl_modes) {
  CoreProgram program(elf);
  if (!arguments.empty() || program.image.arguments_end != 0) {
    nic::set_arguments(program.image, with_name(path, arguments));
  }
  if (ccl_modes) nic::set_ccl_modes(program.image, *ccl_modes);
  return program;
}

/// What sees a core does not see native code.
void require_no_core(const ProgramOptions& options) {
  const char* const asked = !options.cores.trace.empty() ? "--trace"
                            : options.cores.any()        ? "--profile"
                            : options.gdb                ? "--gdb"
                                                         : nullptr;
  if (asked == nullptr) return;
  throw InputError(asked, "a program that is built for the host",
                   "one for the nodes' cores, without --native");
}

/// Runs code of the file for the first time.
void require_loadable(const ProgramScenario& scenario) {
  try {
    require_native_program(*scenario.native, scenario.nic.memory_bytes);
  } catch (const std::runtime_error& error) {
    throw InputError(scenario.elf.string(), error.what());
  }
}

}  // namespace

std::vector<Key> program_keys() {
  std::vector<Key> keys(network_keys().begin(), network_keys().end());
  std::ranges::find(keys, kSize, &Key::name)->otherwise = kOneNode;
  keys.insert(keys.end(), nic_keys().begin(), nic_keys().end());
  return keys;
}

ProgramScenario ProgramScenario::read(const std::filesystem::path& elf,
                                      std::span<const Override> overrides,
                                      const std::vector<std::string>& arguments,
                                      std::optional<std::uint32_t> ccl_modes, bool native) {
  const nic::NicConfig nic = read_config(overrides);
  const auto file = read_file(elf, "firmware run", kLongestProgram);
  if (!native && is_native_program(file)) {
    throw InputError(elf.string(), "code for this machine, not for the nodes' cores",
                     "an RV32 program, or the option --native if you trust the file");
  }
  try {
    if (!native) return {elf, read_program(file, elf, arguments, ccl_modes), std::nullopt, nic};
    require_native_file(file);
    return {elf, {}, NativeProgram{file, with_name(elf, arguments), ccl_modes}, nic};
  } catch (const std::runtime_error& error) {
    throw InputError(elf.string(), error.what());
  }
}

ProgramResult run_program(const ProgramScenario& scenario, const ProgramOptions& options,
                          Progress& progress) {
  if (scenario.native) require_no_core(options);
  nic::NicConfig nic = scenario.nic;
  if (!options.cores.trace.empty() || options.gdb) nic.run_ahead = 1;
  require_memory(estimate_memory(nic), "--size");
  CommandFiles files;
  files.reads("the program", scenario.elf);
  require_possible(options.cores, nic.network.nodes(), files);
  provide_rtl(options.recordings, nic.network, progress);
  const std::set<NodeId> rtl = rtl_nodes(options.recordings, nic.network);
  require_shown(options.recordings, nic.network);
  require_writable(options.recordings, files);

  if (scenario.native) require_loadable(scenario);
  std::optional<GdbPort> port;
  if (options.gdb) port.emplace(*options.gdb);

  const systemc::Elaboration elaboration;
  ProgramSimulation run(scenario.program,
                        {nic, rtl, options.cycle_limit, options.errors_allowed, options.take_line,
                         scenario.native ? &*scenario.native : nullptr});
  Recordings recordings(
      options.recordings, run.network(),
      fmt::format("{}: {}", scenario.elf.filename().string(), describe_network(nic.network)));
  run.watch(recordings.observers());
  std::optional<ProgramRows> rows;
  if (recordings.wave() != nullptr) {
    rows.emplace(*recordings.wave(), nic.network);
    run.show(*rows);
  }
  CoreRecordings cores(options.cores, scenario.program, nic.network.nodes());
  if (!scenario.native) run.record(cores, recordings.core_times());

  std::optional<GdbServer> gdb;
  if (port) run.debug(gdb.emplace(port->accept(options.listening)));
  run.run(progress);
  ProgramResult result{run.ends(), run.failure(), {}, {}};
  if (!result.failure.empty()) recordings.fail("the run failed");
  result.recorded = recordings.close();
  result.profile = cores.close();
  return result;
}

}  // namespace annelid::simulation
