// What the firmware itself costs in a run: cycles in which a node's next message waits for nothing
// but its firmware.
#pragma once

#include <cstdint>
#include <vector>

#include "nic/message_log.hpp"

namespace annelid::simulation {

/// Of some cases; the cycles of each are at least 0.
struct CycleRange {
  std::uint64_t cases = 0;
  Cycle least = 0, most = 0, sum = 0;

  void add(Cycle cycles);
  /// 0 without cases.
  [[nodiscard]] double mean() const;
};

struct FirmwareCycles {
  /// From a process's call to the posting (SEND_GO) of its first message, of processes that receive
  /// nothing before it.
  CycleRange call_to_send;
  /// From a message's last flit on the ejection channel to the posting of the node's next message,
  /// where that message is the last that came before it and nothing was posted in between: the
  /// firmware's gamma and alpha together.
  CycleRange receive_to_send;
};

/// `called`: the cycle of each process's call, by node.
[[nodiscard]] FirmwareCycles firmware_cycles(const std::vector<nic::MessageRecord>& messages,
                                             const std::vector<Cycle>& called);

}  // namespace annelid::simulation
