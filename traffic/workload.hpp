// The interface of all packet generators.
#pragma once

#include "traffic/packet.hpp"

namespace annelid::traffic {

/// Takes the packets that a workload creates.
class PacketSink {
 public:
  virtual ~PacketSink() = default;
  /// Sends a packet in the current cycle, and returns its id. `source` and `destination` differ;
  /// `flits` is at least 1.
  virtual std::uint64_t send(NodeId source, NodeId destination, std::uint32_t flits) = 0;
};

class Workload {
 public:
  virtual ~Workload() = default;
  /// The first cycle >= `from` in which a packet may be created. kNever if none is created before
  /// another packet is ejected.
  [[nodiscard]] virtual Cycle next(Cycle from) const = 0;
  /// Creates the packets of cycle `now`. Calls come with ascending cycles, and at least in the
  /// cycles that next() names.
  virtual void create(Cycle now, PacketSink& sink) = 0;
  /// Called when the tail of a packet is on its ejection channel, in cycle packet.tail_ejected. The
  /// call may change what next() returns for later cycles. Within a cycle the order of calls is
  /// undefined.
  virtual void ejected(const Packet& /*packet*/) {}
  /// Whether ejected() may do so.
  [[nodiscard]] virtual bool reacts() const { return true; }
};

}  // namespace annelid::traffic
