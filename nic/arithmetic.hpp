// The arithmetic of the combine unit (docs/internals/nic/combining.md).
#pragma once

#include <cstdint>

#include "interface/element_type.hpp"

namespace annelid::nic {

/// The size of an element in bytes; 0 for an unknown type.
constexpr std::uint32_t element_bytes(reg::Type type) {
  return reg::is_type(static_cast<std::uint32_t>(type)) ? 1u << reg::log2_bytes(type) : 0;
}

/// Whether a receive may have this operator and this type, given as the codes of RECV_COMBINE. Both
/// must be known, and BYTES is allowed only without an operator.
constexpr bool valid_combination(std::uint32_t operation, std::uint32_t type) {
  if (operation > static_cast<std::uint32_t>(reg::Operator::kXor)) return false;
  if (element_bytes(static_cast<reg::Type>(type)) == 0) return false;
  return operation == 0 || type != static_cast<std::uint32_t>(reg::Type::kBytes);
}

/// `left` op `right` for the elements of one flit: two of 4 bytes, the first in bits 31:0, or one
/// of 8 bytes. If a flit has only one element of 4 bytes, ignore the upper half of the result. The
/// combination must be valid and have an operator.
///
/// Integers wrap around. FLOAT32 is IEEE 754-2019 binary32, rounded to nearest even; a NaN result
/// is 0x7FC00000, and MIN and MAX are minimumNumber and maximumNumber. Only integer arithmetic is
/// used, so the host's rounding mode and treatment of subnormal numbers do not matter.
std::uint64_t combine(reg::Operator operation, reg::Type type, std::uint64_t left,
                      std::uint64_t right);

}  // namespace annelid::nic
