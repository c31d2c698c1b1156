// The flits of a run, channel by channel, in an order that does not depend on the order of events
// in a cycle.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "systemc/network/config.hpp"
#include "systemc/network/observer.hpp"

namespace annelid::systemc {

/// A channel of the node that sends on it: a switch output of the router (section 2 of
/// docs/internals/microarchitecture.md), or kMaxPorts + l for injection channel l of the NIC.
using ChannelId = std::uint8_t;
inline constexpr ChannelId kFirstInjection = kMaxPorts;
/// An upper bound of the number of channels of a node.
inline constexpr unsigned kChannelsPerNode = 32;

/// "+x", "ej0", "inj0" and so on.
[[nodiscard]] std::string channel_name(const RouterConfig& router, ChannelId channel);

/// A flit on a channel.
struct ChannelFlit {
  Cycle cycle = 0;
  NodeId node = 0;
  ChannelId channel = 0;
  Flit flit;
  const PacketInfo* info = nullptr;  ///< for a head on an injection channel, if the NIC reported it
};

/// Passes flits to the derived class, sorted by cycle, node and channel. So equal runs give equal
/// sequences.
class FlitSequence : public FabricObserver {
 public:
  void packet(Cycle cycle, NodeId node, Port local, const PacketInfo& info) final;
  void injected(Cycle cycle, NodeId node, Port local, const Flit& flit) final;
  void moved(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out, const Flit& flit) final;

  /// Takes the next flit. The flits of a cycle are passed on when the first event of a later cycle
  /// comes.
  virtual void flit(const ChannelFlit& flit) = 0;

 protected:
  /// Passes on the flits of the latest cycle.
  void end_cycle();

 private:
  struct Entry {
    std::uint64_t place;  // node * kChannelsPerNode + channel: the order within a cycle
    Flit flit;
  };

  void begin(Cycle cycle);

  Cycle cycle_ = 0;
  std::vector<Entry> entries_;                                 // of cycle_
  std::vector<std::pair<std::uint64_t, PacketInfo>> packets_;  // likewise, by place
};

}  // namespace annelid::systemc
