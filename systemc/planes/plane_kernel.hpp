// Executes a cycle of all routers of a network: docs/internals/microarchitecture.md, section 5, for
// 64 routers at a time (docs/internals/planes.md). Only plane_kernel_*.cpp include it, each for one
// kind of processor; plane.hpp explains the consequences.
#pragma once

#include "systemc/planes/plane_pipeline.hpp"

namespace annelid::systemc::ANNELID_PLANES {

/// Routers with up to N ports (5, 6, 8 or 12), up to V virtual channels, and FIFOs of up to D
/// flits. Those with 6 ports are one-port routers. C is 1 in a mesh. In a network with rings it is
/// the most classes of VCs that a channel may have. P: there are several stages or link registers;
/// then V > 1.
template <int N, int V, int D, int C, bool P>
class Kernel : KernelPipeline<N, V, D, C, P> {
 public:
  using Links = KernelPipeline<N, V, D, C, P>;
  using Links::kAt;

  static void decide(PlaneState& s) {
    for_each(s.busy, s.words, [&](std::uint32_t k) { decide(s, k); });
  }
  // In one walk, as the rows of a word do not stay in the cache until the second.
  static void step(PlaneState& s) {
    if constexpr (P) Links::eject_heads(s);
    for_each(s.busy, s.words, [&](std::uint32_t k) {
      if constexpr (P) {
        if (s.stages > 1) leave_switch_registers(s, k);
      }
      decide(s, k);
      leave(s, k);
    });
    arrive(s);
    if constexpr (P) Links::next_cycle(s);
  }

 private:
  using Links::at_outputs, Links::flits_beside, Links::for_each, Links::for_each_bit,
      Links::input_at, Links::lane, Links::no_credit, Links::of_class, Links::reach, Links::row,
      Links::slots_at, Links::spread, Links::use, Links::used, Links::word_at;
  using Links::kLanes, Links::kPointers, Links::kRings;
  using typename Links::Row, typename Links::Word;

  // ---- Section 5.2 and 5.3 ----------------------------------------------------------------------

  /// Finds the free VC that a head may take at each output, for each class: free_vc[c * V + w].
  /// `kRotating`: the first of the class from its pointer on, or else the lowest.
  template <bool kRotating>
  [[gnu::always_inline]] static void find_free_vcs(const PlaneState& s, std::uint32_t k, int vcs,
                                                   Row* free_vc) {
    const Word word = word_at(s, k);
    Row none[C], bit[C][3], behind[C];  // behind: a VC is free that is not before the pointer
    repeat<C>([&]<int c>() {
      none[c] = Row::all(~std::uint64_t{0});
      behind[c] = Row::all(0);
      repeat<3>([&]<int b>() { bit[c][b] = Row::all(0); });
    });
    const auto available = [&](int w) { return ~(no_credit(s, k, w) | row(word, kAt.owned(w))); };
    for (int w = 0; kRotating && w < vcs; ++w) {
      const Row here = available(w);
      repeat<C>([&]<int c>() {
        free_vc[c * V + w] = row(s.open, c * V + w) & here;
        behind[c] |= free_vc[c * V + w] & row(word, kAt.vc_pointer(w));
      });
    }
    for (int w = 0; w < vcs; ++w) {
      const Row here = kRotating ? Row::all(0) : available(w);
      repeat<C>([&]<int c>() {
        Row free = row(s.open, c * V + w) & here;
        if constexpr (kRotating) {
          free = free_vc[c * V + w] & (row(word, kAt.vc_pointer(w)) | ~behind[c]);
        }
        free_vc[c * V + w] = free & none[c];
        none[c] = none[c] & ~free;
        for (int b = 0; b < 3; ++b) {
          if ((w >> b & 1) != 0) bit[c][b] |= free_vc[c * V + w];
        }
      });
    }
    repeat<C>([&]<int c>() {
      row(word, kAt.no_vc(c)) = none[c];
      for (int b = 0; 1 << b < V; ++b) row(word, kAt.free_vc(c, b)) = bit[c][b];
    });
  }

  /// The inputs at which the flit of VC v can move: an active packet needs a credit of its output
  /// VC, and a head needs a free VC of its class. With four stages heads request only a VC: these
  /// are in `heads`.
  [[gnu::always_inline]] static Row requests(const PlaneState& s, Word word, int v, int vcs,
                                             Row& heads) {
    const Row& occupied = row(word, kAt.occupied(v, 0));
    if (!occupied.any()) return Row::all(0);
    Row head_waits = Row::all(0), waits = Row::all(0);
    repeat<C>([&]<int c>() __attribute__((always_inline)) {
      Row no_vc = Row::all(0);
      repeat<N>([&]<int o>() __attribute__((always_inline)) {
        no_vc |= row(word, kAt.target(v, o)) & spread(row(word, kAt.no_vc(c)), o);
      });
      head_waits |= of_class(word, v, c, no_vc);
    });
    for (int w = 0; w < vcs; ++w) {
      if (!row(word, kAt.no_credit(w)).any()) continue;
      Row of_vc = Row::all(0);
      repeat<N>([&]<int o>() __attribute__((always_inline)) {
        of_vc |= row(word, kAt.target(v, o)) & spread(row(word, kAt.no_credit(w)), o);
      });
      waits |= of_vc & row(word, kAt.out_vc(v, w));
    }
    const Row& active = row(word, kAt.active(v));
    if constexpr (P) {
      heads = Links::ready(s, word, v, occupied & ~active & ~head_waits);
      const Row others = occupied & active & ~waits;
      return s.stages == 4 ? others : others | heads;
    }
    return occupied & ~select(active, waits, head_waits);
  }
  /// The inputs that could move a flit to each output, if there is one VC, but for credits. An
  /// output that a packet owns waits for this packet alone.
  [[gnu::always_inline]] static void wishes(Word word, Row* wish) {
    const Row occupied = row(word, kAt.occupied(0, 0));
    const Row heads = occupied & ~row(word, kAt.active(0));
    repeat<N>([&]<int o>() {
      const Row waits = heads & spread(row(word, kAt.owned(0)), o);
      wish[o] = row(word, kAt.target(0, o)) & occupied & ~waits;
    });
  }

  static void decide(const PlaneState& s, std::uint32_t k) {
    if constexpr (V > 1) {
      if (s.rotating) return decide_rotating(s, k);
    }
    decide_with<false>(s, k);
  }
  [[gnu::noinline]] static void decide_rotating(const PlaneState& s, std::uint32_t k) {
    decide_with<true>(s, k);
  }
  /// The two VC selections have code of their own: free VCs that come from either would not stay in
  /// registers.
  template <bool kRotating>
  [[gnu::always_inline]] static void decide_with(const PlaneState& s, std::uint32_t k) {
    const Word word = word_at(s, k);
    const int vcs_in = used(s, k), vcs_out = reach(s, k);
    Row free_vc[C * V], nominee[V], before_vc[V], wish[N], candidate[N], before[N], winner[N],
        won[N];

    // Input stage: one VC of each input. Then the lanes change from inputs to outputs.
    if constexpr (V == 1) {
      const Row credit = ~no_credit(s, k, 0);
      wishes(word, wish);
      transpose<N>(wish, candidate);
      repeat<N>([&]<int i>() { candidate[i] = candidate[i] & credit; });
    } else {
      Row request[V], heads[V];
      find_free_vcs<kRotating>(s, k, vcs_out, free_vc);
      for (int v = 0; v < V; ++v) {
        if constexpr (P) heads[v] = Row::all(0);
        request[v] = v < vcs_in ? requests(s, word, v, vcs_in, heads[v]) : Row::all(0);
      }
      if constexpr (P) {
        if (s.stages == 4) Links::template give_vcs<kRotating>(s, word, vcs_in, heads, free_vc);
      }
      Links::template pick<V, kPointers>(request, word, kAt.in_pointer(0), nominee, before_vc);
      repeat<N>([&]<int o>() { wish[o] = nominee[0] & row(word, kAt.target(0, o)); });
      for (int v = 1; v < vcs_in; ++v) {
        repeat<N>([&]<int o>() { wish[o] |= nominee[v] & row(word, kAt.target(v, o)); });
      }
      transpose<N>(wish, candidate);
    }

    // Output stage: one input of each output. Then the lanes change back.
    const Row flow =
        Links::template pick<N, 1>(candidate, word, kAt.out_pointer(0), winner, before);
    row(word, kAt.flow()) = flow;
    Links::template turn<N, 1>(word, kAt.out_pointer(0), before, flow);
    transpose<N>(winner, won);
    Row served = won[0];
    repeat<N - 1>([&]<int o>() { served |= won[o + 1]; });

    // Which flits these are, and on which VC they go.
    Row tails = Row::all(0);
    for (int v = 0; v < vcs_in; ++v) {
      const Row granted = V == 1 ? served : served & nominee[v];
      row(word, kAt.granted(v)) = granted;
      tails |= granted & row(word, kAt.tail(v, 0));
    }
    row(word, kAt.sent_tail()) = at_outputs(winner, tails);
    if constexpr (V == 1) {
      row(word, kAt.sent(0)) = flow;
    } else {
      Links::template turn<V, kPointers>(word, kAt.in_pointer(0), before_vc, served);
      Row on_vc = Row::all(0), rest = flow, of_heads[C];
      repeat<C>([&]<int c>() {
        on_vc = Row::all(0);
        for (int v = 0; v < vcs_in; ++v) {
          on_vc |= of_class(word, v, c, nominee[v] & ~row(word, kAt.active(v)));
        }
        of_heads[c] = at_outputs(winner, on_vc);
      });
      if constexpr (kRotating) {
        if (!P || s.stages < 4) Links::turn_vc_pointers(s, word, of_heads, free_vc);
      }
      for (int w = vcs_out - 1; w > 0; --w) {
        on_vc = Row::all(0);
        for (int v = 0; v < vcs_in; ++v) {
          on_vc |= nominee[v] & row(word, kAt.active(v)) & row(word, kAt.out_vc(v, w));
        }
        Row sent = Row::all(0);
        repeat<C>([&]<int c>() { sent |= of_heads[c] & free_vc[c * V + w]; });
        if (on_vc.any()) sent |= at_outputs(winner, on_vc);
        row(word, kAt.sent(w)) = sent;
        rest = rest & ~sent;
      }
      row(word, kAt.sent(0)) = rest;
    }
  }

  // ---- Section 5.6: what leaves -----------------------------------------------------------------

  static void leave(PlaneState& s, std::uint32_t k) {
    const Word word = word_at(s, k);
    const int vcs_in = used(s, k), vcs_out = reach(s, k);
    const Row& sent_tail = row(word, kAt.sent_tail());
    for (int w = 0; w < vcs_out; ++w) {
      const Row& sent = row(word, kAt.sent(w));
      Row& owned = row(word, kAt.owned(w));
      owned = (owned | sent) & ~(sent & sent_tail);
      if constexpr (P) {
        if (s.stages == 4) owned |= row(word, kAt.given(w));
      }
    }
    count(s, k);
    for (int v = 0; v < vcs_in; ++v) {
      const Row granted = row(word, kAt.granted(v));
      Row& active = row(word, kAt.active(v));
      if constexpr (P) {
        row(word, kAt.heads(v)) = Links::end_heads(s, word, v, granted, active);
        if (s.stages == 4) take_vcs(s, k, v);
      }
      if (V > 1 && !granted.any()) continue;
      const Row tails = granted & row(word, kAt.tail(v, 0));
      if constexpr (!P) row(word, kAt.heads(v)) = granted & ~active;
      active = (active | granted) & ~tails;
      send_heads(s, k, v);
      if (!tails.any()) continue;
      repeat<N>([&]<int o>() {
        Row& target = row(word, kAt.target(v, o));
        target = target & ~tails;
      });
      repeat<kRings ? C : 0>([&]<int c>() {
        Row& in_class = row(word, kAt.in_class(v, c));
        in_class = in_class & ~tails;
      });
      Row& next = row(word, kAt.next(v));
      next = tails & row(word, kAt.occupied(v, 1));
      if (!next.any()) continue;
      for_each_bit(word + kAt.next(v) * kLanes, [&](int port, std::uint32_t bit) {
        const std::uint32_t slot = slots_at(k, port, v) + bit;
        come_to_front(s.front, s.rows + input_at(k, port, v), slot,
                      s.ring[std::size_t{slot} * D + s.ring_first[slot]++ % D]);
      });
    }
    if (!P || s.stages == 1) eject(s, k, vcs_out);
    Links::send_far(s, k, vcs_out);
    use(s, k, vcs_out);
  }

  [[gnu::always_inline]] static void send_heads(PlaneState& s, std::uint32_t k, int v) {
    const Word word = word_at(s, k);
    // Copies, as every store of a byte could change what `s` says.
    const PlanePacket* const front = s.front + slots_at(k, 0, v);
    std::uint8_t* const way = s.way + slots_at(k, 0, v);
    const PlaneLeg* const legs = s.legs;
    const auto ejection = static_cast<unsigned>(s.ejection);
    PlaneHead* flying = s.flying + s.flying_count;
    for_each_bit(word + kAt.heads(v) * kLanes, [&](int port, std::uint32_t bit) {
      const std::uint32_t slot = static_cast<std::uint32_t>(port) * kPlaneRouters + bit;
      const PlanePacket packet = front[slot];
      const unsigned o = packet.output<kRings>();
      const unsigned w =
          P && s.stages == 4 ? way[slot] & 7u : take_vc(word, v, port, bit, packet, way[slot]);
      if (o < ejection) [[likely]] {
        std::uint32_t there = k;
        std::uint32_t to = bit + static_cast<std::uint32_t>(Links::distance(s, k, o, bit));
        if (to >= kPlaneRouters) [[unlikely]] {
          to += k * kPlaneRouters;
          there = to / kPlaneRouters;
          to %= kPlaneRouters;
        }
        const int in = static_cast<int>(o) ^ 1, vc = static_cast<int>(w);
        const PlaneHead head{slots_at(there, in, vc) + to, input_at(there, in, vc),
                             packet.moved<plane_legs(kRings)>(legs)};
        if (s.abroad != nullptr && (s.abroad[there] >> to & 1) != 0) [[unlikely]] {
          s.leaving[s.leaving_count++] = head;
          return;
        }
        if constexpr (P) {
          Links::fly(s, static_cast<int>(o) < s.injection ? s.delay : s.inner_delay, head);
        } else {
          *flying++ = head;
        }
      } else if (P && s.stages > 1) {
        s.ejections[s.ejection_count++] = {k * kPlaneRouters + bit, packet.handle(),
                                           static_cast<int>(o - ejection), static_cast<int>(w)};
      } else {
        s.terminals->head_ejected(k * kPlaneRouters + bit, static_cast<int>(o - ejection),
                                  static_cast<Vc>(w), packet.handle());
      }
    });
    if constexpr (!P) s.flying_count = static_cast<std::uint32_t>(flying - s.flying);
  }
  /// A head gets the free VC of its output.
  [[gnu::always_inline]] static unsigned take_vc(Word word, int v, int port, std::uint32_t bit,
                                                 PlanePacket packet, std::uint8_t& way) {
    const unsigned o = packet.output<kRings>(), before = way & 7u;
    unsigned w = 0;
    for (int b = 0; 1 << b < V; ++b) {
      const int free_vc = kAt.free_vc(kRings ? packet.vc_class() : 0, b) * kLanes;
      w |= static_cast<unsigned>(word[free_vc + static_cast<int>(o)] >> bit & 1) << b;
    }
    if (V > 1 && w != before) {
      const std::uint64_t mask = std::uint64_t{1} << bit;
      word[kAt.out_vc(v, static_cast<int>(before)) * kLanes + port] ^= mask;
      word[kAt.out_vc(v, static_cast<int>(w)) * kLanes + port] ^= mask;
    }
    way = static_cast<std::uint8_t>(o << 3 | w);
    return w;
  }
  /// Four stages: the heads of VC v that get an output VC in this cycle.
  static void take_vcs(const PlaneState& s, std::uint32_t k, int v) {
    const Word word = word_at(s, k);
    const Row& allotted = row(word, kAt.allotted(v));
    row(word, kAt.active(v)) |= allotted;
    if (!allotted.any()) return;
    for_each_bit(word + kAt.allotted(v) * kLanes, [&](int port, std::uint32_t bit) {
      const std::uint32_t slot = slots_at(k, port, v) + bit;
      take_vc(word, v, port, bit, s.front[slot], s.way[slot]);
    });
  }
  /// `input` has the words of the input VC.
  [[gnu::always_inline]] static void come_to_front(PlanePacket* front, Word input,
                                                   std::uint32_t slot, PlanePacket packet) {
    front[slot] = packet;
    const std::uint64_t bit = std::uint64_t{1} << slot % kPlaneRouters;
    input[(kAt.target(0, 0) + static_cast<int>(packet.output<kRings>())) * kLanes] |= bit;
    if constexpr (kRings) input[kAt.in_class(0, packet.vc_class()) * kLanes] |= bit;
  }

  [[gnu::always_inline]] static void eject(PlaneState& s, std::uint32_t k, int vcs) {
    for (int l = 0; l < s.local_ports; ++l) {
      for (int w = 0; w < vcs; ++w) {
        const int port = s.ejection + l;
        const std::uint64_t flits = lane(s, k, kAt.sent(w), port);
        if (flits == 0) continue;
        s.ejected += static_cast<std::uint64_t>(__builtin_popcountll(flits));
        s.terminals->flits_ejected(k, l, static_cast<Vc>(w), flits,
                                   flits & lane(s, k, kAt.sent_tail(), port));
      }
    }
  }

  /// What the switches granted in the last cycle is on the channels in this one.
  static void leave_switch_registers(PlaneState& s, std::uint32_t k) {
    if (s.counters != nullptr) count_flow(s, k);
    eject(s, k, V);
  }
  [[gnu::always_inline]] static void count(PlaneState& s, std::uint32_t k) {
    const Word word = word_at(s, k);
    std::uint64_t moved = s.moved;
    for (int o = 0; o < N; ++o) {
      moved += static_cast<std::uint64_t>(__builtin_popcountll(word[kAt.flow() * kLanes + o]));
    }
    s.moved = moved;
    if (s.counters != nullptr && (!P || s.stages == 1)) count_flow(s, k);
  }
  /// Counts the flits of each output in binary numbers. Each digit takes what is carried to it in
  /// pairs: the first of two waits for the second. So a cycle costs two additions on average.
  [[gnu::always_inline]] static void count_flow(PlaneState& s, std::uint32_t k) {
    const Word word = word_at(s, k);
    Word digit = s.counters + std::size_t{k} * 2 * kPlaneCounterBits * kLanes;
    Row carry = row(word, kAt.flow());
    for (std::uint64_t cycle = s.counted[k]++; (cycle & 1) != 0; cycle >>= 1) {
      const Row sum = row(digit, 0), waiting = row(digit, 1);
      const Row one = sum ^ waiting;
      row(digit, 0) = one ^ carry;
      carry = (sum & waiting) | (one & carry);
      digit += 2 * kLanes;
    }
    row(digit, 1) = carry;
  }

  // ---- Section 5.6: what arrives ----------------------------------------------------------------

  // Not before all words have decided: until then they read each other's FIFOs.
  static void arrive(PlaneState& s) {
    std::uint64_t* const rows = s.rows;
    PlanePacket* const front = s.front;
    const PlaneHead* const end = s.flying + s.flying_count;
    for (const PlaneHead* head = s.flying; head != end; ++head) {
      const Word input = rows + head->input;
      const std::uint64_t stays =
          (input[kAt.occupied(0, 0) * kLanes] & ~input[kAt.granted(0) * kLanes]) |
          input[kAt.occupied(0, 1) * kLanes];
      if ((stays >> head->slot % kPlaneRouters & 1) == 0) {
        come_to_front(front, input, head->slot, head->packet);
      } else {
        s.ring[std::size_t{head->slot} * D + s.ring_end[head->slot]++ % D] = head->packet;
      }
    }
    s.flying_count = 0;
    for (std::uint32_t i = 0; i * 64 < s.words; ++i) {
      s.touched[i] |= s.busy[i];
    }
    for_each(s.touched, s.words, [&](std::uint32_t k) { arrive(s, k); });
    for (std::uint32_t i = 0; i * 64 < s.words; ++i) s.touched[i] = 0;
  }

  static void arrive(PlaneState& s, std::uint32_t k) {
    const Word word = word_at(s, k);
    Row tails = flits_beside(s, k, row(word, kAt.sent_tail())) | row(word, kAt.arriving_tail());
    row(word, kAt.arriving_tail()) = Row::all(0);
    if constexpr (P) tails = Links::land(s, word, kAt.landing_tail(0), tails);
    Row busy = Row::all(0);
    int in_use = 1;
    for (int v = 0; v < used(s, k); ++v) {
      Row& arriving = row(word, kAt.arriving(v));
      for (int l = 0; l < s.local_ports; ++l) {
        s.entered += static_cast<std::uint64_t>(
            __builtin_popcountll(word[kAt.arriving(v) * kLanes + s.injection + l]));
      }
      const Row sent = row(word, kAt.sent(v)), granted = row(word, kAt.granted(v));
      Row arrivals = flits_beside(s, k, sent) | arriving;
      arriving = Row::all(0);
      // Awake for one more cycle, in which it sends nothing: then nothing is granted or sent in the
      // rows of a word that sleeps.
      Row here = sent;
      if constexpr (P) {
        Row& claimed = row(word, kAt.claimed(v, 0));
        if ((arrivals | claimed).any()) {
          Links::claim(s, word, v, arrivals, granted);
          arrivals = Links::land(s, word, kAt.landing(v, 0), arrivals);
        }
        here |= claimed;
      }
      if (V == 1 || (arrivals | granted).any()) shift(word, v, granted, arrivals, tails);
      here |= row(word, kAt.occupied(v, 0));
      busy |= here;
      if (V > 2 && (here | granted | row(word, kAt.owned(v))).any()) in_use = v + 1;
    }
    if (V > 2) s.used[k] = static_cast<std::uint8_t>(in_use);
    const std::uint64_t bit = std::uint64_t{1} << k % 64;
    bool awake = busy.any();
    if constexpr (P) awake = Links::stays_awake(s, k, awake);
    s.busy[k / 64] = awake ? s.busy[k / 64] | bit : s.busy[k / 64] & ~bit;
  }
  /// Shifts the FIFOs down by one place where the front flit leaves, and puts each arrival in the
  /// lowest place that is free then.
  [[gnu::always_inline]] static void shift(Word word, int v, const Row& granted,
                                           const Row& arrivals, const Row& tails) {
    Row below = Row::all(~std::uint64_t{0});
    repeat<D>([&]<int place>() {
      Row &occupied = row(word, kAt.occupied(v, place)), &tail = row(word, kAt.tail(v, place));
      Row next = Row::all(0), next_tail = Row::all(0);
      if constexpr (place + 1 < D) {
        next = Links::row(word, Links::kAt.occupied(v, place + 1));
        next_tail = Links::row(word, Links::kAt.tail(v, place + 1));
      }
      const Row stays = (occupied & ~granted) | next, filled = stays | (arrivals & below);
      occupied = filled;
      tail = select(granted, next_tail, tail) | (filled & ~stays & tails);
      below = stays;
    });
  }
};

}  // namespace annelid::systemc::ANNELID_PLANES
