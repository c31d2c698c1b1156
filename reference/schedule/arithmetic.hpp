// The arithmetic of a reduction's operators: docs/internals/nic/combining.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace annelid::reference {

/// The NIC's operators, which commute, and kAffine, which the firmware combines. An element of
/// kAffine is a pair (a, b) of uint32, the map x -> a x + b. left op right means first left, then
/// right (docs/internals/algorithms/groups.md, "Operands in order").
enum class Operator : std::uint8_t { kSum, kMin, kMax, kProduct, kAnd, kOr, kXor, kAffine };
enum class ElementType : std::uint8_t { kInt32, kUint32, kInt64, kFloat32 };

/// Whether the operator commutes. Operators that do not commute apply to uint32 only.
inline constexpr std::size_t kOperators = 7, kAllOperators = 8, kElementTypes = 4;

/// "sum", "int32".
std::string_view name_of(Operator op);
std::string_view name_of(ElementType type);

constexpr bool commutes(Operator op) { return static_cast<std::size_t>(op) < kOperators; }
constexpr bool applies(Operator op, ElementType type) {
  return commutes(op) || type == ElementType::kUint32;
}

/// Bytes of one element.
constexpr std::size_t bytes_of(ElementType type) { return type == ElementType::kInt64 ? 8 : 4; }
/// Bytes that the operator takes as one unit: an element, or a pair of elements.
constexpr std::size_t bytes_of(Operator op, ElementType type) {
  return commutes(op) ? bytes_of(type) : 2 * bytes_of(type);
}

/// left := left op right, element by element. Throws std::invalid_argument unless both have the
/// same length, which is a multiple of the element, and the operator applies to the type. Integers
/// wrap around. Floats are IEEE 754 binary32, rounded to nearest even. A NaN result is 0x7FC00000.
/// The minimum or maximum of a number and a NaN is the number. -0 is below +0.
void combine(Operator op, ElementType type, std::span<std::byte> left,
             std::span<const std::byte> right);

}  // namespace annelid::reference
