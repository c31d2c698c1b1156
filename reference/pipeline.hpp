// Schedules of messages in packets: a node passes on a packet while the next one comes in.
#pragma once

#include "reference/parts.hpp"

namespace annelid::reference {

/// Collects the packets' messages under their steps.
class Pipeline {
 public:
  explicit Pipeline(int packets) : packets_(packets) {}

  /// Packet 0 goes in `step` (from 1), the others in the steps after it, one each.
  void send(int step, Node from, Node to) {
    const auto last = static_cast<std::size_t>(step + packets_ - 1);
    if (messages_.size() < last) messages_.resize(last);
    for (int i = 0; i < packets_; ++i) {
      const auto packet = static_cast<std::uint64_t>(i);
      messages_[static_cast<std::size_t>(step + i - 1)].push_back({from, to, packet, packet + 1});
    }
  }

  [[nodiscard]] const PartSchedule& messages() const { return messages_; }

 private:
  int packets_;
  PartSchedule messages_;
};

}  // namespace annelid::reference
