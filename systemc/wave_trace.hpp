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
#include "systemc/router_state.hpp"
#include "systemc/wave_signals.hpp"
#include "systemc/wave_view.hpp"

namespace annelid {

/// The channels and registers of chosen nodes as an FST file, and a GTKWave save file beside it.
/// Cycle t is the time from t ns to t + 1 ns. Neither file is there before close().
class WaveTrace final : public FabricObserver {
 public:
  /// Gives the registers of a node's router at the start of the cycle that begins.
  using StateOf = std::function<void(NodeId, RouterState&)>;
  /// A row of text, see add_text.
  using Text = std::uint32_t;

  /// The first 64 nodes: more do not help, and a network may have 65,536.
  [[nodiscard]] static std::vector<NodeId> default_nodes(const NetworkConfig& config);

  /// `path` is the FST file's; the save file has the same name with the ending .gtkw. An empty
  /// `nodes` means default_nodes. `state_of` is called within cycle() and close(). Throws
  /// std::runtime_error with the path if no file can be made there, ConfigError for a node that is
  /// not in the network or is there twice.
  WaveTrace(std::filesystem::path path, const NetworkConfig& config, std::vector<NodeId> nodes,
            StateOf state_of);

  /// A row of text in the scope `nic` of a node, such as what its firmware waits for; before the
  /// first cycle. A node that is not in the waveform may have rows too; they are not written.
  Text add_text(NodeId node, std::string name);
  /// The row says `text` from this cycle on. Later cycles may be told ahead, past ones not.
  void set_text(Text row, Cycle cycle, std::string text);

  /// A named line in GTKWave's picture, up to 26.
  void add_marker(Cycle cycle, std::string_view name);

  void cycle(Cycle cycle) override;
  void packet(Cycle, NodeId, Port local, const PacketInfo& packet) override;
  void injected(Cycle, NodeId, Port local, const Flit& flit) override;
  void moved(Cycle, NodeId, Port in, Vc in_vc, Port out, const Flit& flit) override;
  void blocked(Cycle, NodeId, Port in, Vc in_vc, Port out, BlockCause cause) override;

  /// Ends the waveform one cycle after the last one and writes both files. Throws
  /// std::runtime_error with the path.
  void close();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path save_file() const;

 private:
  /// The packet that a flit belongs to, as the rows show it; not known if its head came before the
  /// waveform began.
  struct PacketText {
    bool known = false;
    HeadFields head;
    std::string source, destination, way;  // way: " 2,0>5,3 #17"
  };
  using PacketTexts = std::array<PacketText, kMaxVcs>;
  struct Node {
    RouterState shown;
    bool known = false;                        // `shown` is in the file
    bool asleep = false;                       // the registers cannot change before a flit arrives
    std::array<PacketTexts, kMaxPorts> front;  // by input
    std::array<std::string, kMaxPorts> waiting;  // by output, in this cycle
  };

  [[nodiscard]] PacketText text_of(const HeadFields& head) const;
  void declare();
  void require_now(Cycle cycle) const;
  void end_cycle();
  void write_due_texts(Cycle until);
  void write_registers();
  void write_node(const NodeSignals& signals, Node& node, const RouterState& state);
  void write_input(const InputVcSignals& signals, const InputVcState& state, PacketText& packet);
  const PacketText& write_channel(std::uint32_t channel, const Flit& flit);
  void wake(NodeId node);
  [[nodiscard]] bool is_asleep(const RouterState& state) const;
  std::string_view flit_text(const Flit& flit, const PacketText& packet);

  std::filesystem::path path_;
  NetworkConfig config_;
  std::vector<NodeId> chosen_;
  StateOf state_of_;
  FstWriter file_;

  std::vector<TextRow> text_rows_;
  std::map<std::pair<Cycle, Text>, std::string> texts_;  // still to be written

  std::optional<WaveSignals> signals_;  // from the first cycle on
  std::vector<Node> nodes_;
  std::vector<PacketTexts> packets_;                     // by channel
  std::vector<std::pair<std::uint32_t, Port>> waiting_;  // node's place, output: in this cycle
  WaveView view_;
  Cycle now_ = 0;
  bool begun_ = false;
  std::string buffer_;
};

}  // namespace annelid
