// RouterArray for one kind of kernel; instantiated in router_array_*.cpp.
#pragma once

#include <array>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "systemc/cut/cut.hpp"
#include "systemc/kernel/router_array.hpp"
#include "systemc/kernel/router_array_host.hpp"
#include "systemc/kernel/router_end.hpp"
#include "systemc/kernel/router_kernel_observed_impl.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::systemc {

template <class Space, class Policies>
class RouterAssemblyOf;

/// RouterAssemblyOf (router_assembly_of.hpp) adds its routers and joins them.
template <class Space, class Policies>
class RouterArrayOf final : public RouterArray, public RepeatingRouters {
 public:
  RouterArrayOf(const NetworkConfig& network, RouterArrayHost& host, Cut* cut)
      : shape_(network, Space::kVcBits), host_(host), cut_(cut) {
    context_.granted = SentFlits(shape_.stages > 1);
    if (cut != nullptr) index_of_.resize(cut->slab().end - cut->slab().first);
  }

  std::uint32_t size() const override { return static_cast<std::uint32_t>(kernels_.size()); }

  bool joined_both_ways(std::uint32_t router, int link) const override {
    const KernelLink& there = kernels_[router].ahead(output_of(link));
    if (there.kind != KernelLink::Kind::kKernel) return true;
    const KernelLink& back = kernels_[there.index].ahead(output_of(there.port));
    return back.kind == KernelLink::Kind::kKernel && back.index == router && back.port == link;
  }

  void leave(Cycle now) override {
    for (Cycle at = now; at < now + kFlightCycles; ++at) {
      std::erase_if(context_.outbox[at % kFlightCycles], [at](const Outgoing& out) {
        auto* const link = dynamic_cast<CutLink*>(out.to);
        if (link == nullptr) return false;
        out.credit ? link->send_credit(out.flit.vc, at) : link->send(out.flit, at);
        return true;
      });
    }
  }
  void come(Cycle now) override {
    for (const Cut::Side side : Cut::kSides) {
      if (!cut_->has(side)) continue;
      const Port port = cut_->port(side);
      const NodeId first = cut_->border(side) - cut_->slab().first;
      Cut::Reader reader = cut_->read(side, now);
      for (Crossing what; reader.next(what);) {
        if (CutEnd* const other = cut_->end(side, what.place)) {
          cut_->take(*other, what, reader);
          continue;
        }
        const std::uint32_t index = index_of_[first + what.place];
        Kernel& kernel = kernels_[index];
        if (what.credit) {
          kernel.take_credit(port, what.vc, what.reaches);
        } else {
          const std::uint64_t low = reader.word(), data = low | std::uint64_t{reader.word()} << 32;
          if (what.head && cut_->terminals() != nullptr) {
            (void)cut_->terminals()->come(reader.packet());
          }
          kernel.take_flit(shape_, port, what.vc, data,
                           flags_of({.head = what.head, .tail = what.tail}), what.reaches);
        }
        changed_from_outside(what.reaches);
        context_.wake(index, what.reaches + 1);
        host_.stay_awake(what.reaches + 1);
      }
    }
  }

  void report_sent(Cycle now, FabricObserver& observer) override {
    context_.granted.report_sent(now, observer);
  }

  Happened step(Cycle now, FabricObserver* observer, bool reversed) override {
    const std::uint64_t moved = context_.moved, ejected = context_.ejected;
    context_.begin(now, observer);
    bool any = false;
    if (observer == nullptr) {
      any = step_all<false>(reversed);
    } else {
      any = step_all<true>(reversed);
      context_.compare_moved();
      context_.report_grants();
    }
    deliver(now);
    return {any ? now + flight_cycles() : 0, context_.moved - moved, context_.ejected - ejected};
  }

  void step_plainly(Cycle now) override {
    context_.begin(now, nullptr);
    std::uint8_t* const awake = awake_[now % kFlightCycles].data();
    for (std::uint32_t first = 0; first < size(); first += kGroup) {
      Batch batch;
      for (std::uint32_t n = first; n < std::min<std::uint32_t>(first + kGroup, size()); ++n) {
        if (awake[n] == 0) continue;
        awake[n] = 0;
        arrive(context_, n, batch);
      }
      finish(context_, batch);
    }
    deliver(now);
  }

  void wake_all(Cycle at) override {
    context_.changed = at;
    for (std::uint32_t n = 0; n < size(); ++n) context_.wake(n, at);
  }

  // A diagonal moves in every cycle in which a flit does.
  RepeatingRouters* repeating() override { return shape_.diagonals ? nullptr : this; }
  Cycle changed() const override { return context_.changed; }
  // A buffer that is filled or emptied is full or empty after `depth` cycles. What is on its way
  // arrives within the others. While the same flits move, each arbiter can change its order once
  // more: with several rounds not all do so in the first cycle, as a grant may be of a later round.
  Cycle settling_cycles() const override {
    const unsigned orders = shape_.iterations > 1 ? 2 * shape_.ports : 0;
    return shape_.depth + 2 * kFlightCycles + orders;
  }
  Path follow(std::uint32_t router, Port link, Vc vc,
              std::vector<std::uint64_t*>& places) override {
    Path path;
    for (KernelLink to{router, link, KernelLink::Kind::kKernel};;) {
      Slot out;
      Kernel& kernel = kernels_[to.index];
      if (!kernel.add_places(shape_, to.port, vc, context_.step, places, out)) return path;
      ++path.hops;
      vc = Space::vc_of(out);
      to = kernel.ahead(Space::port_of(out));
      if (to.kind == KernelLink::Kind::kKernel) continue;
      if (to.kind != KernelLink::Kind::kOther) return path;
      path.vc = vc;
      if (add_outgoing(*others_[to.index], vc, places)) path.sink = others_[to.index];
      return path;
    }
  }

  std::uint64_t flits_moved() const override { return context_.moved; }
  void state(std::uint32_t router, Cycle now, RouterState& state) const override {
    kernels_[router].state(shape_, now, state);
  }
  void registers(std::uint32_t router, Cycle now, unsigned ports,
                 RouterState& state) const override {
    kernels_[router].registers(shape_, now, ports, state);
  }
  unsigned flits_in(std::uint32_t router, Cycle now, Port port, Vc vc) const override {
    return kernels_[router].flits_in(now, port, vc);
  }
  bool was_used(std::uint32_t router, Cycle now, Port port, Vc vc) const override {
    return kernels_[router].was_used(now, port, vc);
  }

  const NetworkConfig& network() const override { return shape_.network; }
  std::size_t hot_bytes() const override {
    return sizeof(Kernel) + shape_.flits * (sizeof(std::uint64_t) + 1) +
           shape_.order_words * sizeof(std::uint64_t);
  }

 private:
  friend class RouterAssemblyOf<Space, Policies>;
  using Kernel = RouterKernel<Space, Policies>;

  static constexpr std::size_t kGroup = std::size_t{1} << kGroupBits;

  /// Our end of a link.
  class End final : public RouterEnd {
   public:
    End(RouterArrayOf& array, std::uint32_t router, Port link)
        : RouterEnd(router, link), out(array.output_of(link)), array_(array) {}
    [[nodiscard]] const RouterView& routers() const override { return array_; }
    [[nodiscard]] RepeatingRouters& repeating() const override { return array_; }
    void put_flit(const Flit& flit) override { array_.take_flit(router(), link(), flit); }
    void put_credit(Vc vc) override { array_.take_credit(*this, vc); }

    const Port out;              ///< our output, to which the neighbour's credits belong
    Cycle last_credit = kNever;  ///< the cycle in which one was taken

   private:
    RouterArrayOf& array_;
  };

  // FIFOs, and states of arbiters that are words, in chunks, so that their addresses never change.
  static constexpr std::size_t kChunk = 64;
  struct Chunk {
    std::vector<std::uint64_t> data;
    std::vector<std::uint8_t> flags;
    std::vector<std::uint64_t> orders;
  };

  /// For how many cycles after one in which a router did anything something may still happen.
  [[nodiscard]] Cycle flight_cycles() const { return shape_.max_delay + 1; }

  // The ports of a link: one, but for the local link of a one-port router.
  [[nodiscard]] Port output_of(int link) const {
    const RouterConfig& router = shape_.network.router;
    return router.is_external(link) ? static_cast<Port>(link)
                                    : router.ejection_output(link - router.first_local());
  }

  void take_flit(std::uint32_t router, Port link, const Flit& flit) {
    const Cycle now = host_.current_cycle();
    if (host_.asleep() || !kernels_[router].may_take_flit(shape_, link, flit.vc, now)) {
      fail(router, "has no room for a flit", link, flit.vc);
    }
    Kernel& kernel = kernels_[router];
    kernel.take_flit(shape_, link, flit.vc, flit.data, flags_of(flit), now);
    if (flit.head || flit.tail || !kernel.moves_from(link, flit.vc, context_.step)) {
      changed_from_outside(now);
    }
    context_.wake(router, now + 1);
    host_.arrived(!shape_.network.router.is_external(link));
  }
  void take_credit(End& end, Vc vc) {
    const Cycle now = host_.current_cycle();
    const std::uint32_t router = end.router();
    Kernel& kernel = kernels_[router];
    if (host_.asleep() || end.last_credit == now ||
        !kernel.may_take_credit(shape_, end.out, vc, now)) {
      fail(router, "has no place for a credit", end.link(), vc);
    }
    end.last_credit = now;
    if (!kernel.moves_to(end.out, vc, context_.step)) changed_from_outside(now);
    if (!kernel.take_credit_asleep(end.out, vc, now)) {
      kernel.take_credit(end.out, vc, now);
      context_.wake(router, now + 1);
    }
    host_.arrived(false);
  }
  /// Adds the places of the flits on their way to a neighbour outside, newest first. False if there
  /// is a head or a tail among them.
  bool add_outgoing(const LinkIf& sink, Vc vc, std::vector<std::uint64_t*>& places) {
    for (Cycle ahead = flight_cycles(); ahead-- > 0;) {
      for (Outgoing& out : context_.outbox[(host_.current_cycle() + ahead) % kFlightCycles]) {
        if (out.to != &sink || out.credit || out.flit.vc != vc) continue;
        if (out.flit.head || out.flit.tail) return false;
        places.push_back(&out.flit.data);
      }
    }
    return true;
  }
  void changed_from_outside(Cycle now) { context_.changed = now; }
  [[noreturn, gnu::cold, gnu::noinline]] void fail(std::uint32_t router, const char* what,
                                                   Port link, Vc vc) const {
    if (host_.asleep()) what = "takes flits and credits from a process by a LocalPort alone,";
    throw std::logic_error("router " + node_text(kernels_[router].address(), 3) + " " + what +
                           " in cycle " + std::to_string(host_.current_cycle()) + ": port " +
                           std::to_string(link) + ", vc " + std::to_string(vc));
  }

  // ---- The activity maps ------------------------------------------------------------------------

  // Eight groups of kernels are looked at at once, and then eight kernels: most are asleep.
  template <bool kObserved>
  bool step_all(bool reversed) {
    // Only this loop is as long as the network: a 64-bit read covers 512 routers.
    std::uint8_t* const map = groups_[context_.now % kFlightCycles].data();
    const std::size_t words = groups_[0].size() / 8;
    bool any = false;
    for (std::size_t i = 0; i < words; ++i) {
      const std::size_t base = 8 * (reversed ? words - 1 - i : i);
      std::uint64_t eight = word_at(map + base);
      if (eight == 0) continue;
      std::memset(map + base, 0, sizeof eight);
      while (eight != 0) {
        any |= step_group<kObserved>(base + take_byte(eight, reversed), reversed);
      }
    }
    return any;
  }
  template <bool kObserved>
  [[gnu::flatten]] bool step_group(std::size_t group, bool reversed) {
    StepContext& context = context_;
    Batch batch;
    bool any = false;
    for (std::uint64_t awake = take_group(context.now, group); awake != 0;) {
      const int bit = reversed ? 63 - std::countl_zero(awake) : std::countr_zero(awake);
      awake &= ~(std::uint64_t{1} << bit);
      const auto n = static_cast<std::uint32_t>(group * kGroup + static_cast<std::size_t>(bit));
      if constexpr (kObserved) {
        any |= step_observed(context, n, batch.moves);
      } else {
        arrive(context, n, batch);
      }
    }
    if constexpr (!kObserved) any = finish(context, batch);
    return any;
  }

  // A cycle of a group is a few loops over lists, whose branches the processor predicts well. It
  // cannot predict how many flits a router has and where they go.
  struct Batch {
    std::uint32_t undecided = 0;  ///< kernels in `list` that are to decide
    std::array<std::uint32_t, kGroup + 1> list;
    typename Kernel::Moves moves;
  };
  void arrive(StepContext& context, std::uint32_t n, Batch& batch) {
    batch.list[batch.undecided] = n;
    batch.undecided += kernels_[n].template arrive<false>(shape_, n, context, batch.moves);
  }
  bool finish(StepContext& context, Batch& batch) {
    bool any = false;
    for (std::uint32_t i = 0; i < batch.undecided; ++i) {
      const std::uint32_t n = batch.list[i];
      any |= kernels_[n].template decide<false>(shape_, n, context, batch.moves);
    }
    batch.undecided = 0;
    const std::uint64_t moved = forward<false, kInside, kInside>(context, batch.moves) +
                                forward<false, kFromOther, kFromOther>(context, batch.moves) +
                                forward<false, kToOther, kToOther>(context, batch.moves) +
                                forward<false, kThrough, kThrough>(context, batch.moves);
    context.moved += moved;
    return any || moved != 0;
  }
  /// The observer is told what happens router by router, and of each in the order of the outputs.
  bool step_observed(StepContext& context, std::uint32_t n, typename Kernel::Moves& moves) {
    Kernel& kernel = kernels_[n];
    if (kernel.pass_lone_flit(shape_, kernels_.data(), context)) return true;
    if (!kernel.template arrive<true>(shape_, n, context, moves)) return false;
    if (kernel.go_without_rivals(shape_, n, kernels_.data(), context)) return true;
    const bool any = kernel.template decide<true>(shape_, n, context, moves);
    const std::uint64_t moved = forward<true, kInside, kUnknownKind>(context, moves);
    context.moved += moved;
    return any || moved != 0;
  }
  template <bool kObserved, MoveKind list, MoveKind kind>
  std::uint64_t forward(StepContext& context, typename Kernel::Moves& moves) {
    return moves.take(list, [&](const Move& move) {
      kernels_[move.kernel].template forward<kObserved, kind>(shape_, move.from, move.to,
                                                              kernels_.data(), context);
    });
  }
  /// Delivers what was under way to neighbours outside the array, and reaches them in this cycle.
  void deliver(Cycle now) {
    host_.begin_delivery();
    auto& outbox = context_.outbox[now % kFlightCycles];
    for (const Outgoing& out : outbox) {
      if (out.credit) {
        out.to->put_credit(out.flit.vc);
      } else {
        context_.ejected += out.ejected;
        out.to->put_flit(out.flit);
      }
    }
    outbox.clear();
  }
  /// Reads and clears the kernels of a group in the map: a bit each.
  std::uint64_t take_group(Cycle now, std::size_t group) {
    static_assert(kGroup == 64);
    std::uint8_t* const bytes = awake_[now % kFlightCycles].data() + group * kGroup;
    std::uint64_t awake = 0;
    for (std::size_t i = 0; i < kGroup; i += 8) {
      awake |= std::uint64_t{bits_of_bytes(word_at(bytes + i))} << i;
    }
    std::memset(bytes, 0, kGroup);
    return awake;
  }
  static std::size_t take_byte(std::uint64_t& eight, bool reversed) {
    const int byte = (reversed ? 63 - std::countl_zero(eight) : std::countr_zero(eight)) / 8;
    eight &= ~(std::uint64_t{0xff} << byte * 8);
    return static_cast<std::size_t>(byte);
  }

  KernelShape shape_;
  RouterArrayHost& host_;
  Cut* cut_;                             // null, or that of the slab whose routers these are
  std::vector<std::uint32_t> index_of_;  // with a cut, by node of the slab
  std::vector<Kernel> kernels_;
  std::deque<Chunk> chunks_;
  std::deque<End> ends_;  // by router and link
  std::vector<LinkIf*> others_;
  StepContext context_;
  std::array<std::vector<std::uint8_t>, kFlightCycles> awake_, groups_;  // activity maps
};

}  // namespace annelid::systemc
