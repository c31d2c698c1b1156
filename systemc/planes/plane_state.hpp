// The state of a network in planes, shared by PlaneNetwork and the kernels for all processors
// (docs/internals/planes.md). It is plain data, for the reason that plane.hpp gives.
#pragma once

#include <cstddef>
#include <cstdint>

#include "systemc/network/types.hpp"

namespace annelid::systemc {

inline constexpr int kMostPlaneLanes = 16;
inline constexpr int kPlaneRouters = 64;  ///< routers per word
inline constexpr int kPlaneCounterBits = 40;
/// What is on its way has a row for each of the next cycles in which it may get there.
inline constexpr unsigned kPlaneFlight = kMaxLinkRegisters + 2;

/// The positions of the rows for a word of routers. A row has lanes() words, one for each port. In
/// "input" rows the words are for input ports, in "output" rows for output ports.
struct PlaneLayout {
  int ports, vcs, depth;  ///< as the kernel was compiled: at least those of the router
  int classes;            ///< the most classes of a channel's VCs: 1 without rings
  bool pipelined;         ///< more than one stage, or link registers
  /// The words of a row: vectors have 8 of them, or twice 8.
  [[nodiscard]] constexpr int lanes() const { return ports > 8 ? kMostPlaneLanes : 8; }
  /// All other routers have 5, 8 or 12 ports when compiled.
  [[nodiscard]] constexpr bool one_port() const { return ports == 6; }

  // Registers.

  /// The rows of VC v of the inputs lie together. This is the first of them.
  [[nodiscard]] constexpr int of_vc(int v) const {
    return v * (2 * depth + ports + vcs + 6 + rows_of_classes() +
                (pipelined ? depth + 2 * static_cast<int>(kPlaneFlight) + 4 : 0));
  }
  /// Inputs: the FIFO of VC v holds more than k flits. Neighbours and sources read the last of
  /// these rows, as nothing changes them before all flits of the cycle have been granted.
  [[nodiscard]] constexpr int occupied(int v, int k) const { return of_vc(v) + k; }
  /// Inputs: flit k of the FIFO of VC v is a tail.
  [[nodiscard]] constexpr int tail(int v, int k) const { return occupied(v, depth) + k; }
  /// Inputs: the packet at the front of VC v wants output o.
  [[nodiscard]] constexpr int target(int v, int o) const { return tail(v, depth) + o; }
  /// Inputs: the active packet of VC v holds VC w of its output.
  [[nodiscard]] constexpr int out_vc(int v, int w) const { return target(v, ports) + w; }
  /// Inputs: the packet at the front of VC v is active.
  [[nodiscard]] constexpr int active(int v) const { return out_vc(v, vcs); }
  /// Inputs: VC v is not before the pointer of the port's arbiter.
  [[nodiscard]] constexpr int in_pointer(int v) const { return active(v) + 1; }

  // What the cycle under way decides about VC v of the inputs.

  [[nodiscard]] constexpr int granted(int v) const { return in_pointer(v) + 1; }
  /// The grant is for a head.
  [[nodiscard]] constexpr int heads(int v) const { return granted(v) + 1; }
  /// A head comes to the front.
  [[nodiscard]] constexpr int next(int v) const { return heads(v) + 1; }
  /// Flits from sources and from other words. They are in the FIFOs from the next cycle on.
  [[nodiscard]] constexpr int arriving(int v) const { return next(v) + 1; }

  // A register, only with rings.

  /// Inputs: the packet at the front of VC v may take the VCs of class c.
  [[nodiscard]] constexpr int in_class(int v, int c) const { return arriving(v) + 1 + c; }

  // Registers, only with `pipelined`. The number of a cycle is taken modulo kPlaneFlight.

  /// Inputs: the sender has no credit for more than k places of VC v.
  [[nodiscard]] constexpr int claimed(int v, int k) const {
    return arriving(v) + 1 + rows_of_classes() + k;
  }
  /// Inputs: a flit enters the FIFO of VC v in cycle `at`.
  [[nodiscard]] constexpr int landing(int v, unsigned at) const {
    return claimed(v, depth) + static_cast<int>(at);
  }
  /// Inputs: the sender gets a credit of VC v in cycle `at`.
  [[nodiscard]] constexpr int returned(int v, unsigned at) const {
    return landing(v, kPlaneFlight) + static_cast<int>(at);
  }
  /// Inputs: the head at the front of VC v is routed (three stages and more).
  [[nodiscard]] constexpr int routed(int v) const { return returned(v, kPlaneFlight); }
  /// Inputs: the head at the front of VC v has got its output VC and has not left (four stages).
  [[nodiscard]] constexpr int starting(int v) const { return routed(v) + 1; }
  /// Inputs: VC v is not before the pointer of the port's arbiter for VCs (four stages).
  [[nodiscard]] constexpr int va_in_pointer(int v) const { return starting(v) + 1; }
  /// Inputs: this cycle, the head at the front of VC v gets an output VC (four stages).
  [[nodiscard]] constexpr int allotted(int v) const { return va_in_pointer(v) + 1; }

  // Registers.

  /// Outputs: a packet owns VC w.
  [[nodiscard]] constexpr int owned(int w) const { return of_vc(vcs) + w; }
  /// Outputs: input i is not before the pointer of the port's arbiter.
  [[nodiscard]] constexpr int out_pointer(int i) const { return owned(vcs) + i; }
  /// Outputs, with several VCs: VC w is not before the pointer of its class (VC selection).
  [[nodiscard]] constexpr int vc_pointer(int w) const { return out_pointer(ports) + w; }

  // What the cycle under way decides.

  /// Outputs: VC w has no credit.
  [[nodiscard]] constexpr int no_credit(int w) const { return vc_pointer(vcs > 1 ? vcs : 0) + w; }
  /// Outputs: no VC of class c is free.
  [[nodiscard]] constexpr int no_vc(int c) const { return no_credit(vcs) + 4 * c; }
  /// Outputs: a bit of the number of the free VC of class c.
  [[nodiscard]] constexpr int free_vc(int c, int bit) const { return no_vc(c) + 1 + bit; }
  [[nodiscard]] constexpr int sent(int w) const { return no_vc(classes) + w; }  // outputs
  [[nodiscard]] constexpr int sent_tail() const { return sent(vcs); }           // outputs
  [[nodiscard]] constexpr int flow() const { return sent_tail() + 1; }  // outputs: on any VC
  /// Inputs: the tails among what is arriving.
  [[nodiscard]] constexpr int arriving_tail() const { return flow() + 1; }

  // Only with `pipelined`.

  /// Inputs: the tails among the flits that enter FIFOs in cycle `at`.
  [[nodiscard]] constexpr int landing_tail(unsigned at) const {
    return arriving_tail() + 1 + static_cast<int>(at);
  }
  /// Outputs: input i is not before the pointer of the port's arbiter for VCs (four stages).
  [[nodiscard]] constexpr int va_out_pointer(int i) const { return landing_tail(kPlaneFlight) + i; }
  /// Outputs: this cycle, a head gets VC w (four stages).
  [[nodiscard]] constexpr int given(int w) const { return va_out_pointer(ports) + w; }
  /// Outputs: sent(w) of the cycle before.
  [[nodiscard]] constexpr int sent_before(int w) const { return given(vcs) + w; }

  [[nodiscard]] constexpr int rows() const {
    return pipelined ? sent_before(vcs) : arriving_tail() + 1;
  }
  [[nodiscard]] constexpr int words() const { return rows() * lanes(); }

  /// Inputs: the sender has no credit of VC v in FIFOs of `places`.
  [[nodiscard]] constexpr int full(int v, int places) const {
    return pipelined ? claimed(v, places - 1) : occupied(v, places - 1);
  }

 private:
  [[nodiscard]] constexpr int rows_of_classes() const { return classes > 1 ? classes : 0; }
};

/// A part of a packet's path: 1 to 255 hops by the same output, on VCs of the same class.
using PlaneLeg = std::uint16_t;
[[nodiscard]] constexpr PlaneLeg plane_leg(int output, int hops, int vc_class = 0) {
  return static_cast<PlaneLeg>(hops << 8 | vc_class << 4 | output);
}
/// Room for the legs of a path, the last of which is its ejection channel. A dimension has one leg,
/// or two if it may be a ring. A channel inside a one-port router is a leg, too.
[[nodiscard]] constexpr int plane_legs(bool rings) { return rings ? 8 : kMaxDims + 1; }

/// Represents a packet while it is in the network: its handle, the number of its leg, and what is
/// left of this leg.
struct PlanePacket {
  std::uint64_t bits = 0;

  PlanePacket() = default;
  constexpr PlanePacket(std::uint32_t handle, PlaneLeg first)
      : bits(std::uint64_t{handle} << 32 | first) {}
  [[nodiscard, gnu::always_inline]] constexpr std::uint32_t handle() const {
    return static_cast<std::uint32_t>(bits >> 32);
  }
  /// The output that it wants at its current router. `classes`: the network has classes of VCs.
  template <bool classes = true>
  [[nodiscard, gnu::always_inline]] constexpr unsigned output() const {
    return classes ? bits & 15 : static_cast<std::uint8_t>(bits);
  }
  /// The class of the VCs that it may take there.
  [[nodiscard, gnu::always_inline]] constexpr int vc_class() const {
    return static_cast<int>(bits >> 4 & 15);
  }
  /// The packet at the next router. `legs` are those of all packets, `count` for each handle.
  template <int count>
  [[nodiscard, gnu::always_inline]] PlanePacket moved(const PlaneLeg* legs) const {
    PlanePacket next;
    next.bits = bits - 0x100;
    if ((next.bits & 0xff00) == 0) {
      const std::uint64_t leg = (bits >> 16) + 1;
      next.bits = leg << 16 | legs[std::size_t{handle()} * count + (leg & 0xffff)];
    }
    return next;
  }
};

/// A head on its way to an input VC.
struct PlaneHead {
  std::uint32_t slot;   ///< of the input VC (PlaneState::slot)
  std::uint32_t input;  ///< the place of its words in PlaneState::rows (PlaneState::input)
  PlanePacket packet;
};

/// Some routers of a word have their neighbour at output `lane` in another word, `words` words
/// further on, and at a bit `shift` places higher.
struct PlaneFarLink {
  int lane;
  std::int32_t words;
  int shift;
};

/// A head on an ejection channel in the next cycle.
struct PlaneEjection {
  std::uint32_t node, packet;
  int local, vc;
};

/// Where the neighbours of a word of routers are, in a network with rings. By port.
struct alignas(64) PlaneRim {
  std::uint64_t next[kMostPlaneLanes];    ///< in this word, `steps` further on
  std::uint64_t around[kMostPlaneLanes];  ///< in this word, at the other end of the ring
  std::uint64_t closes[kMostPlaneLanes];  ///< in any word, at the other end of the ring
};

class PlaneTerminals;

/// A slot is an input VC of a router. The 64 routers of a word follow each other.
struct PlaneState {
  PlaneLayout layout;
  std::size_t word_size;  ///< layout.rows() rows
  std::uint32_t words;
  int ports, local_ports, depth, vcs;  ///< of the router; vcs: of any port
  bool rotating;                       ///< VC selection: rotating, otherwise lowest
  /// The first port of the injection channels and of the ejection channels. The outputs before it
  /// lead to switches.
  int injection, ejection;

  std::uint64_t* rows;         ///< layout.rows() rows for each word
  const std::uint64_t* steps;  ///< a row: Row::exchanged
  /// A row each: the lanes that it serves, where it brings flits to inputs and credits to outputs.
  const std::uint64_t *own, *own_credits;
  const std::uint64_t* local;  ///< a row: all bits of the local lanes
  const std::uint64_t* open;   ///< a row for each VC: the output ports that have it
  PlaneFarLink far_links[4 * kMaxExternalPorts];
  int far_link_count;
  std::int32_t neighbour[kMaxExternalPorts];  ///< by output that leads to a switch: distance to the
                                              ///< neighbour, in node numbers
  const PlaneLeg* legs;                       ///< plane_legs() for each handle

  // Only with rings.

  const std::uint64_t* around;  ///< a row: as `steps`, for the links that close a ring
  const PlaneRim* rims;         ///< by word
  /// By far link, then by word: the routers that have it.
  const std::uint64_t* far_routers;
  std::int32_t other_end[kMaxExternalPorts];  ///< `neighbour` of those that it closes the ring for

  // Only with `pipelined`.

  int stages;
  unsigned now;  ///< the cycle modulo kPlaneFlight
  /// The cycles that a flit or a credit needs more than with one stage and without link registers:
  /// on an external channel; on an internal channel, as a credit also on an injection channel.
  unsigned delay, inner_delay;
  /// A row each: the lanes of the inputs of external, internal and injection channels.
  const std::uint64_t *from_outside, *from_inside, *from_source;
  std::uint8_t* awake;  ///< by word: the number of cycles until it sleeps, if nothing happens
  PlaneHead* flights[kPlaneFlight];           ///< `flying` by cycle
  std::uint32_t flight_counts[kPlaneFlight];  ///< of all but the cycle that `flying` has
  PlaneEjection* ejections;
  std::uint32_t ejection_count;

  /// By slot: the packet at the front, and places for layout.depth packets behind it.
  PlanePacket *front, *ring;
  std::uint8_t *ring_first, *ring_end, *way;  ///< by slot; way: out_port << 3 | out_vc
  std::uint64_t *busy, *touched;  ///< a bit for each word: it holds flits; flits may arrive in it
  std::uint8_t* used;             ///< by word: from this VC on it has no flits and no owners
  PlaneHead* flying;              ///< room for one head per output and one per source
  std::uint32_t flying_count;
  /// Null, or for each word flits by output: two rows for each binary digit (Kernel::count).
  std::uint64_t* counters;
  std::uint64_t* counted;  ///< by word: the number of cycles that were counted
  // Only in a slab of a network (plane_cut.hpp).

  const std::uint64_t* abroad;  ///< null, or by word: the routers that another process steps
  PlaneHead* leaving;           ///< heads that left for these routers in this cycle
  std::uint32_t leaving_count;
  std::uint64_t came, gone;  ///< flits from other processes, and to them

  PlaneTerminals* terminals;
  std::uint64_t entered, moved, ejected;  ///< flits

  [[nodiscard, gnu::always_inline]] std::uint64_t* word(std::uint32_t k) const {
    return rows + k * word_size;
  }
  [[nodiscard, gnu::always_inline]] std::uint64_t& lane(std::uint32_t k, int row, int port) const {
    return word(k)[row * layout.lanes() + port];
  }
  [[nodiscard, gnu::always_inline]] std::size_t slot(std::uint32_t node, int port, int vc) const {
    const std::size_t k = node / kPlaneRouters;
    return ((k * static_cast<std::size_t>(layout.vcs) + static_cast<std::size_t>(vc)) *
                static_cast<std::size_t>(layout.ports) +
            static_cast<std::size_t>(port)) *
               kPlaneRouters +
           node % kPlaneRouters;
  }
  /// The first word of an input VC: that of its row layout.occupied(0, 0), at its lane.
  [[nodiscard]] std::size_t input(std::uint32_t k, int port, int vc) const {
    return k * word_size + static_cast<std::size_t>(layout.of_vc(vc) * layout.lanes() + port);
  }
};

/// Executes a cycle of the network. Compiled for one kind of processor and one layout.
struct PlaneKernel {
  const char* backend;
  PlaneLayout layout;
  void (*decide)(PlaneState&);  ///< only decides what would move
  void (*step)(PlaneState&);    ///< decides and moves
};

/// The kernels that were compiled for a backend. Null if there are none, or if the processor lacks
/// their instructions.
struct PlaneKernels {
  const PlaneKernel* first;
  int count;
};
namespace planes_baseline {
PlaneKernels kernels();
}
namespace planes_avx2 {
PlaneKernels kernels();
}
namespace planes_avx512 {
PlaneKernels kernels();
}

}  // namespace annelid::systemc
