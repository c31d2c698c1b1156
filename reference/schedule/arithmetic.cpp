#include "reference/schedule/arithmetic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace annelid::reference {
namespace {

constexpr std::array<std::string_view, kAllOperators> kOperatorNames = {
    "sum", "min", "max", "product", "and", "or", "xor", "affine"};
constexpr std::array<std::string_view, kElementTypes> kTypeNames = {"int32", "uint32", "int64",
                                                                    "float32"};
static_assert(std::numeric_limits<float>::is_iec559);

float lesser(float a, float b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;  // also -0 and +0
  return a < b ? a : b;
}

float in_floats(Operator op, float a, float b) {
  float result = 0;
  switch (op) {
    case Operator::kSum:
      result = a + b;
      break;
    case Operator::kProduct:
      result = a * b;
      break;
    case Operator::kMin:
      result = lesser(a, b);
      break;
    default:
      result = -lesser(-a, -b);
  }
  return result;
}

template <typename Bits>
Bits in_bits(Operator op, Bits a, Bits b) {
  switch (op) {
    case Operator::kAnd:
      return a & b;
    case Operator::kOr:
      return a | b;
    default:
      return a ^ b;
  }
}

template <typename Integer>
Integer in_integers(Operator op, Integer a, Integer b) {
  using Unsigned = std::make_unsigned_t<Integer>;
  switch (op) {
    case Operator::kSum:
      return static_cast<Integer>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    case Operator::kProduct:
      return static_cast<Integer>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
    case Operator::kMin:
      return std::min(a, b);
    case Operator::kMax:
      return std::max(a, b);
    default:
      return in_bits(op, a, b);
  }
}

bool is_bitwise(Operator op) {
  return op == Operator::kAnd || op == Operator::kOr || op == Operator::kXor;
}

std::uint32_t float_bits(Operator op, std::uint32_t a, std::uint32_t b) {
  constexpr std::uint32_t kNan = 0x7FC00000;
  float x = 0, y = 0;
  std::memcpy(&x, &a, sizeof x);
  std::memcpy(&y, &b, sizeof y);
  const float result = in_floats(op, x, y);
  if (std::isnan(result)) return kNan;
  std::uint32_t bits = 0;
  std::memcpy(&bits, &result, sizeof bits);
  return bits;
}

/// The map x -> slope * x + offset modulo 2^32.
struct Affine {
  std::uint32_t slope, offset;
};

Affine in_sequence(Affine first, Affine second) {
  return {first.slope * second.slope, second.slope * first.offset + second.offset};
}

template <typename Element, typename Function>
void each(std::span<std::byte> left, std::span<const std::byte> right, Function function) {
  for (std::size_t i = 0; i < left.size(); i += sizeof(Element)) {
    Element a{}, b{};
    std::memcpy(&a, &left[i], sizeof a);
    std::memcpy(&b, &right[i], sizeof b);
    a = function(a, b);
    std::memcpy(&left[i], &a, sizeof a);
  }
}

template <typename Integer>
void each_integer(Operator op, std::span<std::byte> left, std::span<const std::byte> right) {
  each<Integer>(left, right, [op](Integer a, Integer b) { return in_integers(op, a, b); });
}

}  // namespace

std::string_view name_of(Operator op) { return kOperatorNames[static_cast<std::size_t>(op)]; }
std::string_view name_of(ElementType type) { return kTypeNames[static_cast<std::size_t>(type)]; }

void combine(Operator op, ElementType type, std::span<std::byte> left,
             std::span<const std::byte> right) {
  if (!applies(op, type)) throw std::invalid_argument("combine: affine is of uint32 alone");
  if (left.size() != right.size() || left.size() % bytes_of(op, type) != 0) {
    throw std::invalid_argument("combine: lengths that differ, or no multiple of the element");
  }
  if (op == Operator::kAffine) return each<Affine>(left, right, in_sequence);
  switch (type) {
    case ElementType::kInt32:
      return each_integer<std::int32_t>(op, left, right);
    case ElementType::kUint32:
      return each_integer<std::uint32_t>(op, left, right);
    case ElementType::kInt64:
      return each_integer<std::int64_t>(op, left, right);
    default:
      if (is_bitwise(op)) return each_integer<std::uint32_t>(op, left, right);
      each<std::uint32_t>(left, right,
                          [op](std::uint32_t a, std::uint32_t b) { return float_bits(op, a, b); });
  }
}

}  // namespace annelid::reference
