// A router as the fabric steps it: docs/internals/microarchitecture.md, sections 4 and 5, in a form
// that is fast on a CPU. RouterArray (router_array.hpp) holds the kernels of a network.
//
// Every yes-or-no register of all ports and virtual channels is one mask, a bit per slot
// (slot.hpp). A cycle is then a few walks over set bits.
//
// There is no commit pass. A sender writes its flit straight into the receiver's FIFO, where
// credits guarantee room, and marks it in the receiver's inbox of the cycle in which it arrives;
// the receiver reads that one a cycle later. So the order in which routers are stepped within a
// cycle cannot be seen, and switch and link registers need no storage: they are the distance
// between the two cycles.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "systemc/kernel/kernel_policies.hpp"
#include "systemc/kernel/kernel_shape.hpp"
#include "systemc/network/link.hpp"
#include "systemc/network/observer.hpp"
#include "systemc/network/router_state.hpp"
#include "systemc/network/slot.hpp"

namespace annelid::systemc {

/// What is connected to one side of a port: another kernel of the array, another component, or
/// nothing.
struct KernelLink {
  enum class Kind : std::uint8_t { kNone, kKernel, kOther };
  std::uint32_t index = 0;  ///< of the kernel in the array; of the LinkIf in StepContext::others
  Port port = 0;            ///< of the kernel
  Kind kind = Kind::kNone;
};

/// A flit or credit on its way to a component that is not a kernel.
struct Outgoing {
  LinkIf* to;
  Flit flit;
  bool credit;  ///< of VC flit.vc
  bool ejected;
};

/// Entries for what arrives in cycle t have the index t modulo this number.
inline constexpr unsigned kFlightCycles = 8;
static_assert(kFlightCycles >= kMaxLinkRegisters + 1 + 2);

/// The base-2 logarithm of the number of kernels in a group of the activity map's upper level.
inline constexpr unsigned kGroupBits = 6;

/// Flits that switches were granted to, until they are sent: with one stage in the same cycle,
/// otherwise in the next one.
class SentFlits {
 public:
  explicit SentFlits(bool pipelined = false) : pipelined_(pipelined) {}
  /// The place of one more, which the caller fills.
  SentFlit& add() {
    if (end_ == capacity_) [[unlikely]]
      grow();
    return *end_++;
  }
  /// Reports the grants since the last call.
  void report(Cycle now, FabricObserver& observer) {
    if (unreported_ == end_) return;
    const std::span rest(unreported_, end_);
    if (pipelined_) {
      observer.all_granted(now, rest);
      unreported_ = end_;
    } else {
      observer.all_moved(now, rest);
      end_ = unreported_;
    }
  }
  /// Reports that the flits granted in the last cycle are sent.
  void report_sent(Cycle now, FabricObserver& observer) {
    if (end_ == flits_.data()) return;
    observer.all_moved(now, std::span(flits_.data(), end_));
    end_ = unreported_ = flits_.data();
  }

 private:
  [[gnu::cold, gnu::noinline]] void grow() {
    const auto size = end_ - flits_.data(), reported = unreported_ - flits_.data();
    flits_.resize(2 * flits_.size() + 64);
    end_ = flits_.data() + size;
    unreported_ = flits_.data() + reported;
    capacity_ = flits_.data() + flits_.size();
  }

  std::vector<SentFlit> flits_;
  SentFlit *end_ = nullptr, *unreported_ = nullptr, *capacity_ = nullptr;  // in flits_
  bool pipelined_;
};

/// The context of a cycle, shared by the kernels of an array.
struct StepContext {
  Cycle now = 0;
  FabricObserver* observer = nullptr;  ///< only read by step<true>
  std::uint64_t moved = 0;             ///< counts flits that crossed a switch
  std::uint64_t ejected = 0;           ///< counts those that reached a NIC
  /// The activity maps by cycle modulo kFlightCycles: a byte per kernel, a byte per group.
  std::array<std::uint8_t*, kFlightCycles> awake{}, groups{};
  std::uint8_t *awake_next = nullptr, *groups_next = nullptr;  ///< those of cycle now + 1
  LinkIf* const* others = nullptr;
  std::array<std::vector<Outgoing>, kFlightCycles> outbox;  ///< by the cycle in which it gets there
  /// With an observer: the last cycle in which heads or tails moved, a head got a route or a VC, or
  /// other VCs moved flits than in the cycle before.
  Cycle changed = 0;
  SentFlits granted;  ///< only with an observer
  /// Counts the steps of the array. Between two of them only repeated cycles and cycles without any
  /// flit are skipped, and a step in which no flit moves comes before the latter.
  std::uint64_t step = 0;
  std::uint64_t moved_until = 0;  ///< `moved` before this step
  std::uint64_t moved_last = 0;   ///< with an observer: flits that moved in the last step

  void begin(Cycle cycle, FabricObserver* its_observer) {
    now = cycle;
    observer = its_observer;
    ++step;
    moved_until = moved;
    awake_next = awake[(now + 1) % kFlightCycles];
    groups_next = groups[(now + 1) % kFlightCycles];
  }
  /// Reports the grants, many at once. To be called before any other report, so that the observer
  /// is told everything in the order of the routers.
  void report_grants() { granted.report(now, *observer); }
  /// A kernel that moves flits finds out by itself whether others moved in the last step
  /// (RouterKernel::note). If a kernel has stopped, only the number of flits tells it.
  void compare_moved() {
    const std::uint64_t flits = moved - moved_until;
    if (flits != moved_last) changed = now;
    moved_last = flits;
  }
  void wake_next(std::uint32_t kernel) {
    awake_next[kernel] = 1;
    groups_next[kernel >> kGroupBits] = 1;
  }
  /// The same if `busy`, without a branch.
  void wake_next_if(bool busy, std::uint32_t kernel) {
    awake_next[kernel] |= busy;
    groups_next[kernel >> kGroupBits] |= busy;
  }
  void wake(std::uint32_t kernel, Cycle at) {
    awake[at % kFlightCycles][kernel] = 1;
    groups[at % kFlightCycles][kernel >> kGroupBits] = 1;
  }
};

/// What the switch of kernel `kernel` does in a cycle: the flit at the front of input VC `from`
/// goes to output VC `to`.
struct Move {
  std::uint32_t kernel;
  Slot from, to;
};

/// Whether the source and the destination of a move are components that are not kernels. With an
/// observer it is unknown. An input VC has kUnused until it first sends a head, and no move before.
enum MoveKind : std::uint8_t { kInside, kFromOther, kToOther, kThrough, kUnused, kUnknownKind };

/// The moves of up to `kernels` kernels of `ports` ports in a cycle, in a list for each kind.
template <std::size_t kernels, std::size_t ports>
class MoveLists {
 public:
  /// Adds the move if `really`, without a branch.
  void add(const Move& move, unsigned kind, bool really = true) {
    std::uint32_t& end = ends_[kind];
    moves_[end] = move;
    end += really;
  }
  /// Calls f(move) for each move of a kind, and removes them. Returns their number.
  template <typename F>
  std::uint32_t take(MoveKind kind, F f) {
    const std::uint32_t first = kind * kPlaces, end = std::exchange(ends_[kind], first);
    for (std::uint32_t i = first; i < end; ++i) f(moves_[i]);
    return end - first;
  }

 private:
  static constexpr std::uint32_t kPlaces = kernels * ports + 1;  // one for moves that are not added
  std::array<std::uint32_t, 5> ends_ = {0, kPlaces, 2 * kPlaces, 3 * kPlaces, 4 * kPlaces};
  std::array<Move, std::size_t{4} * kPlaces + 1> moves_;  // of kUnused none is ever added
};

/// `Space` is the SlotSpace, and `Policies` one of the structs of kernel_policies.hpp.
template <class Space, class Policies>
class alignas(64) RouterKernel {
 public:
  using Mask = typename Space::Mask;

  /// `data` and `flags` are the storage of its FIFOs, shape.flits entries that outlive it. `orders`
  /// is the storage of arbiters whose state is a word: 4 entries for each of shape.ports, or null
  /// without them.
  RouterKernel(const KernelShape& shape, Address address, NodeId node, std::uint64_t* data,
               std::uint8_t* flags, std::uint64_t* orders);

  /// Sets where the flits of an output go, and where the credits for an input's flits go.
  void join_output(Port out, const KernelLink& link) { ahead_[out] = link; }
  void join_input(Port in, const KernelLink& link) { behind_[in] = link; }

  [[nodiscard]] const KernelLink& ahead(Port out) const { return ahead_[out]; }

  /// Takes a flit or a credit that is on the channel to this router in cycle `at`.
  void take_flit(const KernelShape& shape, Port in, Vc vc, std::uint64_t data, std::uint8_t flags,
                 Cycle at);
  void take_credit(Port out, Vc vc, Cycle at) {
    credit_inbox_[at % kInboxes][out] = static_cast<std::uint8_t>(1u << vc);
  }
  /// Takes a credit that is on the channel in the current cycle past the inbox, if the router has
  /// no flit that might use it in this cycle. Then the router need not be woken for it. False,
  /// without any effect, if it may have one.
  [[gnu::always_inline]] inline bool take_credit_asleep(Port out, Vc vc, Cycle now);

  /// Whether there is room for the flit or credit. Used to check neighbours outside the fabric.
  [[nodiscard]] bool may_take_flit(const KernelShape& shape, Port in, Vc vc, Cycle now) const;
  [[nodiscard]] bool may_take_credit(const KernelShape& shape, Port out, Vc vc, Cycle now) const;

  using Moves = MoveLists<std::size_t{1} << kGroupBits, Space::kPorts>;

  // The ways in which a cycle is executed, of which decide() is the one that serves every case, are
  // in docs/internals/architecture.md, "Ways through a cycle".

  /// A cycle is three calls. Cycle context.now must directly follow the last one if anything was
  /// sent here in that one. Other kernels may be stepped before, between and after the calls.
  ///
  /// The first call takes what arrived in the cycle before, and adds the flits that need no
  /// arbitration to `moves`. It returns true if decide() is to be called. `self` is this kernel's
  /// index.
  template <bool kObserved>
  [[gnu::always_inline]] inline bool arrive(const KernelShape& shape, std::uint32_t self,
                                            StepContext& context, Moves& moves);
  /// The second call does allocation and arbitration, and adds the switch's grants to `moves`. It
  /// returns false if nothing happens in them.
  template <bool kObserved>
  [[gnu::always_inline]] inline bool decide(const KernelShape& shape, std::uint32_t self,
                                            StepContext& context, Moves& moves);
  /// The third call executes the moves, one by one.
  ///
  /// A router that did nothing in a cycle had no request. Only arrivals can cause one, so the
  /// router may sleep even while it holds flits. kObserved keeps it awake in this case, to report
  /// the blocked flits of every cycle.
  template <bool kObserved, MoveKind kind>
  [[gnu::always_inline]] inline void forward(const KernelShape& shape, Slot from, Slot to,
                                             RouterKernel* kernels, StepContext& context);

  /// With an observer: the three calls at once, for the most frequent case in a network with few
  /// flits. The router has one flit, which arrived in the cycle before and can go, so that nothing
  /// has to be arbitrated. False if it is another case.
  [[gnu::always_inline]] inline bool pass_lone_flit(const KernelShape& shape, RouterKernel* kernels,
                                                    StepContext& context);
  /// The same for the second and third call: no two flits want the same port, and no head waits.
  bool go_without_rivals(const KernelShape& shape, std::uint32_t self, RouterKernel* kernels,
                         StepContext& context);

  /// The registers at the start of cycle `now`; valid between cycles only.
  void state(const KernelShape& shape, Cycle now, RouterState& state) const;
  /// The registers of some ports, as NodeRouter::registers.
  void registers(const KernelShape& shape, Cycle now, unsigned ports, RouterState& state) const;
  /// The number of flits in the FIFO of an input VC.
  [[nodiscard]] unsigned flits_in(Cycle now, Port in, Vc vc) const { return count_at(now, in, vc); }
  /// Whether that FIFO has ever held a flit: it does now, or it has sent a head.
  [[nodiscard]] bool was_used(Cycle now, Port in, Vc vc) const {
    return kind_[Space::slot_of(in, vc)] != kUnused || count_at(now, in, vc) > 0;
  }

  // With an observer: what moved in the last step, whose number is `step`.

  /// Whether a flit of an input VC moved.
  [[nodiscard]] bool moves_from(Port in, Vc vc, std::uint64_t step) const {
    return moved_in_ == step && Space::has(moved_from_, Space::slot_of(in, vc));
  }
  /// Whether a flit moved to an output VC.
  [[nodiscard]] bool moves_to(Port out, Vc vc, std::uint64_t step) const {
    return moved_in_ == step && Space::has(moved_to_, Space::slot_of(out, vc));
  }
  /// Adds the places of the flits of an input VC that moved one, newest first, with those that are
  /// on their way to it. True if all are body flits of the packet that holds `to`.
  bool add_places(const KernelShape& shape, Port in, Vc vc, std::uint64_t step,
                  std::vector<std::uint64_t*>& places, Slot& to);

  [[nodiscard]] Address address() const { return unpack_address(address_); }
  [[nodiscard]] NodeId node() const { return node_; }

 private:
  static constexpr bool kGeneral = Policies::kGeneral;
  using Grants = systemc::Grants<Space>;

  static constexpr Slot kNoSlot = 0xff;
  static constexpr int kPorts = Space::kPorts;
  static constexpr int kSlots = Space::kSlots;
  static constexpr int kInboxBytes = kPorts <= 8 ? 8 : 16;
  static constexpr int kCounts = Space::kOneVc ? kInboxBytes : kSlots;
  static constexpr unsigned kInboxes = kGeneral ? kFlightCycles : 2;
  /// The inboxes of the cycle before `now`. Their contents count from cycle `now` on.
  static constexpr unsigned inbox_before(Cycle now) { return (now + kInboxes - 1) % kInboxes; }
  /// Flits of an input VC and credits of an output VC at the start of cycle `now`, those included.
  [[nodiscard]] unsigned count_at(Cycle now, Port in, Vc vc) const {
    return count_[Space::slot_of(in, vc)] + (flit_inbox_[inbox_before(now)][in] >> vc & 1u);
  }
  [[nodiscard]] unsigned credits_at(Cycle now, Port out, Vc vc) const {
    return credits_[Space::slot_of(out, vc)] + (credit_inbox_[inbox_before(now)][out] >> vc & 1u);
  }

  /// Body flits and tails need no arbitration. (An observer gets all grants in the order of the
  /// outputs instead.)
  template <bool kObserved>
  static constexpr bool kDirect = Space::kOneVc && !kObserved;

  enum Arbiter : unsigned { kIn, kOut, kVaIn, kVaOut };

  /// The yes-or-no registers. A step works on a copy: a store to any byte array below could alias
  /// them, so the compiler could not keep the originals in CPU registers. With one VC per port,
  /// `occupied` and `credit` are made anew from the counts in every step.
  struct Masks {
    Mask active = 0;    ///< input VCs
    Mask owned = 0;     ///< output VCs
    Mask occupied = 0;  ///< input VCs with count > 0
    Mask credit = 0;    ///< output VCs with credits > 0
    Mask routed = 0;    ///< input VCs
  };

  struct Allocation {
    Grants sa, va;
    Mask requests = 0;   ///< input VCs that request the switch, or a VC where that is separate
    Mask computing = 0;  ///< input VCs in RC
  };

  /// An output, and some of its VCs: those of the packet's class, or those open to the packet.
  struct Way {
    Port port;
    std::uint8_t vcs;
  };

  using Inbox = std::array<std::array<std::uint8_t, kInboxBytes>, kInboxes>;

  [[nodiscard]] std::size_t front(const KernelShape& shape, Slot in) const {
    return std::size_t{shape.fifo[in]} + read_[in];
  }
  [[nodiscard]] Way class_of(const KernelShape& shape, Slot in) const;
  [[nodiscard]] Way route_of(const KernelShape& shape, Slot in) const;
  [[nodiscard]] Way way_of(const KernelShape& shape, Slot in) const;
  [[nodiscard]] Way ring_way(const KernelShape& shape, unsigned d, std::uint64_t head) const;
  template <class A>
  [[gnu::always_inline]] inline void finish_output(const KernelShape& shape, Arbiter arbiter,
                                                   Port port, Port pick);
  void finish_picks(const KernelShape& shape, Arbiter in, Arbiter out, Slot from, Slot to);
  /// The state of an arbiter whose unit is A: a byte of the kernel, or a word outside it.
  template <class A>
  [[nodiscard]] [[gnu::always_inline]] inline typename A::State order(const KernelShape& shape,
                                                                      Arbiter arbiter,
                                                                      Port port) const;
  template <class A>
  [[gnu::always_inline]] inline void set_order(const KernelShape& shape, Arbiter arbiter, Port port,
                                               typename A::State state);
  void reset_arbiters(const KernelShape& shape);
  /// The VC that a head takes of an output, if those in `free` are free, of which there are some.
  [[nodiscard]] [[gnu::always_inline]] inline unsigned select_vc(const KernelShape& shape,
                                                                 const Way& way,
                                                                 unsigned free) const;
  /// A head takes an output VC.
  [[gnu::always_inline]] inline void move_vc_pointer(const KernelShape& shape, Slot to);

  // The stages of a step. They are inlined into one function, because a simulation spends most of
  // its time here.
  void absorb_arrivals(Masks& masks, Cycle now);  // section 5.6, the arrivals of the cycle before
  template <bool kHeadsOnly = false>
  void allocate(const KernelShape& shape, const Masks& masks, Allocation& allocation) const;
  [[gnu::always_inline]] void arbitrate(const KernelShape& shape, Arbiter in, Arbiter out,
                                        Mask requests, const std::array<Slot, kSlots>& target,
                                        Grants& grants) const;
  bool follow(const KernelShape& shape, const Masks& masks, std::uint32_t self, Moves& moves);
  template <MoveKind kind>
  void send_flit(const KernelShape& shape, Slot to, std::uint64_t data, std::uint8_t flags,
                 RouterKernel* kernels, StepContext& context);
  template <MoveKind kind>
  [[gnu::always_inline]] void send_credit(const KernelShape& shape, Slot from,
                                          RouterKernel* kernels, StepContext& context);
  static void wake(std::uint32_t kernel, Cycle at, StepContext& context);
  void note(Mask from, Mask to, StepContext& context);
  void take_credits_early(Cycle now);
  /// Without the flits of the inbox.
  [[nodiscard]] bool is_empty() const;
  [[nodiscard]] [[gnu::always_inline]] inline Slot next_of(const KernelShape& shape,
                                                           Slot from) const;
  template <bool kObserved, MoveKind kind>
  [[gnu::always_inline]] inline void move(const KernelShape& shape, Slot from, Slot to,
                                          RouterKernel* kernels, StepContext& context);
  template <bool kObserved>
  void commit(const KernelShape& shape, Masks& masks, Slot from, Slot to);
  void claim(Masks& masks, Slot from, Slot to);
  void commit_heads(const KernelShape& shape, Masks& masks, const Allocation& allocation);
  void report_rest(const KernelShape& shape, const Masks& masks, const Allocation& allocation,
                   Mask granted, StepContext& context) const;
  [[noreturn, gnu::cold, gnu::noinline]] void fail(const char* what, Port port) const;

  // Written by the neighbours: bit vc of byte port, by cycle; the back of each FIFO.
  Inbox flit_inbox_{}, credit_inbox_{};
  std::array<std::uint8_t, kSlots> write_{};  // input VCs

  std::uint64_t* data_;  // of the FIFOs, and the flits' flags
  std::uint8_t* flags_;
  std::uint32_t address_;
  NodeId node_;

  alignas(8) std::array<std::uint8_t, kCounts> count_{};    // input VCs
  alignas(8) std::array<std::uint8_t, kCounts> credits_{};  // output VCs
  std::array<std::uint8_t, kSlots> read_{};                 // input VCs
  std::array<Slot, kSlots> out_{};                          // input VCs: out_port and out_vc
  std::array<std::uint8_t, kSlots> kind_;                   // input VCs: the MoveKind of that
  Masks masks_;
  // With an observer, of the last step in which flits moved: input VCs, output VCs, its number.
  Mask moved_from_ = 0, moved_to_ = 0;
  std::uint64_t moved_in_ = 0;
  std::array<std::array<std::uint8_t, kPorts>, kGeneral ? 4 : 2> order_{};  // by Arbiter and port
  std::array<KernelLink, kPorts> ahead_{}, behind_{};                       // of outputs, of inputs

  std::array<std::uint8_t, kGeneral ? kSlots : 0> class_vcs_{};    // input VCs: the open VCs
  std::array<std::uint8_t, kGeneral ? kPorts : 0> vc_pointers_{};  // outputs: vc_selection.hpp
  // By Arbiter and port, of arbiters whose state is a word. Only a general kernel uses it.
  std::uint64_t* orders_;
};

/// A flit's head and tail bits in a FIFO.
constexpr std::uint8_t flags_of(const Flit& flit) {
  return static_cast<std::uint8_t>(unsigned{flit.head} | unsigned{flit.tail} << 1);
}
/// By such bits. A copy costs less than to take the bits apart.
inline constexpr std::array<Flit, 4> kFlitWith = {{{.head = false, .tail = false},
                                                   {.head = true, .tail = false},
                                                   {.head = false, .tail = true},
                                                   {.head = true, .tail = true}}};
constexpr Flit flit_of(std::uint64_t data, std::uint8_t flags, Vc vc) {
  Flit flit = kFlitWith[flags];
  flit.data = data;
  flit.vc = vc;
  return flit;
}

}  // namespace annelid::systemc
