// What GTKWave shows first of a waveform: the path of one packet, what the NICs do, and the nodes,
// of which only the packet's source is unfolded.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "systemc/network/flit.hpp"
#include "waves/gtkw.hpp"
#include "waves/wave_signals.hpp"

namespace annelid::waves {

/// Follows the first message that it is told about through the channels, and lays out the rows.
class WaveView {
 public:
  /// This packet is not a message; it will not be followed.
  void ignore(const systemc::HeadFields& packet);
  /// A packet is on a channel: is it the one that is followed? The first one asked about is.
  bool follows(Cycle cycle, const systemc::HeadFields& packet);
  /// Follow this packet and no other; its head was injected, or first seen, in this cycle.
  void choose(Cycle cycle, const systemc::HeadFields& packet);
  /// Its head is on this channel, e.g. "2,0 xp".
  void add_hop(const ChannelSignals& channel, std::string name);
  /// Its tail leaves the network.
  void end(Cycle cycle);

  /// Above all other rows: an input VC that waits for an output, by its flit signal.
  void add_waiting(std::string name, const InputVcSignals& vc, FstWriter::Signal output);
  /// The window shows what is around this cycle, not the packet's path.
  void look_at(Cycle cycle) { looked_at_ = cycle; }
  void add_marker(Cycle cycle, std::string_view name) { file_.add_marker(cycle, name); }

  /// Writes the save file `path` for `waveform`. Throws std::runtime_error.
  void write(const std::filesystem::path& path, const std::filesystem::path& waveform,
             const FstWriter& names, const WaveSignals& signals,
             const systemc::NetworkConfig& config);

 private:
  struct Hop {
    std::string name;
    ChannelSignals channel;
  };
  struct Waiting {
    std::string name;
    FstWriter::Signal front, blocked, output;
  };
  void add_waits(const FstWriter& names);
  void add_way(const FstWriter& names, const systemc::NetworkConfig& config);
  void add_rows(const FstWriter& names, const WaveSignals& signals,
                const systemc::NetworkConfig& config);
  void add_row(const std::string& name, const std::string& prefix);
  void add_node(const FstWriter& names, const NodeSignals& node,
                const systemc::NetworkConfig& config);
  void add_output(const FstWriter& names, const PortSignals& port, int vcs);
  void add_input(const FstWriter& names, const PortSignals& port, int vcs);
  void add_channel(const FstWriter& names, const ChannelSignals& channel);

  GtkwFile file_;
  std::optional<systemc::HeadFields> packet_;
  std::set<std::uint64_t> ignored_;  ///< packed heads; empty once a packet is followed
  Cycle begin_ = 0, end_ = kNever;
  std::optional<Cycle> looked_at_;
  std::vector<Hop> hops_;
  std::vector<Waiting> waits_;
};

}  // namespace annelid::waves
