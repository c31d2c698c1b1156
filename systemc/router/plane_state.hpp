// The state of a network in planes, shared by PlaneArray and the kernels for all processors
// (docs/internals/planes.md). It is plain data, for the reason that plane.hpp gives.
#pragma once

#include <cstddef>
#include <cstdint>

#include "systemc/network/types.hpp"

namespace annelid::systemc {

inline constexpr int kPlaneLanes = 8;
inline constexpr int kPlaneRouters = 64;  ///< routers per word
inline constexpr int kPlaneCounterBits = 40;

/// The positions of the rows for a word of routers. A row has a word for each port, 8 in all. In
/// "input" rows the words are for input ports, in "output" rows for output ports.
struct PlaneLayout {
  int ports, vcs, depth;  ///< as the kernel was compiled: at least those of the router

  // Registers.

  /// Inputs: the FIFO of VC v holds more than k flits.
  [[nodiscard]] constexpr int occupied(int v, int k) const { return v * depth + k; }
  /// Inputs: flit k of the FIFO of VC v is a tail.
  [[nodiscard]] constexpr int tail(int v, int k) const { return (vcs + v) * depth + k; }
  /// Inputs: the packet at the front of VC v wants output o.
  [[nodiscard]] constexpr int target(int v, int o) const { return 2 * vcs * depth + v * ports + o; }
  /// Inputs: the active packet of VC v holds VC w of its output.
  [[nodiscard]] constexpr int out_vc(int v, int w) const { return target(vcs, 0) + v * vcs + w; }
  /// Inputs: the packet at the front of VC v is active.
  [[nodiscard]] constexpr int active(int v) const { return out_vc(vcs, 0) + v; }
  /// Outputs: a packet owns VC w.
  [[nodiscard]] constexpr int owned(int w) const { return active(vcs) + w; }
  /// Inputs: VC v is not before the pointer of the port's arbiter.
  [[nodiscard]] constexpr int in_pointer(int v) const { return owned(vcs) + v; }
  /// Outputs: input i is not before the pointer of the port's arbiter.
  [[nodiscard]] constexpr int out_pointer(int i) const { return in_pointer(vcs) + i; }
  /// Inputs: the FIFO is full at the start of the cycle. Neighbours and sources read it.
  [[nodiscard]] constexpr int full(int v) const { return out_pointer(ports) + v; }

  // What the cycle under way decides.

  /// Outputs: VC w has no credit.
  [[nodiscard]] constexpr int no_credit(int w) const { return full(vcs) + w; }
  /// Outputs: no VC is free.
  [[nodiscard]] constexpr int no_vc() const { return no_credit(vcs); }
  /// Outputs: a bit of the number of the free VC.
  [[nodiscard]] constexpr int free_vc(int bit) const { return no_vc() + 1 + bit; }
  /// Inputs: VC v is granted.
  [[nodiscard]] constexpr int granted(int v) const { return free_vc(3) + v; }
  /// Inputs: the grant of VC v is for a head.
  [[nodiscard]] constexpr int heads(int v) const { return granted(vcs) + v; }
  /// Inputs: a head comes to the front of VC v.
  [[nodiscard]] constexpr int next(int v) const { return heads(vcs) + v; }
  [[nodiscard]] constexpr int sent(int w) const { return next(vcs) + w; }  // outputs
  [[nodiscard]] constexpr int sent_tail() const { return sent(vcs); }      // outputs
  /// Inputs: flits from sources and from other words. They are in the FIFOs from the next cycle on.
  [[nodiscard]] constexpr int arriving(int v) const { return sent_tail() + 1 + v; }
  [[nodiscard]] constexpr int arriving_tail() const { return arriving(vcs); }
  [[nodiscard]] constexpr int rows() const { return arriving_tail() + 1; }
};

/// Represents a packet while it is in the network.
struct PlanePacket {
  std::uint64_t bits = 0;

  PlanePacket() = default;
  constexpr PlanePacket(std::uint32_t handle, std::uint32_t packed_destination)
      : bits(std::uint64_t{handle} | std::uint64_t{packed_destination} << 32) {}
  [[nodiscard, gnu::always_inline]] constexpr std::uint32_t handle() const {
    return static_cast<std::uint32_t>(bits);
  }
  [[nodiscard, gnu::always_inline]] constexpr std::uint32_t destination() const {
    return static_cast<std::uint32_t>(bits >> 32) & 0xffffff;
  }
  /// The output that it wants at its current router.
  [[nodiscard, gnu::always_inline]] constexpr unsigned output() const {
    return static_cast<unsigned>(bits >> 56);
  }
  [[gnu::always_inline]] constexpr void set_output(unsigned port) {
    bits = (bits & 0xffffffffffffff) | std::uint64_t{port} << 56;
  }
};

/// A head on its way to an input VC.
struct PlaneHead {
  std::uint32_t node;
  Port port;
  Vc vc;
  PlanePacket packet;
};

/// Some routers of a word have their neighbour at output `lane` in another word, `words` words
/// further on, and at a bit `shift` places higher.
struct PlaneFarLink {
  int lane;
  std::int32_t words;
  int shift;
};

class PlaneTerminals;

/// A slot is an input VC of a router: (node * layout.ports + port) * layout.vcs + vc.
struct PlaneState {
  PlaneLayout layout;
  std::size_t word_size;  ///< layout.rows() rows
  std::uint32_t words;
  int ports, external, local_ports, depth, vcs;  ///< of the router; vcs: of any port
  std::uint32_t ring_mask;                       ///< packets that may wait in a FIFO, less 1

  std::uint64_t* rows;               ///< layout.rows() rows for each word
  const std::uint64_t *steps, *own;  ///< a row each: Row::exchanged, and the lanes that it serves
  const std::uint64_t* local;        ///< a row: all bits of the local lanes
  const std::uint64_t* open;         ///< a row for each VC: the output ports that have it
  PlaneFarLink far_links[4 * kMaxExternalPorts];
  int far_link_count;
  const std::uint32_t* address;               ///< by node, packed
  std::int32_t neighbour[kMaxExternalPorts];  ///< by external port: distance to the neighbour, in
                                              ///< node numbers
  Port eject[kMaxPorts];                      ///< by input: the output of a packet that ends here

  PlanePacket *front, *ring;                  ///< by slot: the packet at the front; those behind it
  std::uint8_t *ring_first, *ring_end, *way;  ///< by slot; way: out_port << 3 | out_vc
  std::uint64_t *busy, *touched;  ///< a bit for each word: it holds flits; flits may arrive in it
  PlaneHead* flying;              ///< room for one head per output and one per source
  std::uint32_t flying_count;
  std::uint64_t* counters;  ///< null, or kPlaneCounterBits rows for each word: flits by output
  PlaneTerminals* terminals;
  std::uint64_t moved, ejected;

  [[nodiscard, gnu::always_inline]] std::uint64_t* word(std::uint32_t k) const {
    return rows + k * word_size;
  }
  [[nodiscard, gnu::always_inline]] std::uint64_t& lane(std::uint32_t k, int row, int port) const {
    return word(k)[row * kPlaneLanes + port];
  }
  [[nodiscard, gnu::always_inline]] std::size_t slot(std::uint32_t node, int port, int vc) const {
    return (std::size_t{node} * static_cast<std::size_t>(layout.ports) +
            static_cast<std::size_t>(port)) *
               static_cast<std::size_t>(layout.vcs) +
           static_cast<std::size_t>(vc);
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
