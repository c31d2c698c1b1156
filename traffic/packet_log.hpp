// A record of every packet: its times and hops, and where it was blocked.
#pragma once

#include <functional>
#include <iosfwd>
#include <ostream>
#include <unordered_map>
#include <vector>

#include "systemc/network/config.hpp"
#include "systemc/network/observer.hpp"
#include "traffic/packet.hpp"

namespace annelid::traffic {

/// Finds the packet with this tag that a source has injected and that is not completely ejected;
/// null if there is none (Endpoints::in_flight).
using InFlightPacket = std::function<const Packet*(NodeId source, std::uint16_t tag)>;

/// Follows packets through the buffers. It must be an observer of both the fabric and the endpoints
/// from the first cycle on.
class PacketLog final : public systemc::FabricObserver, public PacketObserver {
 public:
  PacketLog(const systemc::NetworkConfig& network, InFlightPacket in_flight);

  void injected(Cycle, NodeId, Port local, const systemc::Flit&) override;
  void granted(Cycle, NodeId, Port in, Vc in_vc, Port out, const systemc::Flit&) override;
  void moved(Cycle, NodeId, Port in, Vc in_vc, Port out, const systemc::Flit&) override;
  void blocked(Cycle, NodeId, Port in, Vc in_vc, Port out, systemc::BlockCause) override;
  void ejected(const Packet& packet) override;

  /// Writes a line of titles, then one line for each packet whose tail was ejected, sorted by id:
  ///
  ///     id,source,destination,flits,created,injected,head_ejected,tail_ejected,hops,blocked,where
  ///     17,3,12,8,120,121,125,133,3,5,3 +y 2;11 ej0 3
  ///
  /// Nodes are numbers, times are cycles. `blocked` counts the flit-cycles in which a flit of the
  /// packet was at the front of a buffer and did not move. `where` splits that count by the channel
  /// that the flit wanted, in the order of first occurrence.
  void write(std::ostream& out) const;

 private:
  struct Place {
    NodeId node;
    Port out;
    std::uint64_t cycles;
  };
  struct Journey {
    NodeId destination = 0;
    std::uint32_t hops = 0;
    std::vector<Place> blocked;
  };
  struct Record {
    Packet packet;
    Journey journey;
  };
  /// A packet in flight, by its source and tag.
  using Key = std::uint64_t;
  [[nodiscard]] static Key key(const Packet& packet) {
    return std::uint64_t{packet.source} << 16 | (packet.tag & 0xffff);
  }

  void leave(NodeId node, Port in, Vc in_vc, Port out, const systemc::Flit& flit);

  [[nodiscard]] std::vector<Key>& buffer(NodeId node, Port in, Vc vc) {
    return buffers_[(std::size_t{node} * ports_ + in) * kMaxVcs + vc];
  }

  systemc::NetworkConfig config_;
  InFlightPacket in_flight_;
  std::size_t ports_;
  std::vector<std::vector<Key>> buffers_;      // by input VC, the packet at the front first
  std::unordered_map<Key, Journey> journeys_;  // packets in flight
  std::vector<Record> records_;
};

}  // namespace annelid::traffic
