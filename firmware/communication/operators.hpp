// Combining in firmware, for operators that the NIC's combine unit does not have.
#pragma once

#include <cstdint>

#include "firmware/platform/memory.hpp"

namespace annelid::firmware {

/// A user-defined operator: target = left op right, element by element, for `count` elements at
/// these offsets in node memory. `target` may be `left` or `right`. The operator is associative. It
/// need not be commutative, because schedules keep the order of its operands.
using UserOperator = void (*)(Memory memory, std::uint32_t target, std::uint32_t left,
                              std::uint32_t right, std::uint32_t count);

/// Makes a UserOperator from a function of two elements, T f(T left, T right):
/// `elementwise<std::int32_t, largest>`.
template <typename T, T (*f)(T, T)>
void elementwise(Memory memory, std::uint32_t target, std::uint32_t left, std::uint32_t right,
                 std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::uint32_t>(i * sizeof(T));
    memory.store<T>(target + at, f(memory.load<T>(left + at), memory.load<T>(right + at)));
  }
}

}  // namespace annelid::firmware
