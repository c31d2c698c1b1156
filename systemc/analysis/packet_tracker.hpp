// Follows every packet through the network, and finds the packets that each blocked flit waits for.
// Contention is counted from this.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "systemc/analysis/event_list.hpp"
#include "systemc/network/config.hpp"
#include "systemc/network/observer.hpp"

namespace annelid::systemc {

/// A packet's index in PacketTracker::packets().
using PacketId = std::uint32_t;

/// Cycles in which the front flit of an input VC was blocked, by the packet that was in its way. If
/// several packets were in its way, the first category that applies counts: same step, other step,
/// other call, control. Messages of different calls have different tags.
struct BlockedCycles {
  std::uint64_t same_step = 0;           ///< stepwise contention: a message of the same step
  std::uint64_t same_step_ejection = 0;  ///< the part of these before an ejection channel
  std::uint64_t other_step = 0;          ///< depth contention: a message of another step
  std::uint64_t other_call = 0;          ///< a message of another call
  std::uint64_t control = 0;             ///< a packet of the NICs' own protocol
  std::uint64_t back_pressure = 0;       ///< its own flits ahead had no room: contention elsewhere
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
  NodeId node = 0;  ///< the node that injected it, on port `local`
  Port local = 0;
  Cycle injected = 0;             ///< cycle in which the head is on the injection channel
  Cycle head_ejected = kNever;    ///< cycle in which the head is on the ejection channel
  Cycle tail_ejected = kNever;    ///< cycle in which the tail is on the ejection channel
  std::uint32_t flits = 0;        ///< injected so far
  std::uint32_t hops = 0;         ///< external channels that the head has crossed
  BlockedCycles blocked;          ///< summed over all its flits
  std::vector<Blocker> blockers;  ///< in the order in which they first got in the way
  friend bool operator==(const PacketRecord&, const PacketRecord&) = default;
};

/// Sums over the messages of a step, or over all control packets.
struct StepStatistics {
  std::uint64_t messages = 0, flits = 0, hops = 0;
  std::uint64_t bytes = 0;        ///< of all messages
  std::uint64_t longest = 0;      ///< bytes of the longest message
  std::uint64_t busiest = 0;      ///< messages that crossed the busiest channel between routers
  Cycle first_injected = kNever;  ///< the earliest head
  Cycle last_ejected = 0;         ///< the latest tail so far
  BlockedCycles blocked;          ///< flit-cycles
  StepStatistics& operator+=(const PacketRecord& packet);
};

/// Follows packets and assigns the blame for each blocked flit
/// (docs/internals/microarchitecture.md, section 8), with owners and credits as of the start of the
/// cycle:
///  - lost_switch: the packet that was granted the output (with four stages, for a head: a VC of
///    the output). If there was none, the packet that its own input was granted to. If the input
///    has no grant either, the other packets that lost at the input with it;
///  - no_vc: the packets that own the VCs open to it;
///  - no_credit, for a head: of the VCs open to it that are free, the packets that used them last
///    and still fill the buffers behind;
///  - no_credit, for a body or tail flit: its own packet.
///
/// Events are collected for a cycle and judged when the next one begins, so the order of events
/// within a cycle does not matter. The tracker must observe the run from its first cycle on.
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
  void all_granted(Cycle, std::span<const SentFlit>) override;
  void all_moved(Cycle, std::span<const SentFlit>) override;
  [[nodiscard]] bool takes_repeats() const override { return true; }
  void repeated(Cycle cycles) override { times_ += cycles; }

  /// Forgets all that it has seen. Only while the network is empty.
  void restart();
  /// Judges the last cycle. Call it at the end of the run, before the functions below.
  void flush();

  /// All packets in the order of injection: cycle, node, port.
  [[nodiscard]] const std::vector<PacketRecord>& packets() const { return packets_; }
  /// Sums by the steps' labels, without control packets: of all messages, or of those with a tag.
  [[nodiscard]] std::map<std::uint32_t, StepStatistics> steps() const;
  [[nodiscard]] std::map<std::uint32_t, StepStatistics> steps(std::uint16_t tag) const;
  [[nodiscard]] StepStatistics control() const;
  /// Flits that a router sent on output `out`, or that were on an injection channel.
  [[nodiscard]] std::uint64_t channel_load(NodeId node, Port out) const;
  [[nodiscard]] std::uint64_t injection_load(NodeId node, Port local) const;
  /// The packet at the front of an input VC, as of the last flush.
  [[nodiscard]] std::optional<PacketId> front(NodeId node, Port in, Vc vc) const;

 private:
  static constexpr PacketId kNone = ~PacketId{0};
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0}, kEjects = kUnknown - 1;
  static constexpr std::uint32_t kNoMore = ~std::uint32_t{0};

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
  static bool is_body(const SentFlit& e) { return !e.flit.head && !e.flit.tail; }
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
    PacketId front = kNone;        // the first packet, mostly the only one
    bool active = false;           // it holds an output VC
    std::vector<PacketId> behind;  // the others, to the latest arrival
    void push(PacketId id) {
      if (front == kNone) {
        front = id;
      } else {
        behind.push_back(id);
      }
    }
    void pop() {
      if (behind.empty()) {
        front = kNone;
      } else {
        front = behind.front();
        behind.erase(behind.begin());
      }
    }
    [[nodiscard]] PacketId latest() const { return behind.empty() ? front : behind.back(); }
  };
  /// The winners of the judged cycle, by port: places in the list of their events. Where none won,
  /// anything.
  struct Winners {
    std::vector<std::uint32_t> output, input;
  };
  struct OutputVc {
    PacketId owner = kNone, last_user = kNone;
  };
  struct Output {
    std::uint64_t load = 0;             // flits sent
    PacketId in_switch = kNone;         // pipelined: the packet of the last granted flit
    std::uint32_t next = kUnknown;      // the index of the first VC that it leads to, or kEjects
    std::uint32_t crossings = kNoMore;  // the latest head that it sent to another router
  };
  /// A head that crossed a channel between routers.
  struct Crossing {
    PacketId packet;
    std::uint32_t before;  // the head before it on the same channel
  };

  [[nodiscard]] std::size_t port_index(NodeId node, Port port) const {
    return std::size_t{node} * ports_ + port;
  }
  [[nodiscard]] std::size_t vc_index(NodeId node, Port port, Vc vc) const {
    return port_index(node, port) * vcs_ + vc;
  }
  [[nodiscard]] static PacketId front_of(const InputVc& input) {
    if (input.front == kNone) [[unlikely]]
      fail("an event of a packet whose head was never seen");
    return input.front;
  }
  [[nodiscard]] PacketId front_packet(NodeId node, Port in, Vc vc) const {
    return front_of(inputs_[vc_index(node, in, vc)]);
  }
  [[noreturn]] static void fail(const char* what);
  /// Where a flit gets to from its output.
  [[nodiscard]] InputVc& next_input(const SentFlit& event, Output& output);

  /// A flit is sent in the cycle after its grant.
  [[nodiscard]] bool is_pipelined() const { return config_.router.stages > 1 || config_.ideal; }
  /// The node whose output an event concerns. For the ideal network's crossbar it is the packet's
  /// destination.
  template <typename Event>
  [[nodiscard]] NodeId output_node(const Event& e) const {
    if (!config_.ideal) return e.node;
    return config_.id(packets_[front_packet(e.node, e.in, e.in_vc)].info.head.destination);
  }
  void begin(Cycle cycle);
  [[nodiscard]] const EventList<SentFlit>& grants() const {
    return is_pipelined() ? granted_events_ : moved_events_;
  }
  void begin_event(Cycle cycle);
  void judge();
  void judge_events();
  void judge_blocked();
  template <typename Event>
  void note(Winners& winners, const EventList<Event>& events);
  template <typename Event>
  [[nodiscard]] PacketId winner(const Winners& winners, const EventList<Event>& events,
                                const BlockedEvent& lost) const;
  void find_blockers(const BlockedEvent& event);
  void add_losers(const BlockedEvent& event);
  void add_losers_at_output(const BlockedEvent& event);
  void count(const BlockedEvent& event, PacketRecord& packet);
  template <typename Wanted>
  [[nodiscard]] std::map<std::uint32_t, StepStatistics> steps_of(Wanted wanted) const;
  PacketId send(const SentFlit& event, std::size_t out);
  void arrive(const SentFlit& event, Output& output, PacketId id);
  void enter_all();
  void enter(const InjectedEvent& event, const PacketEvent*& known);

  NetworkConfig config_;
  std::size_t ports_, vcs_;
  Cycle cycle_ = 0;
  Cycle times_ = 1;  // how many cycles have the events of cycle_
  bool any_events_ = false;
  bool any_lost_ = false;  // a flit lost to a winner
  EventList<PacketEvent> packet_events_;
  EventList<InjectedEvent> injected_events_;
  EventList<SentFlit> granted_events_;  // with one stage: those of moved_events_
  EventList<SentFlit> moved_events_;
  EventList<AllocatedEvent> allocated_events_;
  EventList<BlockedEvent> blocked_events_;
  std::vector<PacketId> stopped_;  // by their own flits ahead: the most frequent cause

  std::vector<PacketRecord> packets_;
  std::vector<InputVc> inputs_;
  std::vector<OutputVc> output_vcs_;
  std::vector<Output> outputs_;
  std::vector<std::uint64_t> injection_load_;
  std::vector<Crossing> crossings_;
  Winners switch_winners_, vc_winners_;
  std::vector<PacketId> blockers_;  // for one event; a member so that its memory is reused
};

}  // namespace annelid::systemc
