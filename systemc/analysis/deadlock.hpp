// Why nothing moves: the wait-for graph of channels and packets, from the routers' registers.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "systemc/network/channel_dependencies.hpp"
#include "systemc/network/config.hpp"
#include "systemc/network/router_state.hpp"

namespace annelid::systemc {

/// An input VC of a router's switches. It is the far end of a channel: (node, +x) is fed by output
/// -x of the node beyond, (node, local l) by injection channel l; in a one-port router the through
/// ports are the ends of the injection and internal channels.
struct ChannelEnd {
  NodeId node = 0;
  Port in = 0;
  Vc vc = 0;
  friend bool operator==(const ChannelEnd&, const ChannelEnd&) = default;
};

/// What the packet at the front of a channel waits for.
struct Wait {
  enum class For : std::uint8_t {
    kVc,           ///< an output VC that the packet in `on` owns
    kRoom,         ///< a place in the full buffer `on`, the next on its path
    kFlits,        ///< its own next flits, still in `on`, the buffer before on its path
    kNicDrain,     ///< the NIC, to drain ejection channel `output`
    kNicInjection  ///< the NIC, to inject the rest of the packet
  };
  ChannelEnd waiting;
  For what = For::kVc;
  ChannelEnd on;    ///< not for the NIC's two
  Port output = 0;  ///< of waiting.node: the output that is wanted (for kVc, kRoom, kNicDrain)
  Vc output_vc = 0;
  /// At the front of `waiting`, if the registers or the namer know it.
  std::optional<HeadFields> packet = {};
};

struct StallReport {
  bool cycle = false;       ///< packets wait on each other; otherwise the chain ends at a NIC
  std::vector<Wait> waits;  ///< each wait's `on` is the next one's `waiting`; a cycle closes
  /// Of a cycle: the channels, each held by a packet that asks for the next. They are a cycle of
  /// the channel-dependency graph as well.
  std::vector<ChannelClass> channels;
  /// A line for each wait, up to kStallLines, and how many more; empty if no packet is blocked for
  /// good.
  std::string text;
};
inline constexpr std::size_t kStallLines = 16;

/// Names the packet at the front of a channel where the registers cannot (a body flit does not say
/// whose it is): PacketTracker::front, for example.
using PacketNamer = std::function<std::optional<HeadFields>(const ChannelEnd&)>;

/// Explains a stall from the routers' registers, by node, all of the same cycle. It assumes that
/// the NICs drain and inject in the end. Then packets that can never move wait in a cycle, and one
/// such cycle is reported. Otherwise the longest chain of waits is reported, which ends at a NIC. A
/// flit or credit that is still under way may change something, so its channel counts as one that
/// moves. In the ideal network no packets wait on each other, and the report is empty. Takes time
/// proportional to the nodes and the blocked packets.
[[nodiscard]] StallReport explain_stall(const NetworkConfig& config,
                                        std::span<const RouterState> states,
                                        const PacketNamer& namer = {});

}  // namespace annelid::systemc
