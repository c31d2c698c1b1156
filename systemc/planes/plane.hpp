// A plane: one bit for each of 64 routers and 8 or 16 ports. Only plane_kernel.hpp uses it.
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

  // Written out, as the compiler would copy the whole through memory.
  Plane() = default;
  [[gnu::always_inline]] Plane(const Plane<lanes / 2>& l, const Plane<lanes / 2>& h)
      : low(l), high(h) {}
  [[gnu::always_inline]] Plane(const Plane& other) : low(other.low), high(other.high) {}
  [[gnu::always_inline]] Plane& operator=(const Plane& other) {
    low = other.low;
    high = other.high;
    return *this;
  }

  [[gnu::always_inline]] static Plane all(std::uint64_t word) {
    return {Plane<lanes / 2>::all(word), Plane<lanes / 2>::all(word)};
  }
  /// Register i of those that hold it.
  template <int i>
  [[gnu::always_inline]] Vector& part() {
    constexpr int kHalf = lanes / 2 / kVectorLanes;
    if constexpr (i < kHalf) {
      return low.template part<i>();
    } else {
      return high.template part<i - kHalf>();
    }
  }
  [[gnu::always_inline]] bool any() const { return (low | high).any(); }
  /// Exchanges lanes 2d and 2d + 1 of the first `count` lanes and shifts them: the first to the
  /// right, the second to the left; if `back`, the other way round. The values of later lanes are
  /// unspecified.
  template <int count, bool back = false>
  [[gnu::always_inline]] Plane exchanged(const Plane& steps) const {
    return {low.template exchanged<count, back>(steps.low),
            high.template exchanged<count - lanes / 2, back>(steps.high)};
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
  template <int i>
  [[gnu::always_inline]] Vector& part() {
    return bits;
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
  template <int count, bool back = false>
  [[gnu::always_inline]] Plane exchanged(const Plane& steps) const {
    if constexpr (count <= 0) return {Vector{}};
#if defined(__AVX512F__)
    const Vector other = __builtin_shufflevector(bits, bits, 1, 0, 3, 2, 5, 4, 7, 6);
    const Vector right = other >> steps.bits, left = other << steps.bits;
    return {__builtin_shufflevector(back ? left : right, back ? right : left, 0, 9, 2, 11, 4, 13, 6,
                                    15)};
#elif defined(__AVX2__)
    const Vector other = __builtin_shufflevector(bits, bits, 1, 0, 3, 2);
    const Vector right = other >> steps.bits, left = other << steps.bits;
    return {__builtin_shufflevector(back ? left : right, back ? right : left, 0, 5, 2, 7)};
#else  // both lanes have the same step
    const std::uint64_t step = steps.bits[0];
    if constexpr (back) return {Vector{bits[1] << step, bits[0] >> step}};
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

/// Calls f.operator()<i>() for i = 0 .. n - 1. The compiler keeps an array of rows in registers
/// only if it knows all indices from the beginning.
template <int n, int i = 0, typename F>
[[gnu::always_inline]] inline void repeat(const F& f) {
  if constexpr (i < n) {
    f.template operator()<i>();
    repeat<n, i + 1>(f);
  }
}

/// A step of a transposition: exchanges the lanes of `a` whose numbers have bit s with the lanes of
/// `b` whose numbers do not.
template <int s>
[[gnu::always_inline]] inline void exchange_lanes(Vector& a, Vector& b) {
  const Vector old = a;
#if defined(__AVX512F__)
  if constexpr (s == 1) {
    a = __builtin_shufflevector(old, b, 0, 8, 2, 10, 4, 12, 6, 14);
    b = __builtin_shufflevector(old, b, 1, 9, 3, 11, 5, 13, 7, 15);
  } else if constexpr (s == 2) {
    a = __builtin_shufflevector(old, b, 0, 1, 8, 9, 4, 5, 12, 13);
    b = __builtin_shufflevector(old, b, 2, 3, 10, 11, 6, 7, 14, 15);
  } else {
    a = __builtin_shufflevector(old, b, 0, 1, 2, 3, 8, 9, 10, 11);
    b = __builtin_shufflevector(old, b, 4, 5, 6, 7, 12, 13, 14, 15);
  }
#elif defined(__AVX2__)
  if constexpr (s == 1) {
    a = __builtin_shufflevector(old, b, 0, 4, 2, 6);
    b = __builtin_shufflevector(old, b, 1, 5, 3, 7);
  } else {
    a = __builtin_shufflevector(old, b, 0, 1, 4, 5);
    b = __builtin_shufflevector(old, b, 2, 3, 6, 7);
  }
#else
  a = __builtin_shufflevector(old, b, 0, 2);
  b = __builtin_shufflevector(old, b, 1, 3);
#endif
}
template <int s = 1>
[[gnu::always_inline]] inline void transpose(Vector* block) {
  if constexpr (s < kVectorLanes) {
    repeat<kVectorLanes>([&]<int r>() {
      if constexpr ((r & s) == 0) exchange_lanes<s>(block[r], block[r + s]);
    });
    transpose<2 * s>(block);
  }
}
/// Lane i of columns[j] is lane j of rows[i], for i, j < n. Other lanes are 0.
template <int n, int lanes>
[[gnu::always_inline]] inline void transpose(const Plane<lanes>* rows, Plane<lanes>* columns) {
  constexpr int kLanes = kVectorLanes, kBlocks = (n + kLanes - 1) / kLanes;
  repeat<n>([&]<int j>() { columns[j] = Plane<lanes>::all(0); });
  repeat<kBlocks>([&]<int from>() __attribute__((always_inline)) {
    repeat<kBlocks>([&]<int to>() __attribute__((always_inline)) {
      Vector block[kLanes];
      repeat<kLanes>([&]<int r>() {
        constexpr int kRow = from * kLanes + r;
        block[r] = Vector{};
        if constexpr (kRow < n) block[r] = Plane<lanes>(rows[kRow]).template part<to>();
      });
      transpose(block);
      repeat<kLanes>([&]<int r>() {
        constexpr int kColumn = to * kLanes + r;
        if constexpr (kColumn < n) columns[kColumn].template part<from>() = block[r];
      });
    });
  });
}

/// a where the mask is 1, else b.
template <int lanes>
[[gnu::always_inline]] inline Plane<lanes> select(const Plane<lanes>& mask, const Plane<lanes>& a,
                                                  const Plane<lanes>& b) {
  return (a & mask) | (b & ~mask);
}
template <int lanes>
[[gnu::always_inline]] inline Plane<lanes>& operator|=(Plane<lanes>& a, const Plane<lanes>& b) {
  return a = a | b;
}

}  // namespace annelid::systemc::ANNELID_PLANES
