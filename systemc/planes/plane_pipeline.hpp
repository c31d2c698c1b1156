// Routers of two to four stages, and link registers, in planes. Only plane_kernel_*.cpp include it;
// plane.hpp explains the consequences.
//
// Flits and credits that are on their way wait in rows by the cycle in which they get there.
// Nothing reads them before. So switch and link registers need no other storage.
#pragma once

#include "systemc/planes/plane_links.hpp"
#include "systemc/planes/plane_terminals.hpp"

namespace annelid::systemc::ANNELID_PLANES {

/// The kernel's parameters are explained in plane_kernel.hpp.
template <int N, int V, int D, int C, bool P>
struct KernelPipeline : KernelLinks<N, V, D, C, P> {
  using Links = KernelLinks<N, V, D, C, P>;
  using Links::kAt, Links::kOnePort, Links::kPointers, Links::at_outputs, Links::of_class,
      Links::row;
  using typename Links::Row, typename Links::Word;

  // ---- Section 5.5: what is on its way ----------------------------------------------------------

  [[gnu::always_inline]] static unsigned in(const PlaneState& s, unsigned cycles) {
    const unsigned at = s.now + cycles;
    return at < kPlaneFlight ? at : at - kPlaneFlight;
  }
  /// What was sent to the inputs in this cycle goes to its cycle's row, in rows from `first` on.
  /// The result is what enters the FIFOs now.
  [[gnu::always_inline]] static Row land(const PlaneState& s, Word word, int first,
                                         const Row& sent) {
    row(word, first + static_cast<int>(in(s, s.delay))) |= sent & row(s.from_outside);
    if constexpr (kOnePort) {
      row(word, first + static_cast<int>(in(s, s.inner_delay))) |= sent & row(s.from_inside);
    }
    Row& here = row(word, first + static_cast<int>(s.now));
    const Row lands = here | (sent & row(s.from_source));
    here = Row::all(0);
    return lands;
  }
  /// The flits of this cycle, which are sent to VC v, claim its places. Those that left its FIFO
  /// free them when their credits are back.
  [[gnu::always_inline]] static void claim(const PlaneState& s, Word word, int v, const Row& sent,
                                           const Row& granted) {
    const Row& outside = row(s.from_outside);
    row(word, kAt.returned(v, in(s, s.delay))) |= granted & outside;
    row(word, kAt.returned(v, in(s, s.inner_delay))) |= granted & ~outside;
    Row& returned = row(word, kAt.returned(v, s.now));
    const Row freed = returned;
    returned = Row::all(0);
    Row below = Row::all(~std::uint64_t{0});
    repeat<D>([&]<int place>() {
      Row& claimed = row(word, kAt.claimed(v, place));
      Row next = Row::all(0);
      if constexpr (place + 1 < D) next = Links::row(word, Links::kAt.claimed(v, place + 1));
      const Row stays = (claimed & ~freed) | next;
      claimed = stays | (sent & below);
      below = stays;
    });
  }
  /// The heads that get there `cycles` later. Those of this cycle are in s.flying.
  [[gnu::always_inline]] static void fly(PlaneState& s, unsigned cycles, const PlaneHead& head) {
    const unsigned at = in(s, cycles);
    if (at == s.now) {
      s.flying[s.flying_count++] = head;
      return;
    }
    s.flights[at][s.flight_counts[at]++] = head;
  }
  /// A word sleeps some cycles after the last flit or credit, when its switch registers are empty
  /// and its sinks have given all credits.
  [[gnu::always_inline]] static bool stays_awake(PlaneState& s, std::uint32_t k, bool busy) {
    std::uint8_t& cycles = s.awake[k];
    cycles = static_cast<std::uint8_t>(busy ? 3 : cycles - (cycles > 0));
    return cycles > 0;
  }
  static void next_cycle(PlaneState& s) {
    s.now = in(s, 1);
    s.flying = s.flights[s.now];
    s.flying_count = s.flight_counts[s.now];
    s.flight_counts[s.now] = 0;
  }

  // ---- Section 5.4: ejection channels behind the switch register --------------------------------

  static void eject_heads(PlaneState& s) {
    for (std::uint32_t i = 0; i < s.ejection_count; ++i) {
      const PlaneEjection& e = s.ejections[i];
      s.terminals->head_ejected(e.node, e.local, static_cast<Vc>(e.vc), e.packet);
    }
    s.ejection_count = 0;
  }

  // ---- Sections 5.1 and 5.2 where they have stages of their own ---------------------------------

  /// Of the heads of VC v, those that may ask for the switch, or for a VC if that has a stage.
  [[gnu::always_inline]] static Row ready(const PlaneState& s, Word word, int v, const Row& heads) {
    return s.stages >= 3 ? heads & row(word, kAt.routed(v)) : heads;
  }
  /// Four stages: the heads in `request` ask for their free VCs.
  template <bool kRotating>
  static void give_vcs(const PlaneState& s, Word word, int vcs_in, const Row* request,
                       const Row* free_vc) {
    Row chosen[V], before_vc[V], wish[N], candidate[N], before[N], winner[N], won[N], of_heads[C];
    Links::template pick<V, kPointers>(request, word, kAt.va_in_pointer(0), chosen, before_vc);
    repeat<N>([&]<int o>() { wish[o] = chosen[0] & row(word, kAt.target(0, o)); });
    for (int v = 1; v < vcs_in; ++v) {
      repeat<N>([&]<int o>() { wish[o] |= chosen[v] & row(word, kAt.target(v, o)); });
    }
    transpose<N>(wish, candidate);
    const Row given =
        Links::template pick<N, 1>(candidate, word, kAt.va_out_pointer(0), winner, before);
    Links::template turn<N, 1>(word, kAt.va_out_pointer(0), before, given);
    transpose<N>(winner, won);
    Row served = won[0];
    repeat<N - 1>([&]<int o>() { served |= won[o + 1]; });
    Links::template turn<V, kPointers>(word, kAt.va_in_pointer(0), before_vc, served);
    for (int v = 0; v < vcs_in; ++v) row(word, kAt.allotted(v)) = served & chosen[v];
    repeat<C>([&]<int c>() {
      Row heads = Row::all(0);
      for (int v = 0; v < vcs_in; ++v) heads |= of_class(word, v, c, chosen[v]);
      of_heads[c] = at_outputs(winner, heads);
    });
    if constexpr (kRotating) Links::turn_vc_pointers(s, word, of_heads, free_vc);
    for (int w = 0; w < V; ++w) {
      Row given_vc = Row::all(0);
      repeat<C>([&]<int c>() { given_vc |= of_heads[c] & free_vc[c * V + w]; });
      row(word, kAt.given(w)) = given_vc;
    }
  }
  /// Ends the cycle for the heads of VC v. The result is the heads that leave. `granted` and
  /// `active` are those of the cycle.
  [[gnu::always_inline]] static Row end_heads(const PlaneState& s, Word word, int v,
                                              const Row& granted, const Row& active) {
    if (s.stages <= 2) return granted & ~active;
    Row& routed = row(word, kAt.routed(v));
    routed |= row(word, kAt.occupied(v, 0)) & ~active;
    if (s.stages == 3) {
      const Row heads = granted & ~active;
      routed = routed & ~heads;
      return heads;
    }
    const Row allotted = row(word, kAt.allotted(v));
    Row& starting = row(word, kAt.starting(v));
    const Row heads = granted & starting;
    routed = routed & ~allotted;
    starting = (starting & ~granted) | allotted;
    return heads;
  }
};

}  // namespace annelid::systemc::ANNELID_PLANES
