// The journey of every packet of a run: the channels that it took, the cycles of its flits on them,
// and where its head waited for which packet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "systemc/analysis/flit_sequence.hpp"
#include "systemc/network/config.hpp"
#include "timeline/loads.hpp"

namespace annelid::timeline {

/// A packet's index in RecordedRun::journeys, which is in the order of injection (cycle, node,
/// port). The number that people see is a different one: Journey::number.
using JourneyId = std::uint32_t;
inline constexpr JourneyId kNobody = ~JourneyId{0};

/// Flits of a packet on a channel in consecutive cycles.
struct Burst {
  Cycle first = 0;
  std::uint32_t flits = 0;
  [[nodiscard]] Cycle end() const { return first + flits; }
  friend bool operator==(const Burst&, const Burst&) = default;
};

/// Why a head did not move on. The page's data uses these numbers.
enum class WaitCause : std::uint8_t {
  kBehind = 0,   ///< the packet before it in its own buffer had not left yet
  kChannel = 1,  ///< the channel that it wanted carried another packet's flit, or was held for one
  kInput = 2,    ///< another virtual channel of its own input went first
  kRoom = 3,     ///< the buffer behind the channel was still full of another packet's flits
  kOther = 4,    ///< no cause above can be seen in the flits
};

struct Wait {
  WaitCause cause = WaitCause::kOther;
  JourneyId packet = kNobody;  ///< the packet that it waited for
  std::uint64_t cycles = 0;
  friend bool operator==(const Wait&, const Wait&) = default;
};

/// A channel on a packet's path. The first one is the injection channel, the others are outputs of
/// routers.
struct Hop {
  NodeId node = 0;  ///< the node that sends on the channel
  systemc::ChannelId channel = 0;
  Vc vc = 0;
  std::vector<Burst> bursts;  ///< never empty, in order
  std::vector<Wait> waits;    ///< waits of the head before it was on this channel
  bool held = false;          ///< the run ended before the tail was on this channel

  [[nodiscard]] Cycle head() const { return bursts.front().first; }
  /// The cycle after the last flit.
  [[nodiscard]] Cycle end() const { return bursts.back().end(); }
  [[nodiscard]] std::uint64_t flits() const;
  [[nodiscard]] std::uint64_t waited() const;
};

/// A head that still waits in a router when the run ends.
struct LastWait {
  NodeId node = 0;
  systemc::ChannelId wanted = 0;
  Cycle since = 0;
  WaitCause cause = WaitCause::kOther;
  JourneyId packet = kNobody;  ///< the packet that holds it at the end
  friend bool operator==(const LastWait&, const LastWait&) = default;
};

struct Journey {
  systemc::PacketInfo info;  ///< step and bytes are 0 if the NIC did not report them
  /// Counts from 1 in the order of injection. Messages and control packets are counted separately.
  /// For messages this is the number that `annelid wave --list` shows.
  std::uint32_t number = 0;
  bool arrived = false;  ///< its tail was on an ejection channel
  std::vector<Hop> hops;
  std::optional<LastWait> last_wait;  ///< not in the ideal network

  [[nodiscard]] NodeId from(const systemc::NetworkConfig& n) const {
    return n.id(info.head.source);
  }
  [[nodiscard]] NodeId to(const systemc::NetworkConfig& n) const {
    return n.id(info.head.destination);
  }
  [[nodiscard]] std::uint64_t waited() const;
  /// "17" for a message, "c3" for a control packet.
  [[nodiscard]] std::string number_text() const;
};

/// A packet's use of a VC of a channel.
struct Use {
  JourneyId journey = 0;
  std::uint32_t hop = 0;
};

/// A packet that is blocked for good when the run ends: it is at this node and waits for one of the
/// node's channels.
struct Stop {
  JourneyId packet = kNobody;
  NodeId node = 0;
  systemc::ChannelId wanted = 0;
  friend bool operator==(const Stop&, const Stop&) = default;
};

/// A chain of packets, each waiting for the next. In a cycle the last one waits for the first.
struct Stall {
  bool circle = false;
  Cycle since = 0;  ///< no flit moved from this cycle on
  std::vector<Stop> stops;
};

/// Cycles [begin, end) in which a core executes instructions. Between two spells it sleeps.
struct CoreSpell {
  Cycle begin = 0, end = 0;
  friend bool operator==(const CoreSpell&, const CoreSpell&) = default;
};

/// The cycles that a recording holds: from `begin` to `end`, both included.
struct Window {
  Cycle begin = 0, end = kNever;
  [[nodiscard]] bool is_whole() const { return begin == 0 && end == kNever; }
  friend bool operator==(const Window&, const Window&) = default;
};

struct RecordedRun {
  std::string title;         ///< "edn-broadcast-8x8: edn broadcast from node 2,0 of the 8x8 mesh"
  std::string network_text;  ///< "8x8 mesh; router: all-port, 4 local ports, 1 VC of 4 flits"
  systemc::NetworkConfig network;
  /// What a message is part of, by its tag: the names of calls. Empty if there is only one.
  std::vector<std::string> names_by_tag = {};
  std::vector<Journey> journeys;
  bool all_journeys = true;  ///< or only those of packets that are under way at the end
  /// By journey, 1 or 2: the tree that the message belongs to, or 0. Empty if the schedule has no
  /// trees.
  std::vector<std::uint8_t> trees = {};
  /// All flits are in [begin, end), and so are all spells of the cores. If there is nothing in the
  /// window, `end` is the cycle after the last flit before or behind it.
  Cycle begin = 0, end = 0;
  /// What was asked for. Packets that were under way before are in the run from their injection on.
  Window window = {};
  /// Filled if there are more packets than a page can show one by one.
  std::optional<Loads> loads = {};
  /// By node; empty if there are no cores.
  std::vector<std::vector<CoreSpell>> cores = {};
  Stall stall;  ///< filled if the run ended in a deadlock
  /// Indexed by place(), in the order of the heads. No two uses of the same VC overlap.
  std::vector<std::vector<Use>> uses;

  [[nodiscard]] std::size_t vcs() const;
  [[nodiscard]] std::size_t place(NodeId node, systemc::ChannelId channel, Vc vc) const {
    return (std::size_t{node} * systemc::kChannelsPerNode + channel) * vcs() + vc;
  }
  [[nodiscard]] const Hop& hop(Use use) const { return journeys[use.journey].hops[use.hop]; }
};

/// Cycles that a head takes from a channel to the next one if nothing delays it
/// (docs/internals/microarchitecture.md, sections 6 and 9).
[[nodiscard]] Cycle transit(const systemc::NetworkConfig& network, systemc::ChannelId from);

/// More packets than this are not shown one by one: their lines would cover all of the page.
inline constexpr std::size_t kMostPackets = 20'000;

/// What a JourneyRecorder keeps.
struct Recorded {
  Window window = {};
  /// Above this number of packets the journeys are dropped, and the loads of the channels stay.
  std::size_t most_packets = kMostPackets;
};

/// Collects journeys from flits, either of a simulation or from the lines of a flit log. Both give
/// the same result. To make this so, packets with the same head at the same node are matched first
/// in, first out.
class JourneyRecorder final : public systemc::FlitSequence {
 public:
  explicit JourneyRecorder(const systemc::NetworkConfig& network, const Recorded& recorded = {});

  /// Throws std::invalid_argument if the flit cannot follow the earlier ones.
  void flit(const systemc::ChannelFlit& flit) override;
  /// Returns everything recorded so far, and leaves the recorder empty. The waits are missing:
  /// find_waits() adds them.
  [[nodiscard]] RecordedRun take();

 private:
  [[nodiscard]] bool is_in_window(Cycle cycle) const { return cycle >= recorded_.window.begin; }
  [[nodiscard]] JourneyId inject(const systemc::ChannelFlit& flit);
  void begin_hop(const systemc::ChannelFlit& flit, JourneyId id);
  [[nodiscard]] JourneyId find_head(const systemc::ChannelFlit& flit) const;
  [[nodiscard]] bool is_at(const Journey& journey, NodeId node) const;
  void leave(const systemc::ChannelFlit& flit, JourneyId id);
  void forget_some(Cycle now);
  void forget_arrived(Cycle before);
  void forget_all();

  Recorded recorded_;
  RecordedRun run_;
  Loads loads_;
  bool too_many_ = false;      ///< journeys are kept no longer than they are needed
  std::size_t kept_ = 0;       ///< journeys when some were last forgotten
  std::size_t in_window_ = 0;  ///< packets that were injected in it
  Cycle begin_ = kNever, end_ = 0;
  std::uint32_t messages_ = 0, control_packets_ = 0;
  std::vector<Use> open_;  // by place: the use without its tail; kNobody if none
  std::unordered_map<std::uint64_t, std::vector<JourneyId>> in_flight_;  // by the head's data
};

}  // namespace annelid::timeline
