// The row `match` of a NIC in a waveform: which sends and receives find each other.
#pragma once

#include <string>

#include "nic/nic_observer.hpp"
#include "systemc/network/config.hpp"
#include "waves/wave_trace.hpp"

namespace annelid::simulation {

class MatchRow {
 public:
  /// Adds the row of the node.
  void add(waves::WaveTrace& wave, NodeId node) { row_ = wave.add_text(node, "match"); }
  /// Shows what the node's NIC says in cycle `now`, for one cycle.
  void matched(waves::WaveTrace& wave, Cycle now, const nic::MatchInfo& match,
               const systemc::NetworkConfig& network);

 private:
  waves::WaveTrace::Row row_ = 0;
  Cycle at_ = kNever;
  std::string texts_;  ///< of that cycle
};

}  // namespace annelid::simulation
