// The all-port mesh router as the fabric steps it: docs/microarchitecture.md, sections 4 and 5, in
// a form that is fast on a CPU.
//
// Every yes-or-no register of all ports and virtual channels is one 64-bit mask, bit port * 8 + vc
// ("slot"), because 8 ports of 8 VCs are the most there can be. A cycle is then a few walks over
// set bits.
//
// There is no commit pass. A sender writes its flit straight into the receiver's ring, where
// credits guarantee room, and marks it in the receiver's inbox of the cycle's parity; the receiver
// reads the inbox of the other parity, one cycle later. So the order in which routers are stepped
// within a cycle cannot be seen.
#pragma once

#include <array>
#include <cstddef>

#include "systemc/config.hpp"
#include "systemc/link.hpp"
#include "systemc/observer.hpp"
#include "systemc/router_state.hpp"
#include "systemc/slot.hpp"

namespace annelid {

class RouterKernel;

/// What is joined to a port: another kernel, or anything else through one virtual call. Neither at
/// the rim of the mesh.
struct KernelLink {
  RouterKernel* kernel = nullptr;
  LinkIf* other = nullptr;
  std::uint32_t index = 0;  ///< of `kernel` in the activity map
  Port port = 0;            ///< of `kernel`
};

/// One cycle's surroundings, shared by all kernels of a fabric.
struct StepContext {
  Cycle now = 0;
  std::uint8_t* awake_next = nullptr;  ///< activity map of the next cycle, a byte per kernel
  FabricObserver* observer = nullptr;  ///< only read by step<true>
  std::uint64_t moved = 0;             ///< counts flits that crossed a switch
  std::uint64_t ejected = 0;           ///< counts those that left by a local port
};

class alignas(64) RouterKernel {
 public:
  /// `rings` is the storage of its FIFOs, ring_flits(config) flits that outlive it.
  RouterKernel(const NetworkConfig& network, Address address, NodeId node, Flit* rings);
  [[nodiscard]] static std::size_t ring_flits(const RouterConfig& config);

  void join(Port port, const KernelLink& link) { links_[port] = link; }

  /// A flit (credit) that is on the channel to this router in cycle `now`. The caller marks the
  /// router in the next cycle's activity map.
  void take_flit(Port in, const Flit& flit, Cycle now);
  void take_credit(Port out, Vc vc, Cycle now) {
    credit_inbox_[now & 1][out] = static_cast<std::uint8_t>(1u << vc);
  }

  /// Room for a flit, an unused credit place: what a neighbour outside the fabric is checked for.
  [[nodiscard]] bool may_take_flit(Port in, Vc vc, Cycle now) const;
  [[nodiscard]] bool may_take_credit(Port out, Vc vc, Cycle now) const;

  /// Cycle context.now, which must directly follow the last one if anything was sent here then.
  /// False if nothing can happen here before something arrives. A router that granted nothing
  /// had no request, and arrivals alone can make one, so it may sleep even while it holds flits;
  /// kObserved keeps it awake then, to report the blocked flits of every cycle.
  template <bool kObserved>
  [[gnu::flatten]] bool step(StepContext& context);

  /// The registers at the start of cycle `now`; valid between cycles only.
  void state(Cycle now, RouterState& state) const;

  [[nodiscard]] const RouterConfig& config() const { return config_; }
  [[nodiscard]] Address address() const { return address_; }
  [[nodiscard]] NodeId node() const { return node_; }

 private:
  static constexpr int kSlots = kKernelPorts * kMaxVcs;

  /// The yes-or-no registers. A step works on a copy: a store to any byte array below could alias
  /// them, so the compiler could not keep the originals in CPU registers.
  struct Masks {
    SlotMask occupied = 0;  ///< input VCs with count > 0
    SlotMask active = 0;    ///< input VCs
    SlotMask owned = 0;     ///< output VCs
    SlotMask credit = 0;    ///< output VCs with credits > 0
  };

  struct Allocation {
    int grants = 0;
    std::array<Slot, kKernelPorts> from, to;  ///< input VC, output VC of each grant
    SlotMask requests = 0, granted = 0;       ///< input VCs
  };

  /// The first place of an input VC's ring.
  [[nodiscard]] std::size_t ring(Slot slot) const {
    return std::size_t{port_of(slot)} << port_shift_ | std::size_t{vc_of(slot)} << vc_shift_;
  }
  [[nodiscard]] const Flit& front(Slot in) const { return rings_[ring(in) + read_[in]]; }
  [[nodiscard]] Port route_of(Slot in) const;

  // The stages of a step. They are one function in the end, as this is where the time of a
  // simulation goes.
  void take_flit(Port in, Vc vc, const Flit& flit, Cycle now);
  void absorb_arrivals(Masks& masks, Cycle now);  // section 5.5, the arrivals of the cycle before
  void allocate(const Masks& masks, Allocation& allocation) const;            // 5.1 to 5.3
  void traverse(Slot from, Slot to, const Flit& flit, StepContext& context);  // 5.4
  void commit(Masks& masks, Slot from, Slot to, bool tail);                   // 5.5
  void report_blocked(const Masks& masks, const Allocation& allocation,
                      const StepContext& context) const;
  [[noreturn, gnu::cold, gnu::noinline]] void fail(const char* what, Port port) const;

  // Written by the neighbours: bit vc of byte port, for cycles of even and odd parity.
  std::array<std::array<std::uint8_t, kKernelPorts>, 2> flit_inbox_{}, credit_inbox_{};

  Masks masks_;
  std::array<Vc, kKernelPorts> in_pointer_{};
  std::array<Port, kKernelPorts> out_pointer_{};
  std::array<Port, kKernelPorts> eject_{};  // the local output of a packet that ends here, by input
  Address address_;
  std::uint8_t ring_mask_, vc_shift_, port_shift_;  // of the rings
  NodeId node_;
  Flit* rings_;  // per input VC a power of two of places, at least the depth

  std::array<std::uint8_t, kSlots> count_{}, read_{};  // input VCs
  std::array<std::uint8_t, kSlots> write_{};           // input VCs; written by the neighbours
  std::array<Slot, kSlots> out_{};                     // input VCs: out_port and out_vc
  std::array<std::uint8_t, kSlots> credits_{};         // output VCs
  std::array<KernelLink, kKernelPorts> links_{};
  NetworkConfig network_;
  RouterConfig config_;
};

extern template bool RouterKernel::step<false>(StepContext&);
extern template bool RouterKernel::step<true>(StepContext&);

}  // namespace annelid
