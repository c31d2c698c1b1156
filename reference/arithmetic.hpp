// What a reduction's operators do to elements: docs/nic.md, section 5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace annelid::reference {

enum class Operator : std::uint8_t { kSum, kMin, kMax, kProduct, kAnd, kOr, kXor };
enum class ElementType : std::uint8_t { kInt32, kUint32, kInt64, kFloat32 };

inline constexpr std::size_t kOperators = 7, kElementTypes = 4;

/// "sum", "int32".
std::string_view name_of(Operator op);
std::string_view name_of(ElementType type);

/// Bytes of an element.
constexpr std::size_t bytes_of(ElementType type) { return type == ElementType::kInt64 ? 8 : 4; }

/// left := left op right, element by element. Throws std::invalid_argument unless both have the
/// same length, a multiple of the element. Integers wrap around; floats are IEEE 754 binary32,
/// rounded to nearest even; a NaN result is 0x7FC00000; the minimum or maximum of a number and a
/// NaN is the number, and -0 is below +0.
void combine(Operator op, ElementType type, std::span<std::byte> left,
             std::span<const std::byte> right);

}  // namespace annelid::reference
