// Executes a cycle of all routers of a network: docs/internals/microarchitecture.md, section 5, for
// 64 routers at a time (docs/internals/planes.md). Only plane_kernel_*.cpp include it, each for one
// kind of processor; plane.hpp explains the consequences.
#pragma once

#include "systemc/router/plane.hpp"
#include "systemc/router/plane_state.hpp"
#include "systemc/router/plane_terminals.hpp"

namespace annelid::systemc::ANNELID_PLANES {

/// Routers with up to N ports, up to V virtual channels, and FIFOs of up to D flits.
template <int N, int V, int D>
class Kernel {
 public:
  static constexpr PlaneLayout kAt{N, V, D};

  static void decide(PlaneState& s) {
    for_each(s.busy, s.words, [&](std::uint32_t k) { decide(s, k); });
  }
  // In one walk, as the rows of a word do not stay in the cache until the second.
  static void step(PlaneState& s) {
    for_each(s.busy, s.words, [&](std::uint32_t k) {
      decide(s, k);
      leave(s, k);
    });
    arrive(s);
  }

 private:
  using Word = std::uint64_t*;

  // The compiler knows the layout here, so these cost what an index does.
  [[gnu::always_inline]] static Word word_at(const PlaneState& s, std::uint32_t k) {
    constexpr auto kSize = static_cast<std::size_t>(kAt.rows() * kPlaneLanes);
    return s.rows + k * kSize;
  }
  [[gnu::always_inline]] static std::uint64_t& lane(const PlaneState& s, std::uint32_t k, int row,
                                                    int port) {
    return word_at(s, k)[row * kPlaneLanes + port];
  }
  [[gnu::always_inline]] static std::size_t slot_at(std::uint32_t node, int port, int v) {
    return (std::size_t{node} * N + static_cast<std::size_t>(port)) * V +
           static_cast<std::size_t>(v);
  }
  [[gnu::always_inline]] static Row& row(Word word, int r) {
    return *reinterpret_cast<Row*>(word + r * kPlaneLanes);
  }
  [[gnu::always_inline]] static const Row& row(const std::uint64_t* word, int r = 0) {
    return *reinterpret_cast<const Row*>(word + r * kPlaneLanes);
  }
  /// One port's word of a row, for all lanes.
  [[gnu::always_inline]] static Row spread(const Row& row, int port) {
    return Row::all(reinterpret_cast<const Bits*>(&row)[port]);
  }
  using Bits = std::uint64_t __attribute__((may_alias));

  template <typename F>
  [[gnu::always_inline]] static void for_each(const std::uint64_t* set, std::uint32_t words, F f) {
    for (std::uint32_t i = 0; i * 64 < words; ++i) {
      for (std::uint64_t rest = set[i]; rest != 0; rest &= rest - 1) {
        f(i * 64 + static_cast<std::uint32_t>(__builtin_ctzll(rest)));
      }
    }
  }
  /// Calls f(port, bit) for each bit of a row.
  template <typename F>
  [[gnu::always_inline]] static void for_each_bit(const std::uint64_t* row, F f) {
    for (int port = 0; port < N; ++port) {
      for (std::uint64_t rest = row[port]; rest != 0; rest &= rest - 1) {
        f(port, static_cast<std::uint32_t>(__builtin_ctzll(rest)));
      }
    }
  }

  // ---- Arbiters ---------------------------------------------------------------------------------

  /// Picks the first requester at or after the pointer, or else the first of all. The result says
  /// where there is a pick.
  template <int n>
  [[gnu::always_inline]] static Row pick(const Row* requests, const Row* pointer, Row* winner) {
    Row after = Row::all(0), any = Row::all(0), first[n];
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) {
      const Row here = requests[j] & pointer[j];
      winner[j] = here & ~after;
      first[j] = requests[j] & ~any;
      after |= here;
      any |= requests[j];
    }
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) winner[j] |= first[j] & ~after;
    return any;
  }
  /// Moves the pointer behind the winner, where the pick is final.
  template <int n>
  [[gnu::always_inline]] static void turn(Row* pointer, const Row* winner, const Row& final) {
    Row before = Row::all(0);
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) {
      pointer[j] = select(final, before, pointer[j]);
      before |= winner[j];
    }
  }

  // ---- Section 5.2 and 5.3 ----------------------------------------------------------------------

  /// An output has a credit unless the neighbour's FIFO was full when the cycle began: a router
  /// sees the flits that it sent in the last cycle, and the flits that the neighbour sent on. A
  /// sink takes each flit in the next cycle, so a credit is missing only if the sink's buffer has
  /// just one place.
  [[gnu::always_inline]] static Row no_credit(const PlaneState& s, std::uint32_t k, int w) {
    const Word word = word_at(s, k);
    Row& none = row(word, kAt.no_credit(w));
    none = row(word, kAt.full(w)).exchanged(row(s.steps)) & row(s.own);
    if (s.depth == 1) none |= row(word, kAt.sent(w)) & row(s.local);
    for (int i = 0; i < s.far_link_count; ++i) {
      const PlaneFarLink& far = s.far_links[i];
      const std::uint32_t there = k + static_cast<std::uint32_t>(far.words);
      if (there >= s.words) continue;
      lane(s, k, kAt.no_credit(w), far.lane) |=
          shifted(lane(s, there, kAt.full(w), far.lane ^ 1), -far.shift);
    }
    return none;
  }
  [[gnu::always_inline]] static std::uint64_t shifted(std::uint64_t word, int left) {
    return left >= 0 ? word << left : word >> -left;
  }

  /// Finds the lowest free VC of each output that has one.
  [[gnu::always_inline]] static void find_free_vcs(const PlaneState& s, std::uint32_t k,
                                                   Row* free_vc) {
    const Word word = word_at(s, k);
    Row none = Row::all(~std::uint64_t{0}), bit[3] = {Row::all(0), Row::all(0), Row::all(0)};
    for (int w = 0; w < V; ++w) {
      const Row free = row(s.open, w) & ~(no_credit(s, k, w) | row(word, kAt.owned(w)));
      free_vc[w] = free & none;
      none = none & ~free;
      for (int b = 0; b < 3; ++b) {
        if ((w >> b & 1) != 0) bit[b] |= free_vc[w];
      }
    }
    row(word, kAt.no_vc()) = none;
    for (int b = 0; 1 << b < V; ++b) row(word, kAt.free_vc(b)) = bit[b];
  }

  /// The inputs at which the flit of VC v can move: an active packet needs a credit of its output
  /// VC, and a head needs a free VC.
  [[gnu::always_inline]] static Row requests(Word word, int v) {
    const Row& occupied = row(word, kAt.occupied(v, 0));
    if (V > 1 && !occupied.any()) return Row::all(0);
    Row head_waits = Row::all(0), waits = Row::all(0);
#pragma GCC unroll 8
    for (int o = 0; o < N; ++o) {
      const Row& wants = row(word, kAt.target(v, o));
      head_waits |= wants & spread(row(word, kAt.no_vc()), o);
      if (V == 1) waits |= wants & spread(row(word, kAt.no_credit(0)), o);
    }
    for (int w = 0; V > 1 && w < V; ++w) {
      if (!row(word, kAt.no_credit(w)).any()) continue;
      Row of_vc = Row::all(0);
#pragma GCC unroll 8
      for (int o = 0; o < N; ++o) {
        of_vc |= row(word, kAt.target(v, o)) & spread(row(word, kAt.no_credit(w)), o);
      }
      waits |= of_vc & row(word, kAt.out_vc(v, w));
    }
    return occupied & ~select(row(word, kAt.active(v)), waits, head_waits);
  }

  static void decide(const PlaneState& s, std::uint32_t k) {
    const Word word = word_at(s, k);
    Row free_vc[V];
    find_free_vcs(s, k, free_vc);

    // Input stage: one VC of each input.
    Row request[V], nominee[V];
    for (int v = 0; v < V; ++v) request[v] = requests(word, v);
    if constexpr (V == 1) {
      nominee[0] = request[0];
    } else {
      pick<V>(request, &row(word, kAt.in_pointer(0)), nominee);
    }

    // Output stage: one input of each output. Lanes change from inputs to outputs, and back.
    Row wish[N], candidate[N], winner[N], served;
#pragma GCC unroll 8
    for (int o = 0; o < N; ++o) {
      wish[o] = nominee[0] & row(word, kAt.target(0, o));
      for (int v = 1; v < V; ++v) wish[o] |= nominee[v] & row(word, kAt.target(v, o));
    }
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) {
      candidate[i] = Row::template column<N>(reinterpret_cast<const Bits*>(wish), i);
    }
    const Row flow = pick<N>(candidate, &row(word, kAt.out_pointer(0)), winner);
    row(word, kAt.flow()) = flow;
    turn<N>(&row(word, kAt.out_pointer(0)), winner, flow);
    served = Row::all(0);
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) reinterpret_cast<Bits*>(&served)[i] = winner[i].fold();

    // Which flits these are, and on which VC they go.
    Row tails = Row::all(0);
    for (int v = 0; v < V; ++v) {
      const Row granted = served & nominee[v];
      row(word, kAt.granted(v)) = granted;
      row(word, kAt.heads(v)) = granted & ~row(word, kAt.active(v));
      tails |= granted & row(word, kAt.tail(v, 0));
    }
    row(word, kAt.sent_tail()) = at_outputs(winner, tails);
    if constexpr (V == 1) {
      row(word, kAt.sent(0)) = flow;
    } else {
      turn<V>(&row(word, kAt.in_pointer(0)), nominee, served);
      Row of_heads = flow;
      for (int w = 0; w < V; ++w) {
        Row on_vc = Row::all(0);
        for (int v = 0; v < V; ++v) {
          on_vc |= nominee[v] & row(word, kAt.active(v)) & row(word, kAt.out_vc(v, w));
        }
        Row& sent = row(word, kAt.sent(w));
        sent = on_vc.any() ? at_outputs(winner, on_vc) : Row::all(0);
        of_heads = of_heads & ~sent;
      }
      for (int w = 0; w < V; ++w) row(word, kAt.sent(w)) |= of_heads & free_vc[w];
    }
  }
  /// Transfers properties of inputs to the outputs that they won.
  [[gnu::always_inline]] static Row at_outputs(const Row* winner, const Row& of_inputs) {
    Row result = Row::all(0);
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) result |= winner[i] & spread(of_inputs, i);
    return result;
  }

  // ---- Section 5.6: what leaves -----------------------------------------------------------------

  static void leave(PlaneState& s, std::uint32_t k) {
    const Word word = word_at(s, k);
    const Row& sent_tail = row(word, kAt.sent_tail());
    for (int w = 0; w < V; ++w) {
      const Row& sent = row(word, kAt.sent(w));
      Row& owned = row(word, kAt.owned(w));
      owned = (owned | sent) & ~(sent & sent_tail);
    }
    count(s, k);
    for (int v = 0; v < V; ++v) {
      const Row granted = row(word, kAt.granted(v));
      if (V > 1 && !granted.any()) continue;
      const Row tails = granted & row(word, kAt.tail(v, 0));
      Row& active = row(word, kAt.active(v));
      active = (active | granted) & ~tails;
      drop_front(word, v, granted);
      send_heads(s, k, v);
      if (V > 1 && !tails.any()) continue;
#pragma GCC unroll 8
      for (int o = 0; o < N; ++o)
        row(word, kAt.target(v, o)) = row(word, kAt.target(v, o)) & ~tails;
      row(word, kAt.next(v)) = tails & row(word, kAt.occupied(v, 0));
      for_each_bit(word + kAt.next(v) * kPlaneLanes, [&](int port, std::uint32_t bit) {
        const std::uint32_t node = k * kPlaneRouters + bit;
        const std::size_t slot = slot_at(node, port, v);
        come_to_front(s, node, port, v, s.ring[slot * D + s.ring_first[slot]++ % D]);
      });
    }
    eject(s, k);
    send_far(s, k);
  }
  /// Shifts the FIFOs down by one place where the front flit leaves.
  [[gnu::always_inline]] static void drop_front(Word word, int v, const Row& granted) {
#pragma GCC unroll 8
    for (int place = 0; place < D; ++place) {
      Row &occupied = row(word, kAt.occupied(v, place)), &tail = row(word, kAt.tail(v, place));
      const bool last = place + 1 == D;
      const Row next = last ? Row::all(0) : row(word, kAt.occupied(v, last ? 0 : place + 1));
      const Row next_tail = last ? Row::all(0) : row(word, kAt.tail(v, last ? 0 : place + 1));
      occupied = (occupied & ~granted) | next;
      tail = select(granted, next_tail, tail);
    }
  }

  [[gnu::always_inline]] static void send_heads(PlaneState& s, std::uint32_t k, int v) {
    const Word word = word_at(s, k);
    const std::size_t first = slot_at(k * kPlaneRouters, 0, v);
    const PlanePacket* const front = s.front + first;
    std::uint8_t* const way = s.way + first;
    PlaneHead* flying = s.flying + s.flying_count;
    for_each_bit(word + kAt.heads(v) * kPlaneLanes, [&](int port, std::uint32_t bit) {
      const std::uint32_t node = k * kPlaneRouters + bit;
      const std::size_t slot = slot_at(bit, port, 0);
      const PlanePacket packet = front[slot];
      const unsigned o = packet.output();
      unsigned w = 0;
      for (int b = 0; 1 << b < V; ++b) {
        w |= static_cast<unsigned>(word[(kAt.free_vc(b) * kPlaneLanes) + o] >> bit & 1) << b;
      }
      const unsigned before = way[slot] & 7u;
      if (V > 1 && w != before) {
        const std::uint64_t mask = std::uint64_t{1} << bit;
        word[kAt.out_vc(v, static_cast<int>(before)) * kPlaneLanes + port] ^= mask;
        word[kAt.out_vc(v, static_cast<int>(w)) * kPlaneLanes + port] ^= mask;
      }
      way[slot] = static_cast<std::uint8_t>(o << 3 | w);
      if (o < static_cast<unsigned>(s.external)) {
        *flying++ = {node + static_cast<std::uint32_t>(s.neighbour[o]), static_cast<Port>(o ^ 1),
                     static_cast<Vc>(w), packet};
      } else {
        s.terminals->head_ejected(node, static_cast<int>(o) - s.external, static_cast<Vc>(w),
                                  packet.handle());
      }
    });
    s.flying_count = static_cast<std::uint32_t>(flying - s.flying);
  }

  [[gnu::always_inline]] static void eject(PlaneState& s, std::uint32_t k) {
    for (int l = 0; l < s.local_ports; ++l) {
      for (int w = 0; w < V; ++w) {
        const int port = s.external + l;
        const std::uint64_t flits = lane(s, k, kAt.sent(w), port);
        if (flits == 0) continue;
        s.ejected += static_cast<std::uint64_t>(__builtin_popcountll(flits));
        s.terminals->flits_ejected(k, l, static_cast<Vc>(w), flits,
                                   flits & lane(s, k, kAt.sent_tail(), port));
      }
    }
  }

  /// Counts the flits of each output in binary numbers. Each digit takes what is carried to it in
  /// pairs: the first of two waits for the second. So a cycle costs two additions on average.
  [[gnu::always_inline]] static void count(PlaneState& s, std::uint32_t k) {
    const Word word = word_at(s, k);
    for (int o = 0; o < N; ++o) {
      s.moved +=
          static_cast<std::uint64_t>(__builtin_popcountll(word[kAt.flow() * kPlaneLanes + o]));
    }
    if (s.counters == nullptr) return;
    Word digit = s.counters + std::size_t{k} * 2 * kPlaneCounterBits * kPlaneLanes;
    Row carry = row(word, kAt.flow());
    for (std::uint64_t cycle = s.counted[k]++; (cycle & 1) != 0; cycle >>= 1) {
      const Row sum = row(digit, 0), waiting = row(digit, 1), one = sum ^ waiting;
      row(digit, 0) = one ^ carry;
      carry = (sum & waiting) | (one & carry);
      digit += 2 * kPlaneLanes;
    }
    row(digit, 1) = carry;
  }

  /// Sends flits to routers in other words.
  [[gnu::always_inline]] static void send_far(PlaneState& s, std::uint32_t k) {
    for (int i = 0; i < s.far_link_count; ++i) {
      const PlaneFarLink& far = s.far_links[i];
      const std::uint32_t there = k + static_cast<std::uint32_t>(far.words);
      if (there >= s.words) continue;
      std::uint64_t any = 0;
      for (int w = 0; w < V; ++w) {
        const std::uint64_t flits = shifted(lane(s, k, kAt.sent(w), far.lane), far.shift);
        lane(s, there, kAt.arriving(w), far.lane ^ 1) |= flits;
        any |= flits;
      }
      if (any == 0) continue;
      lane(s, there, kAt.arriving_tail(), far.lane ^ 1) |=
          shifted(lane(s, k, kAt.sent_tail(), far.lane), far.shift);
      s.touched[there / 64] |= std::uint64_t{1} << there % 64;
    }
  }

  // ---- Section 5.6: what arrives ----------------------------------------------------------------

  // Not before all flits have left: a head comes to the front if the FIFO is empty then.
  static void arrive(PlaneState& s) {
    const PlaneHead* const end = s.flying + s.flying_count;
    for (const PlaneHead* head = s.flying; head != end; ++head) {
      const std::uint32_t k = head->node / kPlaneRouters, bit = head->node % kPlaneRouters;
      if ((lane(s, k, kAt.occupied(head->vc, 0), head->port) >> bit & 1) == 0) {
        come_to_front(s, head->node, head->port, head->vc, head->packet);
      } else {
        const std::size_t slot = slot_at(head->node, head->port, head->vc);
        s.ring[slot * D + s.ring_end[slot]++ % D] = head->packet;
      }
    }
    s.flying_count = 0;
    for (std::uint32_t i = 0; i * 64 < s.words; ++i) {
      s.touched[i] |= s.busy[i];
    }
    for_each(s.touched, s.words, [&](std::uint32_t k) { arrive(s, k); });
    for (std::uint32_t i = 0; i * 64 < s.words; ++i) s.touched[i] = 0;
  }

  /// Applies section 5.1, dimension order, once for each packet and router.
  [[gnu::always_inline]] static void come_to_front(PlaneState& s, std::uint32_t node, int port,
                                                   int v, PlanePacket packet) {
    const std::uint32_t here = s.address[node], to = packet.destination(), away = here ^ to;
    unsigned out = s.eject[port];
    if (away != 0) {
      const unsigned first = static_cast<unsigned>(__builtin_ctz(away)) & ~7u;
      out = first / 4 + ((to >> first & 0xff) < (here >> first & 0xff));
    }
    packet.set_output(out);
    s.front[slot_at(node, port, v)] = packet;
    lane(s, node / kPlaneRouters, kAt.target(v, static_cast<int>(out)), port) |=
        std::uint64_t{1} << node % kPlaneRouters;
  }

  static void arrive(PlaneState& s, std::uint32_t k) {
    const Word word = word_at(s, k);
    const Row tails = (row(word, kAt.sent_tail()).exchanged(row(s.steps)) & row(s.own)) |
                      row(word, kAt.arriving_tail());
    row(word, kAt.arriving_tail()) = Row::all(0);
    Row busy = Row::all(0);
    for (int v = 0; v < V; ++v) {
      Row& arriving = row(word, kAt.arriving(v));
      const Row arrivals = (row(word, kAt.sent(v)).exchanged(row(s.steps)) & row(s.own)) | arriving;
      arriving = Row::all(0);
      if (V == 1 || arrivals.any()) {
#pragma GCC unroll 8
        for (int place = D - 1; place >= 0; --place) {
          Row &occupied = row(word, kAt.occupied(v, place)), &tail = row(word, kAt.tail(v, place));
          Row taken = arrivals & ~occupied;
          if (place > 0) taken = taken & row(word, kAt.occupied(v, place > 0 ? place - 1 : 0));
          occupied |= taken;
          tail |= taken & tails;
        }
      }
      // Awake for one more cycle, in which it sends nothing: nobody reads what it sent before.
      busy |= row(word, kAt.occupied(v, 0)) | row(word, kAt.sent(v));
      row(word, kAt.full(v)) = row(word, kAt.occupied(v, s.depth - 1));
    }
    const std::uint64_t bit = std::uint64_t{1} << k % 64;
    const bool awake = busy.any();
    s.busy[k / 64] = awake ? s.busy[k / 64] | bit : s.busy[k / 64] & ~bit;
  }
};

template <int N, int V, int D>
inline constexpr PlaneKernel kKernel{ANNELID_PLANES_NAME, Kernel<N, V, D>::kAt,
                                     Kernel<N, V, D>::decide, Kernel<N, V, D>::step};

inline constexpr PlaneKernel kKernels[] = {
    kKernel<5, 1, 4>, kKernel<5, 2, 4>, kKernel<5, 4, 4>, kKernel<5, 8, 4>,
    kKernel<5, 1, 8>, kKernel<5, 2, 8>, kKernel<5, 4, 8>, kKernel<5, 8, 8>,
    kKernel<8, 1, 4>, kKernel<8, 2, 4>, kKernel<8, 4, 4>, kKernel<8, 8, 4>,
    kKernel<8, 1, 8>, kKernel<8, 2, 8>, kKernel<8, 4, 8>, kKernel<8, 8, 8>,
};

}  // namespace annelid::systemc::ANNELID_PLANES
