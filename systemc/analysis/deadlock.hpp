// Explains why nothing moves: builds the wait-for graph of channels and packets from the routers'
// registers.
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

/// An input VC of a router's switches. It is the far end of a channel: output -x of the next node
/// feeds (node, +x), and injection channel l feeds (node, local l). In a one-port router the
/// through ports are the ends of the injection and internal channels.
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
    kRoom,         ///< a place in `on`, the full next buffer on its path
    kFlits,        ///< its own next flits, still in `on`, the previous buffer on its path
    kNicDrain,     ///< the NIC, to drain ejection channel `output`
    kNicInjection  ///< the NIC, to inject the rest of the packet
  };
  ChannelEnd waiting;
  For what = For::kVc;
  ChannelEnd on;    ///< not used if it waits for the NIC
  Port output = 0;  ///< of waiting.node: the output it wants (kVc, kRoom, kNicDrain)
  Vc output_vc = 0;
  /// The packet at the front of `waiting`, if the registers or the namer know it.
  std::optional<HeadFields> packet = {};
};

struct StallReport {
  bool cycle = false;       ///< packets wait on each other; otherwise the chain ends at a NIC
  std::vector<Wait> waits;  ///< each wait's `on` is the next one's `waiting`; a cycle closes
  /// For a cycle: its channels, each held by a packet that asks for the next. They also form a
  /// cycle of the channel-dependency graph.
  std::vector<ChannelClass> channels;
  /// A line for each wait, up to kStallLines, then the number of further waits. Empty if no packet
  /// is blocked for good.
  std::string text;
};
inline constexpr std::size_t kStallLines = 16;

/// Names the packet at the front of a channel where the registers cannot, because a body flit does
/// not identify its packet. An example is PacketTracker::front.
using PacketNamer = std::function<std::optional<HeadFields>(const ChannelEnd&)>;

/// Explains a stall from the registers of all routers, by node, all of the same cycle. It assumes
/// that the NICs eventually drain and inject. Packets that can still never move then wait in a
/// cycle, and one such cycle is reported. Otherwise the longest chain of waits, which ends at a
/// NIC, is reported. A flit or credit that is still under way may change something, so its channel
/// counts as moving. In the ideal network packets do not wait on each other, and the report is
/// empty. Takes time proportional to the number of nodes and blocked packets.
[[nodiscard]] StallReport explain_stall(const NetworkConfig& config,
                                        std::span<const RouterState> states,
                                        const PacketNamer& namer = {});

}  // namespace annelid::systemc
