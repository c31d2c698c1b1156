#include "firmware/communication/shift_rows.hpp"

namespace annelid::firmware {
namespace {

constexpr std::uint32_t kSignBit = 0x80000000;

/// a·b mod m, for numbers below m < 2^31, without a product of 64 bits to divide.
std::uint32_t product(std::uint32_t a, std::uint32_t b, std::uint32_t m) {
  std::uint32_t sum = 0;
  for (; b != 0; b /= 2) {
    if ((b & 1) != 0) sum = sum < m - a ? sum + a : sum - (m - a);
    a = a < m - a ? a + a : a - (m - a);
  }
  return sum;
}

}  // namespace

ShiftRows::ShiftRows(std::uint32_t size, std::uint32_t steps, bool with_ends)
    : size_(size),
      with_ends_(with_ends),
      down_((steps & kSignBit) != 0),
      distance_(down_ ? 0 - steps : steps),
      divisor_(size) {
  if (with_ends_) return;
  distance_ %= size_;
  if (down_ && distance_ != 0) distance_ = size_ - distance_;
  // Euclid's algorithm: remainder = factor * distance, modulo the size.
  std::uint32_t remainder = distance_;
  std::int32_t factor = 1, last_factor = 0;
  while (remainder != 0) {
    const std::uint32_t quotient = divisor_ / remainder, rest = divisor_ % remainder;
    const std::int32_t next = last_factor - static_cast<std::int32_t>(quotient) * factor;
    divisor_ = remainder;
    remainder = rest;
    last_factor = factor;
    factor = next;
  }
  const auto length = static_cast<std::int32_t>(size_ / divisor_);
  last_factor %= length;
  inverse_ = static_cast<std::uint32_t>(last_factor < 0 ? last_factor + length : last_factor);
}

std::uint32_t ShiftRows::after(std::uint32_t rank) const {
  const std::uint32_t left = size_ - rank;  // ranks from this one on
  if (distance_ < left) return rank + distance_;
  return with_ends_ ? kNobody : distance_ - left;
}

std::uint32_t ShiftRows::before(std::uint32_t rank) const {
  if (distance_ <= rank) return rank - distance_;
  return with_ends_ ? kNobody : rank + size_ - distance_;
}

std::uint32_t ShiftRows::step_of(std::uint32_t rank) const {
  if (with_ends_) {
    const std::uint32_t position = (down_ ? size_ - 1 - rank : rank) / distance_;
    return 1 + position % 2;
  }
  const std::uint32_t length = size_ / divisor_;
  const std::uint32_t position = product(rank / divisor_, inverse_, length);
  if (position == length - 1 && length % 2 == 1) return 3;
  return 1 + position % 2;
}

}  // namespace annelid::firmware
