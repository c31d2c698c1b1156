// What the routers of a word have to do with their neighbours in planes: credits, VCs in use, flits
// to other words. Only plane_kernel_*.cpp include it; plane.hpp explains the consequences.
#pragma once

#include "systemc/planes/plane_arbiters.hpp"

namespace annelid::systemc::ANNELID_PLANES {

/// The kernel's parameters are explained in plane_kernel.hpp.
template <int N, int V, int D, int C, bool P>
struct KernelLinks : KernelArbiters<N, V, D, C, P> {
  using At = KernelArbiters<N, V, D, C, P>;
  using At::kAt, At::kRings, At::lane, At::row, At::word_at;
  using typename At::Row, typename At::Word;

  /// A one-port router has a channel inside: from output 4 to input 5.
  static constexpr bool kOnePort = kAt.one_port();
  /// The number of lanes that Row::exchanged must serve. Of up to 5 ports at most 4 are external.
  static constexpr int kExchanged = N <= 5 ? 4 : 8;

  // ---- The VCs in use ---------------------------------------------------------------------------

  /// From this VC on, a word has no flits and no owners of VCs. A low load needs few VCs.
  [[gnu::always_inline]] static int used(const PlaneState& s, std::uint32_t k) {
    return V <= 2 ? V : s.used[k];
  }
  /// From this VC on, no head can leave, where heads take the lowest VC that is free and there are
  /// no classes.
  [[gnu::always_inline]] static int reach(const PlaneState& s, std::uint32_t k) {
    if constexpr (V <= 2 || kRings || P) return V;
    if (s.rotating) return V;
    int most = s.used[k];
    for (int i = 0; i < s.far_link_count; ++i) {
      const std::uint32_t there = k + static_cast<std::uint32_t>(s.far_links[i].words);
      if (there < s.words && s.used[there] > most) most = s.used[there];
    }
    return most < V ? most + 1 : V;
  }
  [[gnu::always_inline]] static void use(PlaneState& s, std::uint32_t k, int vcs) {
    if (V > 2 && s.used[k] < vcs) s.used[k] = static_cast<std::uint8_t>(vcs);
  }

  // ---- The same word ----------------------------------------------------------------------------

  /// What the neighbours' inputs or outputs hold, at the ports that lead there. `own`: the lanes of
  /// these ports.
  [[gnu::always_inline]] static Row beside(const PlaneState& s, std::uint32_t k, const Row& there,
                                           const std::uint64_t* own) {
    const Row next = there.template exchanged<kExchanged>(row(s.steps)) & row(own);
    if constexpr (!kRings) return next;
    const PlaneRim& rim = s.rims[k];
    return (next & row(rim.next)) |
           (there.template exchanged<kExchanged, true>(row(s.around)) & row(rim.around));
  }
  [[gnu::always_inline]] static Row flits_beside(const PlaneState& s, std::uint32_t k,
                                                 const Row& there) {
    return beside(s, k, there, s.own);
  }
  /// An output has a credit unless the neighbour's FIFO was full when the cycle began: a router
  /// sees the flits that it sent in the last cycle, and the flits that the neighbour sent on. A
  /// sink takes each flit in the next cycle, so a credit is missing only if the sink's buffer has
  /// just one place. With pipelines, row claimed() takes the place of the FIFO.
  [[gnu::always_inline]] static Row no_credit(const PlaneState& s, std::uint32_t k, int w) {
    const Word word = word_at(s, k);
    const int full = kAt.full(w, s.depth);
    Row& none = row(word, kAt.no_credit(w));
    none = beside(s, k, row(word, full), kOnePort ? s.own_credits : s.own);
    if constexpr (P) {
      none |= sink_waits(s, word, w) & row(s.local);
    } else if (s.depth == 1) {
      none |= row(word, kAt.sent(w)) & row(s.local);
    }
    for (int i = 0; i < s.far_link_count; ++i) {
      const PlaneFarLink& far = s.far_links[i];
      const std::uint32_t there = k + static_cast<std::uint32_t>(far.words);
      const std::uint64_t routers = routers_of(s, i, k);
      if (there >= s.words || routers == 0) continue;
      lane(s, k, kAt.no_credit(w), far.lane) |=
          shifted(lane(s, there, full, far.lane ^ 1), -far.shift) & routers;
    }
    return none;
  }

  /// With pipelines. Where a flit passes a switch register, its credit takes one more cycle.
  [[gnu::always_inline]] static Row sink_waits(const PlaneState& s, Word word, int w) {
    const Row sent = row(word, kAt.sent(w));
    Row& before = row(word, kAt.sent_before(w));
    Row waits = Row::all(0);
    if (s.stages == 1) {
      if (s.depth == 1) waits = sent;
    } else if (s.depth <= 2) {
      waits = s.depth == 1 ? sent | before : sent & before;
    }
    before = sent;
    return waits;
  }

  // ---- Other words ------------------------------------------------------------------------------

  /// The routers of a word that may use a far link. In a mesh, all that send by its lane.
  [[gnu::always_inline]] static std::uint64_t routers_of(const PlaneState& s, int link,
                                                         std::uint32_t k) {
    if constexpr (!kRings) return ~std::uint64_t{0};
    return s.far_routers[static_cast<std::uint32_t>(link) * s.words + k];
  }
  [[gnu::always_inline]] static std::uint64_t shifted(std::uint64_t word, int left) {
    return left >= 0 ? word << left : word >> -left;
  }
  /// The distance in node numbers to the neighbour of a router at output `o`.
  [[gnu::always_inline]] static std::int32_t distance(const PlaneState& s, std::uint32_t k,
                                                      unsigned o, std::uint32_t bit) {
    if constexpr (kRings) {
      if ((s.rims[k].closes[o] >> bit & 1) != 0) return s.other_end[o];
    }
    return s.neighbour[o];
  }
  /// Sends flits to routers in other words.
  [[gnu::always_inline]] static void send_far(PlaneState& s, std::uint32_t k, int vcs) {
    for (int i = 0; i < s.far_link_count; ++i) {
      const PlaneFarLink& far = s.far_links[i];
      const std::uint32_t there = k + static_cast<std::uint32_t>(far.words);
      const std::uint64_t routers = routers_of(s, i, k);
      if (there >= s.words || routers == 0) continue;
      std::uint64_t any = 0;
      for (int w = 0; w < vcs; ++w) {
        const std::uint64_t flits = shifted(lane(s, k, kAt.sent(w), far.lane) & routers, far.shift);
        lane(s, there, kAt.arriving(w), far.lane ^ 1) |= flits;
        any |= flits;
      }
      if (any == 0) continue;
      lane(s, there, kAt.arriving_tail(), far.lane ^ 1) |=
          shifted(lane(s, k, kAt.sent_tail(), far.lane) & routers, far.shift);
      s.touched[there / 64] |= std::uint64_t{1} << there % 64;
      use(s, there, vcs);
    }
  }
};

}  // namespace annelid::systemc::ANNELID_PLANES
