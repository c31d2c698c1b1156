// What a run reports while it happens. Flit logs, statistics and waveforms are made from these
// calls. Without an observer, each costs the fabric one predictable branch.
#pragma once

#include <span>

#include "systemc/network/flit.hpp"

namespace annelid::systemc {

/// Why the front flit of an input VC stayed where it was (docs/internals/microarchitecture.md,
/// section 8).
enum class BlockCause : std::uint8_t { kNoVc, kNoCredit, kLostSwitch };

/// What the NIC knows about a packet that it injects. The step label is reported here; it is not in
/// the flits.
struct PacketInfo {
  HeadFields head;
  bool control = false;     ///< a packet of the NIC's own protocol, not a message of the schedule
  std::uint32_t bytes = 0;  ///< size of the message
  std::uint32_t step = 0;   ///< the schedule's label of the message-passing step, from 1
  friend bool operator==(const PacketInfo&, const PacketInfo&) = default;
};

/// The arguments of FabricObserver::granted and moved.
struct SentFlit {
  NodeId node;
  Port in;
  Vc in_vc;
  Port out;
  Flit flit;
};

/// Calls come in ascending order of cycles. Within a cycle their order is undefined.
class FabricObserver {
 public:
  virtual ~FabricObserver() = default;
  /// A cycle begins. No event of it has happened yet, and every NodeRouter::state() shows the
  /// registers at its start. Cycles in which nothing can happen may be skipped.
  virtual void cycle(Cycle) {}
  /// A NIC starts to inject a packet: its head is on injection channel `local` in this cycle.
  virtual void packet(Cycle, NodeId, Port /*local*/, const PacketInfo&) {}
  /// A flit is on the injection channel of node's local port (0..L-1).
  virtual void injected(Cycle, NodeId, Port /*local*/, const Flit&) {}
  /// VC allocation gives VC `out_vc` of an output to the head of an input VC. Only with four
  /// stages.
  virtual void allocated(Cycle, NodeId, Port /*in*/, Vc /*in_vc*/, Port /*out*/, Vc /*out_vc*/) {}
  /// Switch allocation grants an output to an input VC: its flit leaves the FIFO at the end of this
  /// cycle. flit.vc is the output VC. With one stage only moved() is called, which says the same.
  virtual void granted(Cycle, NodeId, Port /*in*/, Vc /*in_vc*/, Port /*out*/, const Flit&) {}
  /// The switch sends that flit: in the same cycle with one stage, in the next cycle with more
  /// stages and in the ideal network. NodeId is the node of the input, but in the ideal network
  /// that of the output.
  virtual void moved(Cycle, NodeId, Port /*in*/, Vc /*in_vc*/, Port /*out*/, const Flit&) {}
  /// The front flit of an input VC does not move. `out` is the output port that it wants.
  virtual void blocked(Cycle, NodeId, Port /*in*/, Vc /*in_vc*/, Port /*out*/, BlockCause) {}

  /// granted() or moved() for each of some flits of a cycle. An observer of many flits overrides
  /// them, because a call for each flit costs more than what it says.
  virtual void all_granted(Cycle cycle, std::span<const SentFlit> flits) {
    for (const SentFlit& f : flits) granted(cycle, f.node, f.in, f.in_vc, f.out, f.flit);
  }
  virtual void all_moved(Cycle cycle, std::span<const SentFlit> flits) {
    for (const SentFlit& f : flits) moved(cycle, f.node, f.in, f.in_vc, f.out, f.flit);
  }

  /// Whether repeated() may take the place of the calls above.
  [[nodiscard]] virtual bool takes_repeats() const { return false; }
  /// In each of the next `cycles` cycles the same happens as in the last one, with other body flits
  /// of the same packets.
  virtual void repeated(Cycle /*cycles*/) {}
};

}  // namespace annelid::systemc
