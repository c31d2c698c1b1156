// What a run reports while it happens: the raw material of flit logs, statistics and waveforms.
// Without an observer the fabric pays one predictable branch for each of these.
#pragma once

#include "systemc/network/flit.hpp"

namespace annelid::systemc {

/// Why the front flit of an input VC stayed where it was (docs/internals/microarchitecture.md,
/// section 8).
enum class BlockCause : std::uint8_t { kNoVc, kNoCredit, kLostSwitch };

/// What the NIC knows about a packet that it injects. The step label travels here, not in the
/// flits.
struct PacketInfo {
  HeadFields head;
  bool control = false;     ///< a packet of the NIC's own protocol, not a message of the schedule
  std::uint32_t bytes = 0;  ///< of the message
  std::uint32_t step = 0;   ///< the schedule's label of the message-passing step, 1 for the first
  friend bool operator==(const PacketInfo&, const PacketInfo&) = default;
};

/// Calls come in ascending order of cycles. Within a cycle their order is undefined.
class FabricObserver {
 public:
  virtual ~FabricObserver() = default;
  /// A cycle begins: nothing of it has happened, and every NodeRouter::state() shows the registers
  /// at its start. Cycles in which nothing can happen may be left out.
  virtual void cycle(Cycle) {}
  /// A NIC starts to inject a packet: its head is on injection channel `local` in this cycle.
  virtual void packet(Cycle, NodeId, Port /*local*/, const PacketInfo&) {}
  /// A flit is on the injection channel of node's local port (0..L-1).
  virtual void injected(Cycle, NodeId, Port /*local*/, const Flit&) {}
  /// VC allocation gives VC `out_vc` of an output to the head of an input VC. Four stages only.
  virtual void allocated(Cycle, NodeId, Port /*in*/, Vc /*in_vc*/, Port /*out*/, Vc /*out_vc*/) {}
  /// Switch allocation grants an output to an input VC: its flit leaves the FIFO at the end of this
  /// cycle. flit.vc is the output VC. With one stage this call is left out, as moved() says it.
  virtual void granted(Cycle, NodeId, Port /*in*/, Vc /*in_vc*/, Port /*out*/, const Flit&) {}
  /// The switch sends that flit: in the same cycle with one stage, in the next with more. In the
  /// ideal network, in the next too, NodeId is the node of the output, elsewhere that of the input.
  virtual void moved(Cycle, NodeId, Port /*in*/, Vc /*in_vc*/, Port /*out*/, const Flit&) {}
  /// The front flit of an input VC stays. `out` is the output port that it wants.
  virtual void blocked(Cycle, NodeId, Port /*in*/, Vc /*in_vc*/, Port /*out*/, BlockCause) {}
};

}  // namespace annelid::systemc
