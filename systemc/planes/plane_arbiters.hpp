// The round-robin arbiters of 64 routers. Only plane_kernel_*.cpp include it; plane.hpp explains
// the consequences.
#pragma once

#include "systemc/planes/plane_rows.hpp"

namespace annelid::systemc::ANNELID_PLANES {

/// The kernel's parameters are explained in plane_kernel.hpp.
template <int N, int V, int D, int C, bool P>
struct KernelArbiters : KernelRows<N, V, D, C, P> {
  using At = KernelRows<N, V, D, C, P>;
  using At::kAt, At::kRings, At::row, At::spread;
  using typename At::Row, typename At::Word;

  /// Picks the first requester at or after the pointer, or else the first of all. The pointer is in
  /// every `distance`-th row of the word, from row `first` on. before[j] says that the winner is a
  /// candidate before j. The result says where there is a winner.
  template <int n, int distance>
  [[gnu::always_inline]] static Row pick(const Row* requests, Word word, int first, Row* winner,
                                         Row* before) {
    Row here[n], after = Row::all(0), found = Row::all(0);
    repeat<n>([&]<int j>() {
      here[j] = requests[j] & row(word, first + j * distance);
      after |= here[j];
    });
    repeat<n>([&]<int j>() {
      const Row turn = here[j] | (requests[j] & ~after);
      before[j] = found;
      winner[j] = turn & ~found;
      found |= turn;
    });
    return found;
  }
  /// Moves the pointer behind the winner, where the pick is final.
  template <int n, int distance>
  [[gnu::always_inline]] static void turn(Word word, int first, const Row* before,
                                          const Row& final) {
    repeat<n>([&]<int j>() {
      Row& pointer = row(word, first + j * distance);
      pointer = (before[j] & final) | (pointer & ~final);
    });
  }
  /// Heads of class c have taken VCs of the outputs in of_heads[c]: each the one in free_vc. The
  /// pointers of their classes move behind these VCs.
  [[gnu::always_inline]] static void turn_vc_pointers(const PlaneState& s, Word word,
                                                      const Row* of_heads, const Row* free_vc) {
    repeat<C>([&]<int c>() {
      Row before = Row::all(0);
      repeat<V>([&]<int w>() {
        const Row final = of_heads[c] & row(s.open, c * V + w);
        Row& pointer = row(word, kAt.vc_pointer(w));
        pointer = (before & final) | (pointer & ~final);
        before |= free_vc[c * V + w];
      });
    });
  }
  /// Transfers properties of inputs to the outputs that they won.
  [[gnu::always_inline]] static Row at_outputs(const Row* winner, const Row& of_inputs) {
    Row result = Row::all(0);
    repeat<N>([&]<int i>() { result |= winner[i] & spread(of_inputs, i); });
    return result;
  }
  /// Of the packets at the front of VC v, those of class c.
  [[gnu::always_inline]] static Row of_class(Word word, int v, int c, const Row& packets) {
    if constexpr (kRings) return packets & row(word, kAt.in_class(v, c));
    return packets;
  }
};

}  // namespace annelid::systemc::ANNELID_PLANES
