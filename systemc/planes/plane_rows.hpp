// How the kernel reaches the rows and slots of PlaneState. The compiler knows the layout, so these
// functions cost what an index does. Only plane_kernel_*.cpp include it; plane.hpp explains the
// consequences.
#pragma once

#include "systemc/planes/plane.hpp"
#include "systemc/planes/plane_state.hpp"

namespace annelid::systemc::ANNELID_PLANES {

/// The kernel's parameters are explained in plane_kernel.hpp.
template <int N, int V, int D, int C, bool P>
struct KernelRows {
  static constexpr PlaneLayout kAt{N, V, D, C, P};
  static constexpr bool kRings = C > 1;
  static constexpr int kLanes = kAt.lanes();
  using Row = Plane<kLanes>;
  using Word = std::uint64_t*;
  using Bits = std::uint64_t __attribute__((may_alias));

  /// The distance of the rows of two input VCs.
  static constexpr int kPointers = kAt.of_vc(1);

  [[gnu::always_inline]] static Word word_at(const PlaneState& s, std::uint32_t k) {
    constexpr auto kSize = static_cast<std::size_t>(kAt.rows() * kLanes);
    return s.rows + k * kSize;
  }
  [[gnu::always_inline]] static std::uint64_t& lane(const PlaneState& s, std::uint32_t k, int row,
                                                    int port) {
    return word_at(s, k)[row * kLanes + port];
  }
  /// The slot of an input VC of the first router of a word.
  [[gnu::always_inline]] static std::uint32_t slots_at(std::uint32_t k, int port, int v) {
    return ((k * V + static_cast<std::uint32_t>(v)) * N + static_cast<std::uint32_t>(port)) *
           kPlaneRouters;
  }
  [[gnu::always_inline]] static std::uint32_t input_at(std::uint32_t k, int port, int v) {
    return k * static_cast<std::uint32_t>(kAt.rows() * kLanes) +
           static_cast<std::uint32_t>(kAt.of_vc(v) * kLanes + port);
  }
  [[gnu::always_inline]] static Row& row(Word word, int r) {
    return *reinterpret_cast<Row*>(word + r * kLanes);
  }
  [[gnu::always_inline]] static const Row& row(const std::uint64_t* word, int r = 0) {
    return *reinterpret_cast<const Row*>(word + r * kLanes);
  }
  /// One port's word of a row, for all lanes.
  [[gnu::always_inline]] static Row spread(const Row& row, int port) {
    return Row::all(reinterpret_cast<const Bits*>(&row)[port]);
  }

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
};

}  // namespace annelid::systemc::ANNELID_PLANES
