// The types of a message's elements, and their sizes.
#pragma once

#include <cstdint>

#include "interface/registers.hpp"

namespace annelid::reg {

/// Whether a code is that of a type. A call or a descriptor may contain any code.
constexpr bool is_type(std::uint32_t code) {
  return code <= static_cast<std::uint32_t>(Type::kFloat32);
}
/// The base-2 logarithm of an element's size in bytes. The type must be a known one.
constexpr std::uint32_t log2_bytes(Type type) {
  constexpr std::uint32_t kPacked = 2 << 8 | 3 << 6 | 2 << 4 | 2 << 2 | 0;  // 2 bits each, by code
  return kPacked >> 2 * static_cast<std::uint32_t>(type) & 3;
}
static_assert(log2_bytes(Type::kBytes) == 0 && log2_bytes(Type::kInt32) == 2 &&
              log2_bytes(Type::kUint32) == 2 && log2_bytes(Type::kInt64) == 3 &&
              log2_bytes(Type::kFloat32) == 2);

}  // namespace annelid::reg
