// The journey of every packet of a run: which channels it took, when its flits were on them, and
// where its head waited, for whom.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "systemc/analysis/flit_sequence.hpp"
#include "systemc/network/config.hpp"

namespace annelid::timeline {

/// A packet's place in RecordedRun::journeys: the order of injection (cycle, node, port). It is not
/// the number that people see: that is Journey::number.
using JourneyId = std::uint32_t;
inline constexpr JourneyId kNobody = ~JourneyId{0};

/// Flits of a packet on a channel in consecutive cycles.
struct Burst {
  Cycle first = 0;
  std::uint32_t flits = 0;
  [[nodiscard]] Cycle end() const { return first + flits; }
  friend bool operator==(const Burst&, const Burst&) = default;
};

/// Why a head did not go on. Numbers are those of the page's data.
enum class WaitCause : std::uint8_t {
  kBehind = 0,   ///< the packet before it in its own buffer was not gone
  kChannel = 1,  ///< the channel that it wanted carried another packet's flit, or was held for one
  kInput = 2,    ///< another virtual channel of its own input went first
  kRoom = 3,     ///< the buffer behind the channel was still full of another packet's flits
  kOther = 4,    ///< none of these can be seen
};

struct Wait {
  WaitCause cause = WaitCause::kOther;
  JourneyId packet = kNobody;  ///< that it waited for
  std::uint64_t cycles = 0;
  friend bool operator==(const Wait&, const Wait&) = default;
};

/// A channel on a packet's path: the injection channel first, then what routers sent it by.
struct Hop {
  NodeId node = 0;  ///< that sends on the channel
  systemc::ChannelId channel = 0;
  Vc vc = 0;
  std::vector<Burst> bursts;  ///< never empty, in order
  std::vector<Wait> waits;    ///< of the head, before it was on this channel
  bool held = false;          ///< the run ended before the tail was on this channel

  [[nodiscard]] Cycle head() const { return bursts.front().first; }
  /// The cycle after that of the last flit.
  [[nodiscard]] Cycle end() const { return bursts.back().end(); }
  [[nodiscard]] std::uint64_t flits() const;
  [[nodiscard]] std::uint64_t waited() const;
};

struct Journey {
  systemc::PacketInfo info;  ///< step and bytes are 0 where the NIC told nothing
  /// From 1 in the order of injection: among the messages, as `annelid wave --list` numbers them;
  /// of a control packet among the control packets.
  std::uint32_t number = 0;
  bool arrived = false;  ///< its tail was on an ejection channel
  std::vector<Hop> hops;

  [[nodiscard]] NodeId from(const systemc::NetworkConfig& n) const {
    return n.id(info.head.source);
  }
  [[nodiscard]] NodeId to(const systemc::NetworkConfig& n) const {
    return n.id(info.head.destination);
  }
  [[nodiscard]] std::uint64_t waited() const;
  /// "17", of a control packet "c3".
  [[nodiscard]] std::string number_text() const;
};

/// Who used a channel's VC.
struct Use {
  JourneyId journey = 0;
  std::uint32_t hop = 0;
};

/// A packet that waits for good when the run ends: at this node, for one of its channels.
struct Stop {
  JourneyId packet = kNobody;
  NodeId node = 0;
  systemc::ChannelId wanted = 0;
  friend bool operator==(const Stop&, const Stop&) = default;
};

/// Packets of which each waits for the next; in a circle the last one waits for the first.
struct Stall {
  bool circle = false;
  Cycle since = 0;  ///< no flit moved from here on
  std::vector<Stop> stops;
};

struct RecordedRun {
  std::string title;         ///< "edn-broadcast-8x8: edn broadcast from node 2,0 of the 8x8 mesh"
  std::string network_text;  ///< "8x8 mesh; router: all-port, 4 local ports, 1 VC of 4 flits"
  systemc::NetworkConfig network;
  std::vector<Journey> journeys;
  Cycle begin = 0, end = 0;  ///< all flits are in [begin, end)
  Stall stall;               ///< of a run that ended in a deadlock
  /// By place(), in the order of their heads: no two of them overlap.
  std::vector<std::vector<Use>> uses;

  [[nodiscard]] std::size_t vcs() const;
  [[nodiscard]] std::size_t place(NodeId node, systemc::ChannelId channel, Vc vc) const {
    return (std::size_t{node} * systemc::kChannelsPerNode + channel) * vcs() + vc;
  }
  [[nodiscard]] const Hop& hop(Use use) const { return journeys[use.journey].hops[use.hop]; }
};

/// Cycles that a head takes from a channel to the next one if nothing is in its way
/// (docs/internals/microarchitecture.md, sections 6 and 9).
[[nodiscard]] Cycle transit(const systemc::NetworkConfig& network, systemc::ChannelId from);

/// Collects journeys from flits: those of a simulation, or the lines of a flit log. Both give the
/// same, so of packets with the same head at the same node the one that came first goes first.
class JourneyRecorder final : public systemc::FlitSequence {
 public:
  explicit JourneyRecorder(const systemc::NetworkConfig& network);

  /// Throws std::invalid_argument for a flit that cannot follow the ones before it.
  void flit(const systemc::ChannelFlit& flit) override;
  /// All that was recorded, without waits: find_waits() adds them. Leaves the recorder empty.
  [[nodiscard]] RecordedRun take();

 private:
  void begin_hop(const systemc::ChannelFlit& flit, JourneyId id);
  [[nodiscard]] JourneyId find_head(const systemc::ChannelFlit& flit) const;
  [[nodiscard]] bool is_at(const Journey& journey, NodeId node) const;

  RecordedRun run_;
  std::uint32_t messages_ = 0, control_packets_ = 0;
  std::vector<Use> open_;  // by place: whose tail has not come; journey kNobody if nobody's
  std::unordered_map<std::uint64_t, std::vector<JourneyId>> in_flight_;  // by the head's data
};

}  // namespace annelid::timeline
