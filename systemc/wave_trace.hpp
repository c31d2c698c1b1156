// Watches a run and writes what it sees as a waveform for GTKWave (docs/waves.md).
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "systemc/config.hpp"
#include "systemc/fst_writer.hpp"
#include "systemc/observer.hpp"
#include "systemc/packet_texts.hpp"
#include "systemc/router_state.hpp"
#include "systemc/wave_signals.hpp"
#include "systemc/wave_view.hpp"
#include "systemc/wave_window.hpp"

namespace annelid {

/// The channels and registers of chosen nodes as an FST file, and a GTKWave save file beside it.
/// Cycle t is the time from t ns to t + 1 ns. Neither file is there before close().
class WaveTrace final : public FabricObserver {
 public:
  /// Gives the registers of a node's router at the start of the cycle that begins:
  /// NodeRouter::registers.
  using StateOf = std::function<void(NodeId, unsigned ports, RouterState&)>;
  /// A row of its own, see add_text.
  using Row = std::uint32_t;

  /// The first 64 nodes: more do not help, and a network may have 65,536.
  [[nodiscard]] static std::vector<NodeId> default_nodes(const NetworkConfig& config);

  /// `path` is the FST file's; the save file has the same name with the ending .gtkw. An empty
  /// `nodes` means default_nodes. `state_of` is called within cycle() and close(). Throws
  /// std::runtime_error with the path if no file can be made there, ConfigError for a node that is
  /// not in the network or is there twice.
  WaveTrace(std::filesystem::path path, const NetworkConfig& config, std::vector<NodeId> nodes,
            StateOf state_of, const WaveWindow& window = {});

  /// Whether a node is in the waveform.
  [[nodiscard]] bool shows(NodeId node) const { return shown_[node]; }
  /// A row of text in the scope `nic` of a node, such as what its firmware waits for, or of a
  /// number of 1 to 64 bits; before the first cycle. A node that is not in the waveform may have
  /// rows too; they are not written.
  Row add_text(NodeId node, std::string name) { return add_row({node, std::move(name), 0}); }
  Row add_bits(NodeId node, std::string name, int bits) {
    return add_row({node, std::move(name), bits});
  }
  /// The row says this from this cycle on. Later cycles may be told ahead, past ones not.
  void set_text(Row row, Cycle cycle, std::string text);
  void set_bits(Row row, Cycle cycle, std::uint64_t bits);

  /// A named line in GTKWave's picture, up to 26.
  void add_marker(Cycle cycle, std::string_view name);
  /// The run, or a check of its result, has failed, in its last cycle. It marks that cycle, and is
  /// a trigger's event. "" for no name.
  void fail(std::string_view name);

  void cycle(Cycle cycle) override;
  void packet(Cycle, NodeId, Port local, const PacketInfo& packet) override;
  void injected(Cycle, NodeId, Port local, const Flit& flit) override;
  void allocated(Cycle, NodeId, Port in, Vc in_vc, Port out, Vc out_vc) override;
  void granted(Cycle, NodeId, Port in, Vc in_vc, Port out, const Flit& flit) override;
  void moved(Cycle, NodeId, Port in, Vc in_vc, Port out, const Flit& flit) override;
  void blocked(Cycle, NodeId, Port in, Vc in_vc, Port out, BlockCause cause) override;

  /// Ends the waveform one cycle after the last one, or the window's, and writes both files; or
  /// neither, if the trigger's event did not happen. Throws std::runtime_error with the path.
  void close();

  /// Whether there is something to write: the trigger's event has happened, if there is a trigger.
  [[nodiscard]] bool triggered() const { return triggered_at_.has_value(); }
  /// Of memory, for changes that are not in the file yet.
  [[nodiscard]] std::size_t bytes() const { return file_.bytes(); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path save_file() const;

 private:
  /// A packet as an input or a channel remembers it, by its head flit.
  struct Held {
    std::uint64_t head = 0;
    bool known = false;  // false: its head was there before the run was watched
    friend bool operator==(const Held&, const Held&) = default;
  };
  struct InputVc {
    Held front;
    Cycle blocked_last = kNever;    // the last cycle in which it was
    std::uint64_t blocked_for = 0;  // cycles on end, up to that one
  };
  struct Node {
    RouterState shown;
    bool known = false;  // `shown` is in the file
    // By port, its input and its output: after this cycle their registers cannot change before
    // something happens there.
    std::array<Cycle, kMaxPorts> input_settled{}, output_settled{};
    std::array<std::array<InputVc, kMaxVcs>, kMaxPorts> input;
    std::array<std::string, kMaxPorts> waiting;  // by output, in this cycle
  };
  /// What is on a channel.
  struct Channel {
    std::array<Held, kMaxVcs> packets;
    Held packet;  // in the file, like the rest
    Cycle at = kNever;
    Vc vc = 0;
    std::uint8_t kind = 0;
    std::uint8_t from = 0;  // input_names_' index of the input
  };
  /// One end of a channel: a port of a node in the waveform.
  struct End {
    std::uint32_t node = WaveSignals::kNone;
    Port port = 0;
  };
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
  void end_cycle();
  void end_window();
  void write_due(Cycle until);
  void write_registers();
  void write_inputs(const NodeSignals& signals, Node& node, unsigned ports);
  void write_outputs(const NodeSignals& signals, Node& node, unsigned ports);
  void write_input(const InputVcSignals& signals, const InputVcState& state, Held& packet);
  [[nodiscard]] std::string_view owner(const RouterState& state, Port out, Vc vc) const;
  void write_channel(std::uint32_t channel, const Flit& flit, std::uint8_t from);
  void clear_channel(std::uint32_t channel);
  void clear_channels_before(Cycle cycle);
  // The registers of an input, of an output may change in the next cycles.
  void touch_input(const End& end) {
    if (end.node != WaveSignals::kNone) nodes_[end.node].input_settled[end.port] = now_ + reach_;
  }
  void touch_output(const End& end) {
    if (end.node != WaveSignals::kNone) nodes_[end.node].output_settled[end.port] = now_ + reach_;
  }
  [[nodiscard]] bool waits_for_nic(Port port) const;
  [[nodiscard]] const PacketText& text_of(const Held& packet) {
    return packet.known ? texts_.of(packet.head) : texts_.unknown();
  }
  [[nodiscard]] const std::string& input_name(Port in, Vc vc) const {
    return input_names_[in * kMaxVcs + vc];
  }

  std::filesystem::path path_;
  NetworkConfig config_;
  std::vector<NodeId> chosen_;
  std::vector<bool> shown_;  // by node
  StateOf state_of_;
  WaveWindow window_;
  FstWriter file_;
  PacketTexts texts_;
  std::vector<std::string> input_names_;    // "xm.0", by port and VC
  std::vector<std::string> blocked_texts_;  // "no_vc xp", by cause and port

  std::vector<NodeRow> rows_;
  std::map<std::pair<Cycle, Row>, Due> due_;  // still to be written

  std::optional<WaveSignals> signals_;  // from the first cycle on
  std::vector<Node> nodes_;
  RouterState state_;  // of the node that is written
  std::vector<Channel> channels_;
  std::vector<End> receiver_, sender_;  // by channel
  std::vector<End> credits_to_;         // by node and input: the output that feeds it
  std::vector<std::uint32_t> busy_now_, busy_before_;  // channels, in this cycle and the one before
  const Cycle reach_;  // cycles after an event in which it may still change registers
  std::vector<std::pair<std::uint32_t, Port>> waiting_;  // node's place, output: in this cycle
  WaveView view_;
  Cycle now_ = 0;
  std::optional<Cycle> triggered_at_;  // its first cycle, if there is no trigger
  bool recording_ = false;             // this cycle is in the waveform
  bool over_ = false;                  // the window's last cycle has passed
};

}  // namespace annelid
