// The cost of the firmware itself in a run: the cycles in which a node's next message waits for
// nothing but the node's firmware.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nic/message_log.hpp"

namespace annelid::simulation {

/// The range of cycles over a number of cases. Each case takes 0 cycles or more. Without cases,
/// `least` and `most` say nothing.
struct CycleRange {
  std::uint64_t cases = 0;
  Cycle least = 0, most = 0, sum = 0;

  void add(Cycle cycles);
  /// The mean in cycles; nothing without cases.
  [[nodiscard]] std::optional<double> mean() const;
};

struct FirmwareCycles {
  /// Cycles from a process's call to the posting (SEND_GO) of its first message, over the processes
  /// that receive nothing before it.
  CycleRange call_to_send;
  /// Cycles from a received message's last flit on the ejection channel to the posting of the
  /// node's next message: the firmware's gamma and alpha together. A case counts only if nothing
  /// else arrived or was posted in between.
  CycleRange receive_to_send;
};

/// `called` holds the cycle of each process's call, by node.
[[nodiscard]] FirmwareCycles firmware_cycles(const std::vector<nic::MessageRecord>& messages,
                                             const std::vector<Cycle>& called);

}  // namespace annelid::simulation
