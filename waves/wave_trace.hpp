// Records a run as a waveform for GTKWave (docs/reference/waves.md).
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "systemc/analysis/deadlock.hpp"
#include "systemc/network/config.hpp"
#include "systemc/network/observer.hpp"
#include "waves/fst_writer.hpp"
#include "waves/wave_holders.hpp"
#include "waves/wave_registers.hpp"
#include "waves/wave_signals.hpp"
#include "waves/wave_view.hpp"
#include "waves/wave_window.hpp"

namespace annelid::waves {

/// Writes the channels and registers of chosen nodes to an FST file, and a GTKWave save file beside
/// it. Cycle t is the time from t ns to t + 1 ns. Neither file exists before close().
class WaveTrace final : public systemc::FabricObserver {
 public:
  using StateOf = WaveRegisters::StateOf;
  /// A row added by add_text or add_bits.
  using Row = std::uint32_t;

  /// The first 64 nodes. More would not help a reader, and a network may have 65,536.
  [[nodiscard]] static std::vector<NodeId> default_nodes(const systemc::NetworkConfig& config);

  /// `path` is the FST file's path; the save file has the same name with the extension .gtkw. An
  /// empty `nodes` means default_nodes. `state_of` is called within cycle() and close(). Throws
  /// std::runtime_error with the path if no file can be made there, and ConfigError for a node that
  /// is not in the network or is listed twice.
  WaveTrace(std::filesystem::path path, const systemc::NetworkConfig& config,
            std::vector<NodeId> nodes, StateOf state_of, const WaveWindow& window = {});

  /// Whether a node is in the waveform.
  [[nodiscard]] bool shows(NodeId node) const { return shown_[node]; }
  /// Adds a row to the scope `nic` of a node, for a text, such as what its firmware waits for, or
  /// for a number of 1 to 64 bits. To be called before the first cycle. Rows of a node that is not
  /// in the waveform are accepted, but not written.
  Row add_text(NodeId node, std::string name) { return add_row({node, std::move(name), 0}); }
  Row add_bits(NodeId node, std::string name, int bits) {
    return add_row({node, std::move(name), bits});
  }
  /// Shows a value in the row from `cycle` on, which must not be in the past.
  void set_text(Row row, Cycle cycle, std::string text);
  void set_bits(Row row, Cycle cycle, std::uint64_t bits);

  /// Adds a named line to GTKWave's display, up to 26.
  void add_marker(Cycle cycle, std::string_view name);
  /// Reports that the run, or a check of its result, has failed in the run's last cycle. That cycle
  /// gets a marker named `name` ("" for none), and the failure is a trigger's event. `waits` are
  /// the waits of packets for each other.
  void fail(std::string_view name, std::span<const systemc::Wait> waits = {});

  void cycle(Cycle cycle) override;
  void packet(Cycle, NodeId, Port local, const systemc::PacketInfo& packet) override;
  void injected(Cycle, NodeId, Port local, const systemc::Flit& flit) override;
  void allocated(Cycle, NodeId, Port in, Vc in_vc, Port out, Vc out_vc) override;
  void granted(Cycle, NodeId, Port in, Vc in_vc, Port out, const systemc::Flit& flit) override;
  void moved(Cycle, NodeId, Port in, Vc in_vc, Port out, const systemc::Flit& flit) override;
  void blocked(Cycle, NodeId, Port in, Vc in_vc, Port out, systemc::BlockCause cause) override;

  /// Ends the waveform one cycle after the last one, or at the end of the window, and writes both
  /// files. Writes neither if the trigger's event did not happen. Throws std::runtime_error with
  /// the path if a file cannot be written.
  void close();

  /// Whether there is anything to write: there is no trigger, or its event has happened. A flit
  /// that is blocked long enough counts when its cycle is over.
  [[nodiscard]] bool triggered() const { return triggered_at_.has_value(); }
  /// The cycle of the trigger's event, and its packet: "cycle 51: packet 0,0>2,1 #5 ...". "" if
  /// there is no trigger, or its event did not happen.
  [[nodiscard]] const std::string& trigger_text() const { return trigger_text_; }
  /// The memory used for changes that are not in the file yet, in bytes.
  [[nodiscard]] std::size_t bytes() const { return file_.bytes(); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path save_file() const;

 private:
  struct InputVc {
    Cycle blocked_last = kNever;    // the last cycle in which it was blocked
    std::uint64_t blocked_for = 0;  // consecutive cycles up to that one
  };
  struct Node {
    std::array<std::array<InputVc, kMaxVcs>, kMaxPorts> input;
    std::array<std::string, kMaxPorts> waiting;  // by output, in this cycle
  };
  struct Channel {
    FstWriter::Bundle all;
    std::size_t packets = 0;       // the place of those of its VCs
    FstWriter::Signal sender = 0;  // whose signal `from` this is, if
    bool sent_here = false;        // it is in the waveform
    InputNames::Index from = InputNames::kNone;
    Cycle at = kNever;  // of the flit in the file
  };
  using End = WaveRegisters::End;
  struct Due {
    std::uint64_t bits = 0;
    std::string text;
  };

  Row add_row(NodeRow row);
  void set(Row row, Cycle cycle, Due value);
  void declare();
  void require_now(Cycle cycle) const;
  [[nodiscard]] bool waits_for(WaveTrigger::Kind kind) const {
    return !triggered_at_ && window_.trigger.kind == kind;
  }
  void trigger(Cycle cycle, std::string_view marker);
  void trigger_tag(Cycle cycle, std::pair<NodeId, Port> source, const systemc::HeadFields& packet);
  void trigger_blocked();
  void trigger_failure(std::string_view name, std::span<const systemc::Wait> waits);
  /// Makes the view show this packet: where its head has been, and where it goes from now on.
  void show_packet(const systemc::HeadFields& packet);
  /// "2,0 xm vc0 waits for xp"; adds a row to the view if the node is in the waveform.
  std::string add_waiting(NodeId node, Port in, Vc in_vc, Port out);
  void note_pause(Cycle cycle);
  [[nodiscard]] std::string text_of(const systemc::HeadFields& packet) const;
  [[nodiscard]] std::string at(NodeId node) const;
  [[nodiscard]] std::string hop_name(NodeId node, Port out) const;
  void end_cycle();
  void end_window();
  void write_due(Cycle until);
  void write_channel(std::uint32_t channel, const systemc::Flit& flit, InputNames::Index from);
  void write_sender(Channel& channel, InputNames::Index from);
  void clear_channels_before(Cycle cycle);
  void write_holders();
  void follow(std::uint32_t channel, NodeId node, Port out, const systemc::Flit& flit);

  std::filesystem::path path_;
  systemc::NetworkConfig config_;
  std::vector<NodeId> chosen_;
  std::vector<bool> shown_;  // by node
  StateOf state_of_;
  WaveWindow window_;
  FstWriter file_;
  std::vector<std::string> blocked_texts_;  // "no_vc xp", by cause and port

  std::vector<NodeRow> rows_;
  std::map<std::pair<Cycle, Row>, Due> due_;  // still to be written

  std::optional<WaveSignals> signals_;  // from the first cycle on
  std::optional<WaveRegisters> registers_;
  WaveHolders holders_;
  std::vector<Node> nodes_;
  std::vector<Channel> channels_;
  WaveView::UsedVcs used_vcs_;       // of the run so far, also before the window
  std::vector<HeldPacket> packets_;  // of the channels' VCs, the last heads
  std::vector<Cycle> heads_at_;      // and when they were there
  std::vector<End> receiver_;        // by channel
  std::vector<End> credits_to_;      // by node and input: the output that feeds it
  std::vector<std::uint32_t> busy_now_, busy_before_;  // channels, in this cycle and the one before
  std::vector<std::pair<std::uint32_t, Port>> waiting_;  // node's place, output: in this cycle
  WaveView view_;
  Cycle now_ = 0;
  std::optional<Cycle> triggered_at_;  // the first cycle, if there is no trigger
  std::string trigger_text_;
  std::pair<NodeId, Port> trigger_source_;  // of a tag: where its packet is injected
  // A blocked flit of this cycle: its node's place, input, VC and output.
  std::optional<std::tuple<std::uint32_t, Port, Vc, Port>> longest_blocked_;
  Cycle last_move_ = 0;       // of any flit
  bool blocked_now_ = false;  // in this cycle a flit is blocked
  bool paused_ = false;       // since last_move_, flits were blocked and none moved
  bool recording_ = false;    // this cycle is in the waveform
  bool over_ = false;         // the window's last cycle has passed
};

}  // namespace annelid::waves
