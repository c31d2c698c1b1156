// The interface of all packet generators.
#pragma once

#include "base/exchange.hpp"
#include "traffic/packet.hpp"

namespace annelid::traffic {

/// Takes the packets that a workload creates.
class PacketSink {
 public:
  virtual ~PacketSink() = default;
  /// Sends a packet in the current cycle, and returns its id. `source` and `destination` differ;
  /// `flits` is at least 1. The packet that is ejected has this mark.
  virtual std::uint64_t send(NodeId source, NodeId destination, std::uint32_t flits,
                             std::uint32_t mark) = 0;
  std::uint64_t send(NodeId source, NodeId destination, std::uint32_t flits) {
    return send(source, destination, flits, 0);
  }
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

  // ---- Of one of several processes, whose sources are those of a slab
  /// Whether something has happened that may change next() in another process.
  [[nodiscard]] virtual bool has_news() const { return false; }
  /// Collective, after a cycle in which some process has news: tells all of them. `now`: the next
  /// cycle.
  virtual void share_news(Exchange& /*exchange*/, Cycle /*now*/) {}
};

}  // namespace annelid::traffic
