// The initial GTKWave view of a waveform: the path of one packet, the activity of the NICs, and the
// nodes. Only the source node of the packet is unfolded.
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

/// Follows the first message that is reported to it through the channels, and lays out the rows.
class WaveView {
 public:
  /// This packet is not a message, and will not be followed.
  void ignore(const systemc::HeadFields& packet);
  /// A packet is on a channel. Returns whether it is the packet to follow. That becomes the first
  /// packet asked about: of those of the same cycle the one on the first channel, in whatever order
  /// they are reported.
  bool follows(Cycle cycle, std::uint32_t channel, const systemc::HeadFields& packet);
  /// Follows this packet and no other. Its head was injected, or first seen, in this cycle.
  void choose(Cycle cycle, const systemc::HeadFields& packet);
  /// The packet's head is on this channel, named for example "2,0 xp".
  void add_hop(const ChannelSignals& channel, std::string name);
  /// The packet's tail leaves the network.
  void end(Cycle cycle);

  /// Adds a row above all others: an input VC, by its flit signal, that waits for an output.
  void add_waiting(std::string name, const InputVcSignals& vc, FstWriter::Signal output);
  /// Makes the window show the time around this cycle, instead of the packet's path.
  void look_at(Cycle cycle) { looked_at_ = cycle; }
  void add_marker(Cycle cycle, std::string_view name) { file_.add_marker(cycle, name); }

  /// By channel (ChannelSignals::number), a bit for each VC that had a flit.
  using UsedVcs = std::vector<std::uint8_t>;
  /// Writes the save file `path` for `waveform`, without the VCs that had no flit. Throws
  /// std::runtime_error if it cannot be written.
  void write(const std::filesystem::path& path, const std::filesystem::path& waveform,
             const FstWriter& names, const WaveSignals& signals,
             const systemc::NetworkConfig& config, const UsedVcs& used);

 private:
  struct Hop {
    std::string name;
    ChannelSignals channel;
  };
  struct Waiting {
    std::string name;
    FstWriter::Signal front, blocked, held_by, output;
  };
  /// Adds a row by the name that it has in all views.
  void add(const std::string& signal, GtkwFormat format, GtkwColour colour = GtkwColour::kNormal);
  void add_waits(const FstWriter& names);
  void add_way(const FstWriter& names, const systemc::NetworkConfig& config);
  void add_rows(const FstWriter& names, const WaveSignals& signals);
  void add_nic(const FstWriter& names, const NodeSignals& node);
  void add_node(const FstWriter& names, const NodeSignals& node,
                const systemc::NetworkConfig& config, const UsedVcs& used);
  void add_output(const FstWriter& names, const PortSignals& port, unsigned used);
  void add_input(const FstWriter& names, const PortSignals& port, unsigned used);
  void add_channel(const FstWriter& names, const ChannelSignals& channel);

  GtkwFile file_;
  std::optional<systemc::HeadFields> packet_;
  bool chosen_ = false;              ///< no other packet takes its place
  std::uint32_t channel_ = 0;        ///< where it was in cycle begin_
  std::set<std::uint64_t> ignored_;  ///< packed heads; empty once a packet is chosen
  Cycle begin_ = 0, end_ = kNever;
  std::optional<Cycle> looked_at_;
  std::vector<Hop> hops_;
  std::vector<Waiting> waits_;
};

}  // namespace annelid::waves
