// The files that a simulation writes while it runs, if the user asks for them: waveform, flit log
// and timeline.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/command_files.hpp"
#include "base/output_file.hpp"
#include "base/run_failure.hpp"
#include "simulation/recordings/core_times.hpp"
#include "simulation/recordings/timeline_files.hpp"
#include "simulation/recordings/wave_options.hpp"
#include "systemc/analysis/deadlock.hpp"
#include "systemc/analysis/flit_log.hpp"
#include "systemc/modules/network.hpp"
#include "timeline/journeys.hpp"
#include "waves/wave_trace.hpp"

namespace annelid::simulation {

/// The options as the user wrote them. An empty text means that the file is not wanted.
struct RecordingOptions {
  std::string rtl;  ///< nodes whose router is RTL: "", "all", or numbers as "3,4"
  /// The folder of rtl/ and systemc/, by which provide_rtl() makes routers. Empty: it makes none.
  std::filesystem::path rtl_sources;
  WaveOptions wave;
  std::string flit_log, timeline;
  std::string timeline_window;  ///< cycles of the timeline, as in 100:250
  std::string perfetto;         ///< the timeline as a trace

  [[nodiscard]] TimelineFiles timeline_files() const { return {timeline, perfetto}; }
};

/// Parses the nodes "all" or "3,4,17" of an option. `nodes` is the number of nodes. Throws
/// InputError for any other text, and for nodes that the network does not have.
[[nodiscard]] std::set<NodeId> parse_nodes(const std::string& option, const std::string& text,
                                           NodeId nodes);
/// Returns the nodes of --rtl. Throws InputError for nodes that are not in the network, and if the
/// options ask for routers that the network does not have.
[[nodiscard]] std::set<NodeId> rtl_nodes(const RecordingOptions& options,
                                         const systemc::NetworkConfig& network);

/// The nodes of the waveform. Throws InputError as parse_nodes does.
[[nodiscard]] std::vector<NodeId> wave_nodes(const WaveOptions& options,
                                             const systemc::NetworkConfig& network);

/// Throws InputError for nodes and cycles that a waveform or a timeline cannot show.
void require_shown(const RecordingOptions& options, const systemc::NetworkConfig& network);

/// Throws InputError unless the files can be created, and none of them is in `files`, to which it
/// adds them. Call it before a run.
void require_writable(const RecordingOptions& options, CommandFiles& files);

/// The files of a finished run. An empty path means that there is no such file.
struct RecordedFiles {
  std::filesystem::path flit_log = {};
  std::filesystem::path timeline = {};   ///< the page
  std::filesystem::path trace = {};      ///< for Perfetto
  std::filesystem::path wave = {};       ///< the waveform
  std::filesystem::path save_file = {};  ///< for GTKWave, beside the waveform
  std::string no_timeline = {};  ///< why there is neither page nor trace, though they were wanted
  std::string awaited = {};  ///< the waveform's trigger, if it did not happen: there is no waveform
  std::string trigger = {};  ///< its cycle and packet, if it did: "cycle 51: packet 0,0>2,1 #5 ..."
};

class Recordings {
 public:
  /// `title` names the run in the files. The waveform gets the registers of routers from
  /// `registers_of`, which WaveTrace describes.
  Recordings(const RecordingOptions& options, const systemc::NetworkConfig& network,
             const std::string& title, waves::WaveTrace::StateOf registers_of);
  /// The registers are those of this network.
  Recordings(const RecordingOptions& options, systemc::Network& network, const std::string& title);

  /// Returns the observers for the fabric. They live as long as this object.
  [[nodiscard]] std::vector<systemc::FabricObserver*> observers();
  /// Returns the waveform, or nullptr if there is none.
  [[nodiscard]] waves::WaveTrace* wave() { return wave_.get(); }

  /// Reports that the run, or a check of its result, has failed. Call it before close(). `what`
  /// names the failure in a few words. `stall` holds the packets that wait for each other, if any
  /// do.
  void fail(std::string_view what, const systemc::StallReport& stall = {});
  /// Names the calls that messages are part of, by their tags. Call it before close().
  void name_tags(const std::vector<std::string>& names) { names_by_tag_ = names; }
  /// Tells of each message which of the trees of the schedule it belongs to, from 1, or 0. Call it
  /// before close().
  using TreeOf = std::function<int(const systemc::PacketInfo&)>;
  void name_trees(TreeOf tree_of) { tree_of_ = std::move(tree_of); }
  /// The times of the cores; nullptr if no file shows them.
  [[nodiscard]] CoreTimes* core_times() { return core_times_ ? &*core_times_ : nullptr; }
  /// Tells of a run that has ended before this cycle, though its cores may have gone on. Call it
  /// before close().
  void end_cores(Cycle cycle) {
    if (core_times_) core_times_->end(cycle);
  }
  /// Finishes the files.
  RecordedFiles close();
  /// Finishes the files after a failed run. The returned failure also says where the waveform shows
  /// it.
  [[nodiscard]] RunFailure close_after(const RunFailure& failure);

 private:
  RecordingOptions options_;
  std::string title_;
  std::unique_ptr<waves::WaveTrace> wave_;
  std::unique_ptr<OutputFile> flit_log_file_;
  std::unique_ptr<systemc::FlitLog> flit_log_;
  std::unique_ptr<timeline::JourneyRecorder> journeys_;
  systemc::StallReport stall_;
  std::vector<std::string> names_by_tag_;
  TreeOf tree_of_;
  std::optional<CoreTimes> core_times_;

  void close_timeline(RecordedFiles& files);
};

}  // namespace annelid::simulation
