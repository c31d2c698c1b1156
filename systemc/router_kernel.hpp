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
  RouterKernel(const RouterConfig& config, Address address, NodeId node, Flit* rings);
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
  bool step(StepContext& context);

  /// The registers at the start of cycle `now`; valid between cycles only.
  void state(Cycle now, RouterState& state) const;

  [[nodiscard]] const RouterConfig& config() const { return config_; }
  [[nodiscard]] Address address() const { return address_; }
  [[nodiscard]] NodeId node() const { return node_; }

 private:
  static constexpr int kSlots = kMaxPorts * kMaxVcs;

  struct Allocation {
    int grants = 0;
    std::array<Slot, kMaxPorts> from, to;  ///< input VC, output VC of each grant
    SlotMask requests = 0, granted = 0;    ///< input VCs
  };

  [[nodiscard]] std::size_t ring(Slot slot) const {
    return (std::size_t{slot} / kMaxVcs * ring_vcs_ + slot % kMaxVcs) * (ring_mask_ + 1u);
  }
  [[nodiscard]] const Flit& front(Slot in) const { return rings_[ring(in) + read_[in]]; }
  [[nodiscard]] Port route_of(Slot in) const;

  void absorb_arrivals(Cycle now);              // section 5.5, the arrivals of the cycle before
  void allocate(Allocation& allocation) const;  // sections 5.1 to 5.3
  void traverse(Slot from, Slot to, StepContext& context, const Flit& flit);  // 5.4
  void report_blocked(const Allocation& allocation, const StepContext& context) const;
  [[noreturn]] void fail(const char* what, Port port) const;

  // Written by the neighbours: bit vc of byte port, for cycles of even and odd parity.
  std::array<std::array<std::uint8_t, kMaxPorts>, 2> flit_inbox_{}, credit_inbox_{};

  SlotMask occupied_ = 0;  // input VCs with count > 0
  SlotMask active_ = 0;    // input VCs
  SlotMask owned_ = 0;     // output VCs
  SlotMask credit_ = 0;    // output VCs with credits > 0

  std::array<Vc, kMaxPorts> in_pointer_{};
  std::array<Port, kMaxPorts> out_pointer_{};
  std::array<Port, kMaxPorts> eject_{};  // the local output of a packet that ends here, by input
  Address address_;
  std::uint8_t ring_mask_, ring_vcs_;
  NodeId node_;
  Flit* rings_;  // per input VC a power of two of places, at least the depth

  std::array<std::uint8_t, kSlots> count_{}, read_{};  // input VCs
  std::array<std::uint8_t, kSlots> write_{};           // input VCs; written by the neighbours
  std::array<Slot, kSlots> out_{};                     // input VCs: out_port and out_vc
  std::array<std::uint8_t, kSlots> credits_{};         // output VCs
  std::array<KernelLink, kMaxPorts> links_{};
  RouterConfig config_;
};

extern template bool RouterKernel::step<false>(StepContext&);
extern template bool RouterKernel::step<true>(StepContext&);

}  // namespace annelid
