// The interface of everything that creates packets.
#pragma once

#include "traffic/packet.hpp"

namespace annelid::traffic {

/// Takes the packets that a workload creates.
class PacketSink {
 public:
  virtual ~PacketSink() = default;
  /// A packet of this cycle; `source` and `destination` differ, `flits` is at least 1. Its id is
  /// the result.
  virtual std::uint64_t send(NodeId source, NodeId destination, std::uint32_t flits) = 0;
};

class Workload {
 public:
  virtual ~Workload() = default;
  /// The first cycle >= `from` in which there may be something to create. kNever if nothing is
  /// created before another packet is ejected.
  [[nodiscard]] virtual Cycle next(Cycle from) const = 0;
  /// Creates the packets of this cycle. Called with ascending cycles, at least in those that next()
  /// names.
  virtual void create(Cycle now, PacketSink& sink) = 0;
  /// The tail of a packet is on its ejection channel, in cycle packet.tail_ejected. The call may
  /// change what next() returns for later cycles. The calls of one cycle come in no defined order.
  virtual void ejected(const Packet& /*packet*/) {}
};

}  // namespace annelid::traffic
