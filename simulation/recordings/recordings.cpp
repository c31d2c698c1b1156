#include "simulation/recordings/recordings.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/input_error.hpp"
#include "base/output_file.hpp"
#include "base/parse_number.hpp"
#include "base/split.hpp"
#include "base/text.hpp"
#include "simulation/recordings/flit_log_file.hpp"
#include "simulation/recordings/timeline_files.hpp"
#include "systemc/cosim/rtl_model.hpp"
#include "timeline/stall.hpp"
#include "timeline/waits.hpp"
#include "waves/gtkw.hpp"

namespace annelid::simulation {
namespace {

constexpr const char* kWindowOption = "--timeline-window";

}  // namespace

std::set<NodeId> parse_nodes(const std::string& option, const std::string& text, NodeId nodes) {
  std::set<NodeId> result;
  if (text == "all") {
    for (NodeId n = 0; n < nodes; ++n) result.insert(n);
    return result;
  }
  for (const std::string_view number : split(text, ",")) {
    const auto node = parse_number<NodeId>(number);
    if (!node || *node >= nodes) {
      throw InputError(option, "\"" + text + "\"",
                       fmt::format("all, or numbers of nodes from 0 to {}, as in 3,4", nodes - 1));
    }
    result.insert(*node);
  }
  return result;
}

std::set<NodeId> rtl_nodes(const RecordingOptions& options, const systemc::NetworkConfig& network) {
  if (network.ideal && !(options.rtl.empty() && options.wave.file.empty())) {
    throw InputError(options.rtl.empty() ? "--wave" : "--rtl", "an ideal network, without routers",
                     "a mesh or torus");
  }
  if (options.rtl.empty()) return {};
  std::set<NodeId> nodes = parse_nodes("--rtl", options.rtl, network.nodes());
  try {
    systemc::require_rtl_model(network.router);
  } catch (const systemc::ConfigError& error) {
    throw InputError("--rtl", error.found(),
                     error.expected() + ", or Verilator (Debian's package verilator) to make it");
  }
  return nodes;
}

namespace {

/// What says something about a waveform needs one. Its name says its format, and stands in
/// GTKWave's save file.
void require_wave(const WaveOptions& wave) {
  if (wave.file.empty()) {
    for (const auto& [option, text] :
         {std::pair("--wave-nodes", wave.nodes), std::pair("--wave-window", wave.window),
          std::pair("--wave-trigger", wave.trigger)}) {
      if (!text.empty()) throw InputError(option, "the option without --wave", "--wave FILE.fst");
    }
    return;
  }
  const std::string quoted = fmt::format("\"{}\"", wave.file);
  if (std::filesystem::path(wave.file).extension() != ".fst") {
    throw InputError("--wave", quoted, "a name that ends in .fst, the format of the file");
  }
  if (!waves::fits_save_file(wave.file)) {
    throw InputError("--wave", quoted,
                     "a path without quotes and control characters: GTKWave's save file names it");
  }
  if (std::filesystem::is_fifo(wave.file)) {
    throw InputError("--wave", quoted + ", a pipe",
                     "a file: what comes first in a waveform is written last");
  }
}

}  // namespace

void require_writable(const RecordingOptions& options, CommandFiles& files) {
  require_wave(options.wave);
  std::vector<std::pair<std::string, std::filesystem::path>> outputs;
  if (!options.wave.file.empty()) {
    outputs.emplace_back("--wave", options.wave.file);
    outputs.emplace_back("--wave", waves::save_file_of(options.wave.file));
  }
  if (!options.flit_log.empty()) outputs.emplace_back("--flit-log", options.flit_log);
  for (const auto& [option, path] : outputs) {
    files.writes(option, path);
    annelid::require_writable(path, option);
  }
  require_writable(options.timeline_files(), "--timeline", files);
}

std::vector<NodeId> wave_nodes(const WaveOptions& options, const systemc::NetworkConfig& network) {
  if (options.nodes.empty()) return waves::WaveTrace::default_nodes(network);
  const auto chosen = parse_nodes("--wave-nodes", options.nodes, network.nodes());
  return {chosen.begin(), chosen.end()};
}

void require_shown(const RecordingOptions& options, const systemc::NetworkConfig& network) {
  (void)recorded_for(options.timeline_files(), kWindowOption, options.timeline_window);
  if (options.wave.file.empty()) return;
  (void)wave_nodes(options.wave, network);
  (void)wave_window(options.wave);
}

Recordings::Recordings(const RecordingOptions& options, systemc::Network& network,
                       const std::string& title)
    : Recordings(options, network.config(), title,
                 [&network](NodeId n, unsigned ports, systemc::RouterState& state) {
                   network.registers(n, ports, state);
                 }) {}

Recordings::Recordings(const RecordingOptions& options, const systemc::NetworkConfig& config,
                       const std::string& title, waves::WaveTrace::StateOf registers_of)
    : options_(options), title_(one_line(title)) {
  if (!options.wave.file.empty()) {
    wave_ = std::make_unique<waves::WaveTrace>(options.wave.file, config,
                                               wave_nodes(options.wave, config),
                                               std::move(registers_of), wave_window(options.wave));
  }
  if (!options.flit_log.empty()) {
    flit_log_file_ = std::make_unique<OutputFile>(options.flit_log, "--flit-log");
    flit_log_ = std::make_unique<systemc::FlitLog>(flit_log_file_->stream(), config,
                                                   flit_log_header(title_, config));
  }
  if (!options.timeline_files().any()) return;
  journeys_ = std::make_unique<timeline::JourneyRecorder>(
      config, recorded_for(options.timeline_files(), kWindowOption, options.timeline_window));
  core_times_.emplace(config.nodes());
}

std::vector<systemc::FabricObserver*> Recordings::observers() {
  std::vector<systemc::FabricObserver*> all;
  if (wave_) all.push_back(wave_.get());
  if (flit_log_) all.push_back(flit_log_.get());
  if (journeys_) all.push_back(journeys_.get());
  return all;
}

void Recordings::fail(std::string_view what, const systemc::StallReport& stall) {
  if (wave_) wave_->fail(what, stall.waits);
  stall_ = stall;
}

RunFailure Recordings::close_after(const RunFailure& failure) {
  const RecordedFiles files = close();
  std::string text;
  if (!files.trigger.empty()) text += fmt::format("{}: {}\n", files.wave.string(), files.trigger);
  if (!files.no_timeline.empty()) text += fmt::format("{}\n", files.no_timeline);
  if (text.empty()) return failure;
  const std::string what = failure.what();
  return RunFailure(what + (what.ends_with('\n') ? "" : "\n") + text);
}

RecordedFiles Recordings::close() {
  RecordedFiles files;
  if (wave_) {
    wave_->close();
    if (wave_->triggered()) {
      files.wave = options_.wave.file;
      files.save_file = wave_->save_file();
      files.trigger = wave_->trigger_text();
    } else {
      files.awaited = options_.wave.trigger;
    }
  }
  if (flit_log_) {
    flit_log_->flush();
    flit_log_file_->commit();
    files.flit_log = options_.flit_log;
  }
  if (journeys_) close_timeline(files);
  return files;
}

void Recordings::close_timeline(RecordedFiles& files) {
  timeline::RecordedRun run = journeys_->take();
  find_waits(run);
  add_stall(run, stall_);
  core_times_->add_to(run);
  if (is_empty(run)) {
    files.no_timeline =
        fmt::format("{}: found {}, in which there is no packet, so neither page nor trace; {}",
                    kWindowOption, options_.timeline_window,
                    run.end == 0 ? "no flit was sent"
                                 : fmt::format("the last flit is in cycle {}", run.end - 1));
    return;
  }
  run.title = title_;
  run.names_by_tag = names_by_tag_;
  run.network_text = network_text(run.network);
  if (tree_of_) {
    for (const timeline::Journey& j : run.journeys) {
      run.trees.push_back(static_cast<std::uint8_t>(j.info.control ? 0 : tree_of_(j.info)));
    }
  }
  files.timeline = options_.timeline;
  files.trace = options_.perfetto;
  write_timeline(run, options_.timeline_files());
}

}  // namespace annelid::simulation
