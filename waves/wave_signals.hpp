// The signals of a waveform: their tree of scopes, and where to find each
// (docs/reference/waves.md).
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

/// What is on a channel. All but `valid` are 0 or "" while it is 0.
struct ChannelSignals {
  FstWriter::Bundle all;  ///< a ChannelBundle of these
  FstWriter::Signal flit, valid, kind, vc, source, destination, tag, data;
};

struct InputVcSignals {
  FstWriter::Bundle all;  ///< an InputVcBundle of these, but for `blocked`
  FstWriter::Signal count, front, active, out_port, out_vc, blocked;
  FstWriter::Signal routed = 0;  ///< with three stages and more
};

struct OutputVcSignals {
  FstWriter::Bundle all;  ///< an OutputVcBundle of these three
  FstWriter::Signal credits, owned, owner;
  FstWriter::Signal allocated = 0;  ///< with four stages
};

struct PortSignals {
  bool exists = false;  ///< not at the rim of the mesh
  ChannelSignals in{}, out{};
  FstWriter::Signal message{};  ///< local ports only
  FstWriter::Signal in_pointer{}, from{}, grant{}, waiting{}, out_pointer{};
  std::array<InputVcSignals, kMaxVcs> in_vc{};
  std::array<OutputVcSignals, kMaxVcs> out_vc{};
};

struct NodeSignals {
  NodeId node = 0;
  unsigned ports = 0;  ///< a bit for each that exists
  std::array<PortSignals, kMaxPorts> port;
  std::vector<FstWriter::Signal> rows;
};

/// A row that is not filled from routers: its name, and its node.
struct NodeRow {
  NodeId node = 0;
  std::string name;
  int bits = 0;  ///< 0: text
};

/// "xp", "xm", "yp", "ym", "local0" ...: names of ports that are legal in a waveform.
[[nodiscard]] std::string port_name(const systemc::RouterConfig& router, Port port);

/// Declares all signals of the chosen nodes. Channels between two of them are one signal with two
/// names; the channels that enter them from other nodes are there too.
class WaveSignals {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// `nodes` are in the network, each once.
  WaveSignals(FstWriter& file, const systemc::NetworkConfig& config,
              const std::vector<NodeId>& nodes, const std::vector<NodeRow>& node_rows);

  std::shared_ptr<const InputNames> input_names;

  std::vector<NodeSignals> nodes;        ///< the chosen ones, in their order
  std::vector<ChannelSignals> channels;  ///< each once
  std::vector<FstWriter::Signal> rows;   ///< by NodeRow

  /// Places in `nodes` and `channels`, or kNone if not in the waveform.
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
  /// `channel` is the channel's place, kNone until it is declared for the first time.
  ChannelSignals add_channel(FstWriter& file, std::uint32_t& channel);
  [[nodiscard]] bool has_port(NodeId node, Port port) const;
  [[nodiscard]] std::uint32_t& input_channel(NodeId node, Port port);

  systemc::NetworkConfig config_;
  std::shared_ptr<FstBundle> channel_, input_vc_, output_vc_;  // the kinds
  std::vector<std::uint32_t> place_, output_channel_, injection_channel_;
};

}  // namespace annelid::waves
