// Numbers in decimal digits, exactly, for printf. There is no division but by constants, which are
// multiplications here, and no arithmetic of real numbers: the core has instructions for neither.
#pragma once

#include <cstdint>

namespace annelid::firmware::kit {

/// Writes the digits of a number in front of `end`, and returns where they begin. They may take 20
/// characters.
char* decimal_digits(std::uint64_t value, char* end);

/// The decimal digits of a double, d.ddd x 10^exponent: as many as somebody asks for, rounded from
/// all that the number has.
class Decimal {
 public:
  /// The bits of a finite double. Its sign does not matter.
  explicit Decimal(std::uint64_t bits);

  /// The power of ten of the first digit; 0 if the number is 0.
  [[nodiscard]] int exponent() const { return exponent_; }
  /// Keeps so many digits; of two numbers that are as near the one whose last digit is even. The
  /// first digit may become another, and `exponent` one more. A number of 0 or less keeps none.
  /// Call it once.
  void round(int digits);
  /// The digit of this power of ten.
  [[nodiscard]] char of_power(int power) const {
    const int i = exponent_ - power;
    return i >= 0 && i < count_ ? digits_[i] : '0';
  }
  /// How many digits are there from the first one to the last that is not 0.
  [[nodiscard]] int significant() const;

 private:
  static constexpr int kMostDigits = 768 + 9;  // a double has no more than 767
  static constexpr int kFractionWords = 34;    // 1,074 bits

  void set_whole(std::uint64_t value, int shift);
  void set_fraction(std::uint64_t value, int bits);
  /// Adds nine digits of the fraction, without zeros in front of the first digit.
  void go_on();
  [[nodiscard]] bool ends_here() const { return first_word_ == words_; }
  [[nodiscard]] bool rounds_up(int digits) const;

  int exponent_ = 0, count_ = 0;
  /// What is left of the fraction: binary digits behind the point, the lowest word first. Those in
  /// front of `first_word_` are 0.
  int first_word_ = 0, words_ = 0;
  std::uint32_t fraction_[kFractionWords];
  char digits_[kMostDigits];
};

}  // namespace annelid::firmware::kit
