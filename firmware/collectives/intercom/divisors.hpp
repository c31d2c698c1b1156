// Arithmetic on the extents of a group without the core's divider, which takes 34 cycles:
// quotients, logarithms and divisors for InterCom's choice.
#pragma once

#include <array>
#include <cstdint>

namespace annelid::firmware::intercom {

/// An extent of more ranks is not cut.
inline constexpr std::uint32_t kLongestCut = 1024;

/// Divides without the core's divider, which takes 34 cycles, by a size that is usual. Messages
/// have at most 2^21 words, and the result is exact for all dividends below 2^26: the reciprocal is
/// too large by less than 64/2^32 of itself.
inline constexpr std::uint32_t kReciprocals = 64;
inline constexpr auto kReciprocal = [] {
  std::array<std::uint32_t, kReciprocals + 1> reciprocal{};
  for (std::uint32_t d = 2; d <= kReciprocals; ++d) reciprocal[d] = 0xFFFFFFFFU / d + 1;
  return reciprocal;
}();
inline std::uint32_t quotient(std::uint32_t n, std::uint32_t d) {
  if (d > kReciprocals) return n / d;
  return d == 1 ? n : static_cast<std::uint32_t>(std::uint64_t{n} * kReciprocal[d] >> 32);
}

/// The logarithm of a size, rounded up: the steps of a minimum spanning tree.
inline constexpr std::uint32_t kLogarithms = 256;
inline constexpr auto kLogarithm = [] {
  std::array<std::uint8_t, kLogarithms + 1> logarithm{};
  for (std::uint32_t size = 2; size <= kLogarithms; ++size)
    logarithm[size] = static_cast<std::uint8_t>(logarithm[(size + 1) / 2] + 1);
  return logarithm;
}();
inline std::uint32_t log_up(std::uint32_t size) {
  std::uint32_t log = 0;
  for (; size > kLogarithms; log += 8) size = (size + 255) >> 8;
  return log + kLogarithm[size];
}

/// The divisors of an extent, in ascending order.
class Divisors {
 public:
  static constexpr bool kPowers = false;
  /// 840 has 32 divisors.
  static constexpr std::uint32_t kMost = 32;

  explicit Divisors(std::uint32_t size) {
    size_[0] = 1;
    std::uint32_t last = 1;
    if (size < kListed) {
      for (std::uint32_t list = kLists[size]; list != 0; list >>= kListBits)
        size_[last++] = list & (kListed - 1);
    } else if (size <= kLongestCut) {
      std::array<std::uint32_t, kMost> high;
      std::uint32_t highs = 0;
      for (std::uint32_t d = 2; d * d <= size; ++d) {
        const std::uint32_t other = intercom::quotient(size, d);
        if (other * d != size) continue;
        size_[last++] = d;
        if (other != d) high[highs++] = other;
      }
      while (highs > 0) size_[last++] = high[--highs];
    }
    size_[last] = size;
    last_ = last;
  }
  [[nodiscard]] std::uint32_t operator[](std::uint32_t i) const { return size_[i]; }
  [[nodiscard]] std::uint32_t last() const { return last_; }
  /// The logarithm of divisor i, rounded up.
  [[nodiscard]] std::uint32_t log(std::uint32_t i) const { return log_up(size_[i]); }
  /// Return n divided by divisor i, and by the extent divided by it.
  [[nodiscard]] std::uint32_t quotient(std::uint32_t n, std::uint32_t i) const {
    return intercom::quotient(n, size_[i]);
  }
  [[nodiscard]] std::uint32_t opposite(std::uint32_t n, std::uint32_t i) const {
    return quotient(n, last_ - i);
  }

 private:
  /// Sizes below 32 have at most six divisors but for 1 and themselves: five bits for each.
  static constexpr std::uint32_t kListBits = 5, kListed = 1 << kListBits;
  static constexpr auto kLists = [] {
    std::array<std::uint32_t, kListed> lists{};
    for (std::uint32_t size = 2; size < kListed; ++size) {
      for (std::uint32_t d = size - 1; d > 1; --d) {
        if (size % d == 0) lists[size] = lists[size] << kListBits | d;
      }
    }
    return lists;
  }();

  std::uint32_t last_;
  std::array<std::uint32_t, kMost> size_;
};

/// The divisors of a power of two.
class PowersOfTwo {
 public:
  static constexpr bool kPowers = true;
  explicit PowersOfTwo(std::uint32_t size) : last_(log_up(size)) {}
  std::uint32_t operator[](std::uint32_t i) const { return std::uint32_t{1} << i; }
  [[nodiscard]] std::uint32_t last() const { return last_; }
  [[nodiscard]] std::uint32_t log(std::uint32_t i) const { return i; }
  [[nodiscard]] std::uint32_t quotient(std::uint32_t n, std::uint32_t i) const { return n >> i; }
  [[nodiscard]] std::uint32_t opposite(std::uint32_t n, std::uint32_t i) const {
    return n >> (last_ - i);
  }

 private:
  std::uint32_t last_;
};

/// Calls f with the divisors of an extent. kHurries: those of powers of two are found fast.
template <bool kHurries, typename F>
void with_divisors(std::uint32_t size, F f) {
  if constexpr (kHurries) {
    if ((size & (size - 1)) == 0 && size <= kLongestCut) {
      f(PowersOfTwo(size));
      return;
    }
  }
  f(Divisors(size));
}

}  // namespace annelid::firmware::intercom
