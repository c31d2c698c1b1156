// The signals of a waveform: their tree of scopes, and their numbers (docs/reference/waves.md).
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "systemc/network/config.hpp"
#include "waves/fst_writer.hpp"
#include "waves/wave_records.hpp"

namespace annelid::waves {

/// The flit on a channel. While `valid` is 0, all other signals are 0 or "".
struct ChannelSignals {
  FstWriter::Bundle all;  ///< these signals, as a ChannelBundle
  FstWriter::Signal flit, valid, kind, vc, source, destination, tag, data;
  std::uint32_t number = 0;  ///< its place in WaveSignals::channels
};

struct InputVcSignals {
  FstWriter::Bundle all;  ///< all but `blocked` and `held_by`, as an InputVcBundle
  FstWriter::Signal count, front, active, out_port, out_vc, blocked, held_by;
  FstWriter::Signal routed = 0;  ///< with three or more stages
};

struct OutputVcSignals {
  FstWriter::Bundle all;  ///< these three signals, as an OutputVcBundle
  FstWriter::Signal credits, owned, owner;
  FstWriter::Signal allocated = 0;  ///< with four stages
};

struct PortSignals {
  bool exists = false;  ///< false at the rim of the mesh
  ChannelSignals in{}, out{};
  FstWriter::Signal message{};  ///< local ports only
  FstWriter::Signal in_pointer{}, from{}, grant{}, waiting{}, out_pointer{};
  std::array<InputVcSignals, kMaxVcs> in_vc{};
  std::array<OutputVcSignals, kMaxVcs> out_vc{};
};

struct NodeSignals {
  NodeId node = 0;
  unsigned ports = 0;  ///< a bit for each port that exists
  std::array<PortSignals, kMaxPorts> port;
  std::vector<FstWriter::Signal> rows;
};

/// A row with contents that do not come from routers: its name and its node.
struct NodeRow {
  NodeId node = 0;
  std::string name;
  int bits = 0;  ///< width in bits; 0 for text
};

/// "xp", "xm", "yp", "ym", "local0" ...: names of ports that are legal in a waveform.
[[nodiscard]] std::string port_name(const systemc::RouterConfig& router, Port port);

/// Declares all signals of the chosen nodes. A channel between two chosen nodes is one signal with
/// two names. Channels that enter chosen nodes from other nodes are included.
class WaveSignals {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// `nodes` must be in the network, each once.
  WaveSignals(FstWriter& file, const systemc::NetworkConfig& config,
              const std::vector<NodeId>& nodes, const std::vector<NodeRow>& node_rows);

  std::shared_ptr<const InputNames> input_names;

  std::vector<NodeSignals> nodes;        ///< the chosen nodes, in their order
  std::vector<ChannelSignals> channels;  ///< each once
  std::vector<FstWriter::Signal> rows;   ///< by NodeRow

  /// Indices in `nodes` and `channels`, or kNone if not in the waveform.
  [[nodiscard]] std::uint32_t place(NodeId node) const { return place_[node]; }
  [[nodiscard]] std::uint32_t output_channel(NodeId node, Port port) const {
    return output_channel_[node * kMaxPorts + port];
  }
  [[nodiscard]] std::uint32_t injection_channel(NodeId node, int local) const {
    return injection_channel_[node * kMaxLocalPorts + static_cast<unsigned>(local)];
  }

 private:
  void add_node(FstWriter& file, NodeSignals& node, const std::vector<NodeRow>& node_rows);
  void add_input(FstWriter& file, NodeId node, Port port, PortSignals& signals);
  void add_output(FstWriter& file, NodeId node, Port port, PortSignals& signals);
  /// `channel` is the channel's index; it is kNone until the channel is declared for the first
  /// time.
  ChannelSignals add_channel(FstWriter& file, std::uint32_t& channel);
  [[nodiscard]] bool has_port(NodeId node, Port port) const;
  [[nodiscard]] std::uint32_t& input_channel(NodeId node, Port port);

  systemc::NetworkConfig config_;
  std::shared_ptr<FstBundle> channel_, input_vc_, output_vc_;  // the kinds
  std::vector<std::uint32_t> place_, output_channel_, injection_channel_;
};

}  // namespace annelid::waves
