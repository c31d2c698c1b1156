#include "testbench/fuzz/targets.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/new_file.hpp"
#include "base/progress.hpp"
#include "deadlock/judge.hpp"
#include "deadlock/network_file.hpp"
#include "deadlock/report.hpp"
#include "simulation/program/native_file.hpp"
#include "simulation/program/source_lines.hpp"
#include "simulation/recordings/flit_log_file.hpp"
#include "simulation/scenario/scenario.hpp"
#include "simulation/scenario/traffic_scenario.hpp"
#include "studies/common/row_file.hpp"
#include "studies/shard/part.hpp"
#include "studies/sweep/grid.hpp"
#include "studies/tau/models.hpp"
#include "studies/tau/tau.hpp"
#include "testbench/fuzz/gdb.hpp"
#include "timeline/page.hpp"
#include "timeline/perfetto_trace.hpp"
#include "traffic/trace_file.hpp"
#include "waves/wave_views.hpp"

namespace annelid::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr NodeId kTraceNodes = 16;
constexpr std::size_t kLongestElf = 1u << 20;

void read_scenario(const fs::path& file) { (void)simulation::Scenario::read(file, {}); }

void read_traffic(const fs::path& file) { (void)simulation::TrafficScenario::read(file, {}); }

void read_sweep(const fs::path& file) { (void)studies::SweepGrid::read(file, {}, {}); }

void read_trace(const fs::path& file) {
  std::ifstream in(file);
  try {
    (void)traffic::read_trace(in, kTraceNodes);
  } catch (const traffic::TraceError&) {
  }
}

void read_network(const fs::path& file) {
  constexpr std::size_t kMostStates = 2000;
  const deadlock::Network network = deadlock::read_network_file(file);
  const deadlock::States states(network, kMostStates);
  if (!states.complete()) return;
  const deadlock::Judgement judgement = deadlock::judge(network, states);
  const deadlock::Report report{network, states, judgement};
  (void)report_text(report);
  (void)report_json(report);
  (void)report_picture(report);
  (void)network_text(network, states);
}

void read_flit_log(const fs::path& file) {
  Progress silent;
  const timeline::RecordedRun run = simulation::read_flit_log(file, silent);
  (void)timeline::page(run);
  (void)timeline::perfetto_trace(run);
  const timeline::Recorded few{.window = {3, 20}, .most_packets = 2};
  (void)timeline::page(simulation::read_flit_log(file, silent, few));
}

void read_elf(const fs::path& file) {
  (void)simulation::read_image({simulation::FirmwareChoice::Kind::kElfFile, file}, "firmware");
  (void)simulation::SourceLines(read_file(file, "firmware", kLongestElf)).at(0);
}

void read_json(const fs::path& file) {
  const std::array results{file.string()};
  (void)studies::tau_table(studies::fit_tau(results));
}

void read_points(const fs::path& file) {
  const std::array results{file.string()};
  const auto lines = studies::fit_tau(results);
  (void)studies::tau_table(lines);
  for (const auto& family : studies::tau_families(lines)) (void)studies::growth_text(family.start);
  for (int model = 0; model < reference::models::kModels; ++model) {
    try {
      for (const auto& report :
           studies::fit_model(static_cast<reference::models::Model>(model), results, {})) {
        (void)parameter_table(report);
        (void)point_table(report);
      }
    } catch (const InputError&) {  // another model may still fit
    }
  }
}

void read_fst(const fs::path& file) {
  waves::WaveContents contents(file);
  const std::array<std::function<void()>, 5> views = {
      [&] { (void)waves::message_view(contents, 1); },
      [&] { (void)waves::router_view(contents, "0,0"); },
      [&] { (void)waves::step_view(contents, 1); }, [&] { (void)waves::nics_view(contents); },
      [&] { (void)waves::deadlock_view(contents); }};
  for (const auto& view : views) {
    try {
      view();
    } catch (const InputError&) {  // another view may still be possible
    }
  }
}

void read_native(const fs::path& file) {
  try {
    simulation::require_native_file(read_file(file, "firmware run", kLongestElf));
  } catch (const std::runtime_error& error) {
    throw InputError(file.string(), error.what());
  }
}

/// A shard's part.json, which has its name from the program.
void read_part(const fs::path& file) {
  const TemporaryFolder folder;
  fs::copy_file(file, folder.path() / studies::kPartFile);
  (void)studies::read_part(folder.path());
}

void read_rows(const fs::path& file) { studies::RowFile(file).read(); }

constexpr std::array<Target, 14> kTargets = {{{"scenario", read_scenario},
                                              {"traffic", read_traffic},
                                              {"sweep", read_sweep},
                                              {"trace", read_trace},
                                              {"network", read_network},
                                              {"flit_log", read_flit_log},
                                              {"elf", read_elf},
                                              {"json", read_json},
                                              {"points", read_points},
                                              {"fst", read_fst},
                                              {"native", read_native},
                                              {"part", read_part},
                                              {"rows", read_rows},
                                              {"gdb", read_gdb}}};

}  // namespace

std::span<const Target> targets() { return kTargets; }

const Target& target(std::string_view name) {
  const auto found = std::ranges::find(kTargets, name, &Target::name);
  if (found == kTargets.end()) throw std::out_of_range("no format " + std::string(name));
  return *found;
}

}  // namespace annelid::fuzz
