// The random generator behind synthetic traffic. It is small, gives the same numbers everywhere,
// and is seeded by a pair (seed, stream).
#pragma once

#include <cstdint>

namespace annelid {

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0)
      : state_(seed * 0x2545f4914f6cdd1d + stream * 0xd1342543de82ef95) {
    (void)(*this)();  // spreads neighbouring seeds
  }

  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  /// A number in 0 .. bound - 1, where bound > 0. The bias is below bound / 2^32.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((*this)() >> 32) * bound >> 32);
  }

  /// A number in [0, 1).
  double uniform() {
    // By way of a signed number: processors convert these in one instruction.
    return static_cast<double>(static_cast<std::int64_t>((*this)() >> 11)) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

}  // namespace annelid
