#include "nic/arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace annelid::nic {
namespace {

// ---- binary32, from its bits --------------------------------------------------------------------

constexpr std::uint32_t kSign = 0x8000'0000, kInfinity = 0x7F80'0000, kNan = 0x7FC0'0000;
constexpr std::uint32_t kHidden = 0x0080'0000;  // the bit that a normal number does not store
constexpr int kFractionBits = 23;
constexpr int kLeast = -149;  // the exponent of a subnormal number's lowest bit

bool is_nan(std::uint32_t bits) { return (bits & ~kSign) > kInfinity; }
bool is_infinite(std::uint32_t bits) { return (bits & ~kSign) == kInfinity; }

/// The magnitude of a finite number: significand * 2^exponent, the significand below 2^24.
struct Magnitude {
  std::uint64_t significand;
  int exponent;
};
Magnitude magnitude(std::uint32_t bits) {
  const std::uint32_t fraction = bits & (kHidden - 1);
  const int field = static_cast<int>((bits & ~kSign) >> kFractionBits);
  if (field == 0) return {fraction, kLeast};
  return {fraction | kHidden, kLeast + field - 1};
}

/// The number nearest to significand * 2^exponent, ties to even.
std::uint32_t round(std::uint32_t sign, Magnitude exact) {
  if (exact.significand == 0) return sign;
  const int length = std::bit_width(exact.significand);
  const int lowest = std::max(exact.exponent + length - (kFractionBits + 1), kLeast);
  const int shift = lowest - exact.exponent;
  std::uint64_t kept = 0;
  if (shift <= 0) {
    kept = exact.significand << -shift;
  } else if (shift < 64) {  // else far less than half of the least number: 0
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    const std::uint64_t rest = exact.significand & (2 * half - 1);
    kept = exact.significand >> shift;
    if (rest > half || (rest == half && kept % 2 == 1)) ++kept;
  }
  // A hidden bit in `kept`, also one that rounding carried to, counts the exponent field up;
  // beyond the greatest number that gives infinity or more.
  const int field = lowest - kLeast;
  const std::uint64_t bits = (static_cast<std::uint64_t>(field) << kFractionBits) + kept;
  return sign | static_cast<std::uint32_t>(std::min<std::uint64_t>(bits, kInfinity));
}

std::uint32_t add(std::uint32_t left, std::uint32_t right) {
  if (is_nan(left) || is_nan(right)) return kNan;
  if (is_infinite(left)) return is_infinite(right) && left != right ? kNan : left;
  if (is_infinite(right)) return right;

  if ((left & ~kSign) < (right & ~kSign)) std::swap(left, right);
  const Magnitude more = magnitude(left), less = magnitude(right);
  const int distance = more.exponent - less.exponent;
  if (distance > 32) return left;  // the lesser is far below half of the other's lowest bit
  const std::uint64_t base = more.significand << distance;
  const std::uint32_t sign = left & kSign;
  if (sign == (right & kSign)) return round(sign, {base + less.significand, less.exponent});
  if (base == less.significand) return 0;  // x - x is +0
  return round(sign, {base - less.significand, less.exponent});
}

std::uint32_t multiply(std::uint32_t left, std::uint32_t right) {
  if (is_nan(left) || is_nan(right)) return kNan;
  const std::uint32_t sign = (left ^ right) & kSign;
  if (is_infinite(left) || is_infinite(right)) {
    const bool by_zero = (left & ~kSign) == 0 || (right & ~kSign) == 0;
    return by_zero ? kNan : sign | kInfinity;
  }
  const Magnitude a = magnitude(left), b = magnitude(right);
  return round(sign, {a.significand * b.significand, a.exponent + b.exponent});
}

/// Orders numbers as unsigned integers, -0 below +0.
std::uint32_t order(std::uint32_t bits) { return (bits & kSign) != 0 ? ~bits : bits | kSign; }

std::uint32_t extreme(bool greater, std::uint32_t left, std::uint32_t right) {
  if (is_nan(left)) return is_nan(right) ? kNan : right;
  if (is_nan(right)) return left;
  return (order(left) > order(right)) == greater ? left : right;
}

std::uint32_t combine_floats(reg::Operator operation, std::uint32_t left, std::uint32_t right) {
  switch (operation) {
    case reg::Operator::kSum:
      return add(left, right);
    case reg::Operator::kProduct:
      return multiply(left, right);
    case reg::Operator::kMin:
      return extreme(false, left, right);
    default:
      return extreme(true, left, right);
  }
}

// ---- Integers -----------------------------------------------------------------------------------

/// SUM, PRODUCT, MIN, MAX: `Signed` compares, `Unsigned` wraps around. An unsigned type passes
/// itself twice.
template <typename Unsigned, typename Compared>
Unsigned combine_integers(reg::Operator operation, Unsigned left, Unsigned right) {
  const bool less = static_cast<Compared>(left) < static_cast<Compared>(right);
  switch (operation) {
    case reg::Operator::kSum:
      return left + right;
    case reg::Operator::kProduct:
      return left * right;
    case reg::Operator::kMin:
      return less ? left : right;
    default:
      return less ? right : left;
  }
}

std::uint32_t combine_words(reg::Operator operation, reg::Type type, std::uint32_t left,
                            std::uint32_t right) {
  switch (type) {
    case reg::Type::kInt32:
      return combine_integers<std::uint32_t, std::int32_t>(operation, left, right);
    case reg::Type::kUint32:
      return combine_integers<std::uint32_t, std::uint32_t>(operation, left, right);
    default:
      return combine_floats(operation, left, right);
  }
}

}  // namespace

std::uint64_t combine(reg::Operator operation, reg::Type type, std::uint64_t left,
                      std::uint64_t right) {
  assert(operation != reg::Operator::kNone && type != reg::Type::kBytes);
  switch (operation) {
    case reg::Operator::kAnd:
      return left & right;
    case reg::Operator::kOr:
      return left | right;
    case reg::Operator::kXor:
      return left ^ right;
    default:
      break;
  }
  if (type == reg::Type::kInt64) {
    return combine_integers<std::uint64_t, std::int64_t>(operation, left, right);
  }
  const auto half = [&](int shift) {
    return std::uint64_t{combine_words(operation, type, static_cast<std::uint32_t>(left >> shift),
                                       static_cast<std::uint32_t>(right >> shift))}
           << shift;
  };
  return half(0) | half(32);
}

}  // namespace annelid::nic
