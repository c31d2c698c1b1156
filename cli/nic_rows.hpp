// What each NIC does, as rows of text in a waveform.
#pragma once

#include <vector>

#include "nic/nic_observer.hpp"
#include "systemc/config.hpp"
#include "systemc/wave_trace.hpp"

namespace annelid::cli {

class NicRows final : public NicObserver {
 public:
  NicRows(WaveTrace& wave, const NetworkConfig& network);

  void send_started(Cycle now, const MessageInfo& info, Port local) override;
  void send_completed(Cycle now, const MessageInfo& info) override;
  void received(Cycle now, const MessageInfo& info) override;
  void call_finished(Cycle now, NodeId node, std::uint16_t ticket, std::uint32_t result) override;
  void trapped(Cycle now, NodeId node, const Trap& trap) override;

 private:
  struct Rows {
    std::vector<WaveTrace::Text> send;  ///< by local port: the message under way
    WaveTrace::Text firmware = 0;       ///< what the firmware knows
  };
  WaveTrace& wave_;
  const NetworkConfig network_;
  std::vector<Rows> rows_;
  std::vector<std::vector<NodeId>> sending_;  ///< by node and local port: to whom
  std::uint32_t steps_marked_ = 0;
};

}  // namespace annelid::cli
