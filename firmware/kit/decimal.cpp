#include "firmware/kit/decimal.hpp"

namespace annelid::firmware::kit {
namespace {

constexpr int kMantissaBits = 52, kChunkDigits = 9;
constexpr std::uint32_t kChunk = 1'000'000'000;
constexpr std::uint64_t kImplicitBit = std::uint64_t{1} << kMantissaBits;

/// Quotients, right for all numbers of 32 bits, from the upper half of a product.
constexpr std::uint32_t by_ten(std::uint32_t value) {
  return static_cast<std::uint32_t>(std::uint64_t{value} * 0xCCCCCCCD >> 35);
}
constexpr std::uint32_t by_ten_thousand(std::uint32_t value) {
  return static_cast<std::uint32_t>(std::uint64_t{value} * 0xD1B71759 >> 45);
}

/// Writes the lowest digits of a number in front of `end`: so many of them.
void put_digits(std::uint32_t value, int count, char* end) {
  for (; count > 0; --count) {
    const std::uint32_t rest = by_ten(value);
    *--end = static_cast<char>('0' + (value - 10 * rest));
    value = rest;
  }
}

char* short_digits(std::uint32_t value, char* end) {
  do {
    const std::uint32_t rest = by_ten(value);
    *--end = static_cast<char>('0' + (value - 10 * rest));
    value = rest;
  } while (value != 0);
  return end;
}

/// A whole number in limbs of four decimal digits, the lowest first.
class Limbs {
 public:
  static constexpr int kMostBits = 17;  // so that a limb and its carry fit into 32 bits

  /// Adds a number of at most 64 bits.
  void add(std::uint64_t value) {
    constexpr std::uint32_t kLowest = (1U << kMostBits) - 1;
    for (int shift = 3 * kMostBits; shift >= 0; shift -= kMostBits) {
      append(kMostBits, static_cast<std::uint32_t>(value >> shift) & kLowest);
    }
  }
  /// The number becomes number * 2^bits + low.
  void append(int bits, std::uint32_t low) {
    std::uint32_t carry = low;
    for (int i = 0; i < count_; ++i) {
      const std::uint32_t sum = (std::uint32_t{limbs_[i]} << bits) + carry;
      carry = by_ten_thousand(sum);
      limbs_[i] = static_cast<std::uint16_t>(sum - kBase * carry);
    }
    for (; carry != 0; carry = by_ten_thousand(carry)) {
      limbs_[count_++] = static_cast<std::uint16_t>(carry - kBase * by_ten_thousand(carry));
    }
  }
  /// The number of digits, of a number above 0.
  [[nodiscard]] int digits() const {
    char first[kLimbDigits];
    const char* const end = first + kLimbDigits;
    return kLimbDigits * (count_ - 1) +
           static_cast<int>(end - short_digits(limbs_[count_ - 1], first + kLimbDigits));
  }
  /// Writes all digits in front of `end`.
  char* write(char* end) const {
    for (int i = 0; i < count_ - 1; ++i, end -= kLimbDigits) {
      put_digits(limbs_[i], kLimbDigits, end);
    }
    return short_digits(limbs_[count_ - 1], end);
  }

 private:
  static constexpr std::uint32_t kBase = 10'000;
  static constexpr int kLimbDigits = 4, kMostLimbs = 80;  // a double has 309 digits in front

  int count_ = 0;
  std::uint16_t limbs_[kMostLimbs];
};

}  // namespace

char* decimal_digits(std::uint64_t value, char* end) {
  if (value >> 32 == 0) return short_digits(static_cast<std::uint32_t>(value), end);
  Limbs limbs;
  limbs.add(value);
  return limbs.write(end);
}

Decimal::Decimal(std::uint64_t bits) {
  const std::uint64_t mantissa = bits & (kImplicitBit - 1);
  const int exponent = static_cast<int>(bits >> kMantissaBits) & 0x7FF;
  // The number is value * 2^shift. Subnormal numbers have no implicit bit.
  const std::uint64_t value = exponent == 0 ? mantissa : mantissa | kImplicitBit;
  const int shift = (exponent == 0 ? 1 : exponent) - 1023 - kMantissaBits;
  if (value == 0) return;
  if (shift >= 0) {
    set_whole(value, shift);
    return;
  }
  const int behind = -shift;  // bits behind the point
  const std::uint64_t whole = behind > kMantissaBits ? 0 : value >> behind;
  if (whole != 0) set_whole(whole, 0);
  set_fraction(behind > kMantissaBits ? value : value & ((std::uint64_t{1} << behind) - 1), behind);
  if (whole != 0) return;
  exponent_ = -1;
  while (count_ == 0) go_on();
}

void Decimal::set_whole(std::uint64_t value, int shift) {
  if (shift == 0 && value >> 32 == 0) {
    char room[10];
    char* const end = room + sizeof room;
    for (const char* at = short_digits(static_cast<std::uint32_t>(value), end); at != end; ++at) {
      digits_[count_++] = *at;
    }
  } else {
    Limbs limbs;
    limbs.add(value);
    for (; shift > Limbs::kMostBits; shift -= Limbs::kMostBits) limbs.append(Limbs::kMostBits, 0);
    limbs.append(shift, 0);
    count_ = limbs.digits();
    limbs.write(digits_ + count_);
  }
  exponent_ = count_ - 1;
}

void Decimal::set_fraction(std::uint64_t value, int bits) {
  if (value == 0) return;
  words_ = (bits + 31) / 32;
  for (int i = 3; i < words_; ++i) fraction_[i] = 0;
  // The bits end where the lowest word ends, so the value moves up by less than a word.
  const int up = 32 * words_ - bits;
  const std::uint32_t parts[3] = {static_cast<std::uint32_t>(value << up),
                                  static_cast<std::uint32_t>(value << up >> 32),
                                  up == 0 ? 0 : static_cast<std::uint32_t>(value >> (64 - up))};
  for (int i = 0; i < 3 && i < words_; ++i) fraction_[i] = parts[i];
  while (fraction_[first_word_] == 0) ++first_word_;
}

void Decimal::go_on() {
  std::uint32_t carry = 0;
  for (int i = first_word_; i < words_; ++i) {
    const std::uint64_t product = std::uint64_t{fraction_[i]} * kChunk + carry;
    fraction_[i] = static_cast<std::uint32_t>(product);
    carry = static_cast<std::uint32_t>(product >> 32);
  }
  while (first_word_ < words_ && fraction_[first_word_] == 0) ++first_word_;
  if (count_ > 0) {
    put_digits(carry, kChunkDigits, digits_ + count_ + kChunkDigits);
    count_ += kChunkDigits;
  } else if (carry == 0) {
    exponent_ -= kChunkDigits;
  } else {
    char room[kChunkDigits];
    char* const end = room + kChunkDigits;
    const char* at = short_digits(carry, end);
    exponent_ -= kChunkDigits - static_cast<int>(end - at);
    for (; at != end; ++at) digits_[count_++] = *at;
  }
}

bool Decimal::rounds_up(int digits) const {
  if (digits >= count_ || digits < 0 || digits_[digits] < '5') return false;
  if (digits_[digits] > '5' || !ends_here()) return true;
  for (int i = digits + 1; i < count_; ++i) {
    if (digits_[i] != '0') return true;
  }
  return digits > 0 && (digits_[digits - 1] - '0') % 2 == 1;
}

void Decimal::round(int digits) {
  if (count_ == 0) return;
  while (count_ <= digits && !ends_here()) go_on();
  const bool up = rounds_up(digits);
  if (digits < count_) count_ = digits < 0 ? 0 : digits;
  if (!up) return;
  int i = count_;
  while (i > 0 && digits_[i - 1] == '9') digits_[--i] = '0';
  if (i > 0) {
    ++digits_[i - 1];
    return;
  }
  // 9.99 has become 10.0. All digits behind the first one are 0.
  ++exponent_;
  digits_[0] = '1';
  if (count_ == 0) count_ = 1;
}

int Decimal::significant() const {
  int count = count_;
  while (count > 0 && digits_[count - 1] == '0') --count;
  return count;
}

}  // namespace annelid::firmware::kit
