// Follows every packet through the network, and finds out which packets each blocked flit waits
// for. This is how contention is counted.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "systemc/network/config.hpp"
#include "systemc/network/observer.hpp"

namespace annelid::systemc {

/// A packet's place in PacketTracker::packets().
using PacketId = std::uint32_t;

/// Cycles in which the front flit of an input VC was blocked, by the packet that was in its way. If
/// several packets were, the first of these that applies counts: same step, other step, control.
struct BlockedCycles {
  std::uint64_t same_step = 0;           ///< stepwise contention: a message of the same step
  std::uint64_t same_step_ejection = 0;  ///< of those, before an ejection channel
  std::uint64_t other_step = 0;          ///< depth contention: a message of another step
  std::uint64_t control = 0;             ///< a packet of the NICs' own protocol
  std::uint64_t back_pressure = 0;  ///< its own flits ahead had no room: contention seen elsewhere
  BlockedCycles& operator+=(const BlockedCycles& other);
  friend bool operator==(const BlockedCycles&, const BlockedCycles&) = default;
};

/// A packet that blocked another, and for how many cycles.
struct Blocker {
  PacketId packet = 0;
  std::uint64_t cycles = 0;
  friend bool operator==(const Blocker&, const Blocker&) = default;
};

struct PacketRecord {
  PacketInfo info;
  NodeId node = 0;  ///< that injected it, on port `local`
  Port local = 0;
  Cycle injected = 0;             ///< the head is on the injection channel
  Cycle head_ejected = kNever;    ///< the head is on the ejection channel
  Cycle tail_ejected = kNever;    ///< the tail is
  std::uint32_t flits = 0;        ///< injected so far
  std::uint32_t hops = 0;         ///< external channels that the head has crossed
  BlockedCycles blocked;          ///< of all its flits
  std::vector<Blocker> blockers;  ///< in the order in which they first were in the way
  friend bool operator==(const PacketRecord&, const PacketRecord&) = default;
};

/// Sums over the messages of a step, or over all control packets.
struct StepStatistics {
  std::uint64_t messages = 0, flits = 0, hops = 0;
  Cycle first_injected = kNever;  ///< of the heads
  Cycle last_ejected = 0;         ///< of the tails that have been
  BlockedCycles blocked;          ///< flit-cycles
  StepStatistics& operator+=(const PacketRecord& packet);
};

/// The packets that it blames for a blocked flit (docs/internals/microarchitecture.md, section 8),
/// with owners and credits as of the start of the cycle:
///  - lost_switch: the packet that was granted the output (with four stages, to a head: a VC of the
///    output); if none was, the one that its own input was granted to; if that has no grant
///    either, the others that lost at the input with it;
///  - no_vc: the packets that own the VCs open to it;
///  - no_credit, head: the packets that used the open VCs that are free last and still fill the
///    buffers behind;
///  - no_credit, body or tail: itself.
///
/// Events are collected for a cycle and judged when the next one begins, so the order of events
/// within a cycle does not matter. Must see the run from its beginning.
class PacketTracker final : public FabricObserver {
 public:
  explicit PacketTracker(const NetworkConfig& config);

  void cycle(Cycle cycle) override { begin(cycle); }
  void packet(Cycle, NodeId, Port local, const PacketInfo&) override;
  void injected(Cycle, NodeId, Port local, const Flit&) override;
  void allocated(Cycle, NodeId, Port in, Vc in_vc, Port out, Vc out_vc) override;
  void granted(Cycle, NodeId, Port in, Vc in_vc, Port out, const Flit&) override;
  void moved(Cycle, NodeId, Port in, Vc in_vc, Port out, const Flit&) override;
  void blocked(Cycle, NodeId, Port in, Vc in_vc, Port out, BlockCause) override;

  /// Judges the last cycle. Call it at the end of the run, before reading what follows.
  void flush();

  /// In the order of injection: cycle, node, port.
  [[nodiscard]] const std::vector<PacketRecord>& packets() const { return packets_; }
  /// By the steps' labels; control packets are apart.
  [[nodiscard]] std::map<std::uint32_t, StepStatistics> steps() const;
  [[nodiscard]] StepStatistics control() const;
  /// Flits that a router sent by output `out`; flits on an injection channel.
  [[nodiscard]] std::uint64_t channel_load(NodeId node, Port out) const;
  [[nodiscard]] std::uint64_t injection_load(NodeId node, Port local) const;
  /// The packet that the front of an input VC belongs to, as of the last flush.
  [[nodiscard]] std::optional<PacketId> front(NodeId node, Port in, Vc vc) const;

 private:
  static constexpr PacketId kNone = ~PacketId{0};

  struct PacketEvent {
    NodeId node;
    Port local;
    PacketInfo info;
  };
  struct InjectedEvent {
    NodeId node;
    Port local;
    Flit flit;
  };
  struct MovedEvent {
    NodeId node;
    Port in;
    Vc in_vc;
    Port out;
    Flit flit;
  };
  struct AllocatedEvent {
    NodeId node;
    Port in;
    Vc in_vc;
    Port out;
    Vc out_vc;
  };
  struct BlockedEvent {
    NodeId node;
    Port in;
    Vc in_vc;
    Port out;
    BlockCause cause;
  };
  struct InputVc {
    std::vector<PacketId> packets;  // from the one at the front to the one that entered last
    bool active = false;            // the first one holds an output VC
  };
  struct OutputVc {
    PacketId owner = kNone, last_user = kNone;
  };

  [[nodiscard]] std::size_t port_index(NodeId node, Port port) const {
    return std::size_t{node} * ports_ + port;
  }
  [[nodiscard]] std::size_t vc_index(NodeId node, Port port, Vc vc) const {
    return port_index(node, port) * vcs_ + vc;
  }
  [[nodiscard]] PacketId front_packet(NodeId node, Port in, Vc vc) const;

  /// A flit is sent in the cycle after its grant.
  [[nodiscard]] bool is_pipelined() const { return config_.router.stages > 1 || config_.ideal; }
  /// The node whose output an event is about: of the ideal network's crossbar the packet's
  /// destination.
  template <typename Event>
  [[nodiscard]] NodeId output_node(const Event& e) const {
    if (!config_.ideal) return e.node;
    return config_.id(packets_[front_packet(e.node, e.in, e.in_vc)].info.head.destination);
  }
  void begin(Cycle cycle);
  void judge();
  void judge_blocked();
  void find_blockers(const BlockedEvent& event);
  void add_losers(const BlockedEvent& event);
  void count(const BlockedEvent& event, PacketRecord& packet);
  void send(const MovedEvent& event);
  void arrive(const MovedEvent& event);
  void enter(const InjectedEvent& event);

  NetworkConfig config_;
  std::size_t ports_, vcs_;
  Cycle cycle_ = 0;
  std::vector<PacketEvent> packet_events_;
  std::vector<InjectedEvent> injected_events_;
  std::vector<MovedEvent> granted_events_, moved_events_;
  std::vector<AllocatedEvent> allocated_events_;
  std::vector<BlockedEvent> blocked_events_;

  std::vector<PacketRecord> packets_;
  std::vector<InputVc> inputs_;
  std::vector<OutputVc> outputs_;
  std::vector<std::uint64_t> load_, injection_load_;
  /// The winners of the cycle that is judged, by port.
  struct Winners {
    std::vector<PacketId> output, input;
  };
  Winners switch_winners_, vc_winners_;
  std::vector<PacketId> in_switch_;  // by output: the packet of the flit that was granted last
  std::vector<PacketId> blockers_;   // of one event; a member to keep its memory
};

}  // namespace annelid::systemc
