// Shows the NICs of programs for the nodes as rows in a waveform.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "nic/nic_observer.hpp"
#include "simulation/recordings/match_row.hpp"
#include "systemc/network/config.hpp"
#include "waves/wave_trace.hpp"

namespace annelid::simulation {

/// Adds the rows `send`, `match` and `firmware` of every node in the waveform:
/// docs/reference/waves.md, "NICs". A program has no schedule, so it has fewer rows than a run of
/// collectives.
class ProgramRows final : public nic::NicObserver {
 public:
  ProgramRows(waves::WaveTrace& wave, const systemc::NetworkConfig& network);

  void matched(Cycle now, NodeId node, const nic::MatchInfo& match) override;
  void send_posted(Cycle now, const nic::MessageInfo& info) override;
  void send_completed(Cycle now, const nic::MessageInfo& info) override;
  void received(Cycle now, const nic::MessageInfo& info) override;
  void printed(Cycle now, NodeId node, int descriptor, const std::string& text) override;

 private:
  struct Rows {
    MatchRow match;
    waves::WaveTrace::Row send = 0, firmware = 0;
    std::vector<nic::MessageInfo> sends;  ///< under way
  };
  void show_sends(Cycle at, const Rows& rows);

  waves::WaveTrace& wave_;
  const systemc::NetworkConfig network_;
  std::unordered_map<NodeId, Rows> rows_;  ///< of the nodes in the waveform
};

}  // namespace annelid::simulation
