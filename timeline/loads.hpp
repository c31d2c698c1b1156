// The flits on every channel over time: all that the page shows of a run with very many packets.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "systemc/analysis/flit_sequence.hpp"
#include "systemc/network/config.hpp"

namespace annelid::timeline {

/// The messages of a step.
struct StepSpan {
  Cycle begin = kNever;  ///< the cycle of the first head that is injected
  Cycle end = 0;         ///< the cycle after the last tail that has arrived
  std::uint64_t messages = 0;
};

/// Time is cut into parts of equal length. A part is twice as long whenever there are too many.
class Loads {
 public:
  explicit Loads(const systemc::NetworkConfig& network);

  void add(const systemc::ChannelFlit& flit);
  /// Counts the head of a packet that is injected.
  void add_packet(Cycle cycle, const systemc::PacketInfo& info);
  /// Counts a packet whose tail has arrived.
  void add_arrival(Cycle cycle, const systemc::PacketInfo& info);

  /// Cycles of a part.
  [[nodiscard]] Cycle width() const { return Cycle{1} << shift_; }
  /// The first part begins in this cycle.
  [[nodiscard]] Cycle begin() const { return begin_; }
  /// Flits on a channel, by part. Parts behind the last flit may be missing.
  [[nodiscard]] const std::vector<std::uint32_t>& flits(NodeId node,
                                                        systemc::ChannelId channel) const {
    return flits_[node * systemc::kChannelsPerNode + channel];
  }
  [[nodiscard]] const std::map<std::uint32_t, StepSpan>& steps() const { return steps_; }
  [[nodiscard]] std::uint64_t messages() const { return messages_; }
  [[nodiscard]] std::uint64_t control_packets() const { return control_packets_; }
  /// Messages that have arrived.
  [[nodiscard]] std::uint64_t arrived() const { return arrived_; }

 private:
  void make_longer();

  std::size_t most_parts_;
  Cycle begin_ = kNever;
  unsigned shift_ = 0;
  std::vector<std::vector<std::uint32_t>> flits_;
  std::map<std::uint32_t, StepSpan> steps_;
  std::uint64_t messages_ = 0, control_packets_ = 0, arrived_ = 0;
};

}  // namespace annelid::timeline
