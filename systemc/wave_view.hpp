// What GTKWave shows first of a waveform: the way of the first packet, then the nodes, folded.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "systemc/flit.hpp"
#include "systemc/wave_signals.hpp"

namespace annelid {

/// Follows the first packet through the channels of the waveform, and writes the save file.
class WaveView {
 public:
  /// A flit is on a channel, shown in row `flit_row`; `channel` names it: "2,0 xp". `ejected`: this
  /// channel leaves the network.
  void saw(Cycle cycle, const Flit& flit, const HeadFields& packet, FstWriter::Signal flit_row,
           const std::string& channel, bool ejected);
};

}  // namespace annelid
