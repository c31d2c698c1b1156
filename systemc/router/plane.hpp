// A plane: one bit for each of 64 routers and 8 ports. Only plane_kernel.hpp uses it.
//
// The file is compiled once for each kind of processor (plane_kernel_*.cpp), each time in a
// separate namespace. It uses no function of other headers. A function that the compiler does not
// inline could otherwise end up running on a processor that lacks its instructions.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#ifndef ANNELID_PLANES
#error "the file that includes this one names its namespace: ANNELID_PLANES"
#endif

namespace annelid::systemc::ANNELID_PLANES {

#if defined(__AVX512F__)
inline constexpr int kVectorLanes = 8;
#elif defined(__AVX2__)
inline constexpr int kVectorLanes = 4;
#else
inline constexpr int kVectorLanes = 2;
#endif
using Vector = std::uint64_t __attribute__((vector_size(8 * kVectorLanes), may_alias));

/// For each of `lanes` ports a word, in which bit n is router n. It consists of two halves,
/// recursively, down to one register.
template <int lanes>
struct Plane {
  Plane<lanes / 2> low, high;

  [[gnu::always_inline]] static Plane all(std::uint64_t word) {
    return {Plane<lanes / 2>::all(word), Plane<lanes / 2>::all(word)};
  }
  /// Lane r is word `lane` of row r of a matrix of 8 columns, for r < rows; 0 beyond.
  template <int rows, int first = 0>
  [[gnu::always_inline]] static Plane column(const std::uint64_t* matrix, int lane) {
    return {Plane<lanes / 2>::template column<rows, first>(matrix, lane),
            Plane<lanes / 2>::template column<rows, first + lanes / 2>(matrix, lane)};
  }
  /// The OR of the words of all lanes.
  [[gnu::always_inline]] std::uint64_t fold() const { return (low | high).fold(); }
  [[gnu::always_inline]] bool any() const { return (low | high).any(); }
  /// Exchanges lanes 2d and 2d + 1 and shifts them: the first to the right, the second to the left.
  [[gnu::always_inline]] Plane exchanged(const Plane& steps) const {
    return {low.exchanged(steps.low), high.exchanged(steps.high)};
  }

  [[gnu::always_inline]] friend Plane operator&(const Plane& a, const Plane& b) {
    return {a.low & b.low, a.high & b.high};
  }
  [[gnu::always_inline]] friend Plane operator|(const Plane& a, const Plane& b) {
    return {a.low | b.low, a.high | b.high};
  }
  [[gnu::always_inline]] friend Plane operator^(const Plane& a, const Plane& b) {
    return {a.low ^ b.low, a.high ^ b.high};
  }
  [[gnu::always_inline]] friend Plane operator~(const Plane& a) { return {~a.low, ~a.high}; }
};

template <>
struct Plane<kVectorLanes> {
  Vector bits;

  [[gnu::always_inline]] static Plane all(std::uint64_t word) { return {Vector{} + word}; }
  template <int rows, int first = 0>
  [[gnu::always_inline]] static Plane column(const std::uint64_t* matrix, int lane) {
    if constexpr (first >= rows) {
      return {Vector{}};
    } else {
      const auto at = [&](int r) {
        return first + r < rows ? matrix[(first + r) * 8 + lane] : std::uint64_t{0};
      };
      if constexpr (kVectorLanes == 2) {
        return {Vector{at(0), at(1)}};
      } else if constexpr (kVectorLanes == 4) {
        return {Vector{at(0), at(1), at(2), at(3)}};
      } else {
        return {Vector{at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)}};
      }
    }
  }
  [[gnu::always_inline]] std::uint64_t fold() const {
#if defined(__AVX512F__)
    Vector v = bits | __builtin_shufflevector(bits, bits, 4, 5, 6, 7, 0, 1, 2, 3);
    v |= __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5);
    v |= __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
    return v[0];
#else
    std::uint64_t word = 0;
    for (int i = 0; i < kVectorLanes; ++i) word |= bits[i];
    return word;
#endif
  }
  [[gnu::always_inline]] bool any() const {
#if defined(__AVX512F__)
    const auto v = reinterpret_cast<__m512i>(bits);
    return _mm512_test_epi64_mask(v, v) != 0;
#elif defined(__AVX2__)
    const auto v = reinterpret_cast<__m256i>(bits);
    return _mm256_testz_si256(v, v) == 0;
#else
    return (bits[0] | bits[1]) != 0;
#endif
  }
  [[gnu::always_inline]] Plane exchanged(const Plane& steps) const {
#if defined(__AVX512F__)
    const Vector other = __builtin_shufflevector(bits, bits, 1, 0, 3, 2, 5, 4, 7, 6);
    return {__builtin_shufflevector(other >> steps.bits, other << steps.bits, 0, 9, 2, 11, 4, 13, 6,
                                    15)};
#elif defined(__AVX2__)
    const Vector other = __builtin_shufflevector(bits, bits, 1, 0, 3, 2);
    return {__builtin_shufflevector(other >> steps.bits, other << steps.bits, 0, 5, 2, 7)};
#else  // both lanes have the same step
    const std::uint64_t step = steps.bits[0];
    return {Vector{bits[1] >> step, bits[0] << step}};
#endif
  }

  [[gnu::always_inline]] friend Plane operator&(const Plane& a, const Plane& b) {
    return {a.bits & b.bits};
  }
  [[gnu::always_inline]] friend Plane operator|(const Plane& a, const Plane& b) {
    return {a.bits | b.bits};
  }
  [[gnu::always_inline]] friend Plane operator^(const Plane& a, const Plane& b) {
    return {a.bits ^ b.bits};
  }
  [[gnu::always_inline]] friend Plane operator~(const Plane& a) { return {~a.bits}; }
};

using Row = Plane<8>;

/// a where the mask is 1, else b.
[[gnu::always_inline]] inline Row select(const Row& mask, const Row& a, const Row& b) {
  return (a & mask) | (b & ~mask);
}
[[gnu::always_inline]] inline Row& operator|=(Row& a, const Row& b) { return a = a | b; }

}  // namespace annelid::systemc::ANNELID_PLANES
