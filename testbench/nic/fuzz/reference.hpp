// What a combining receive makes of its accumulator, by the host's own arithmetic: shares nothing
// with nic/arithmetic.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "interface/registers.hpp"

namespace annelid::nic::fuzz {

/// Whether a number is less than another; -0 is below +0.
inline bool reference_less(float left, float right) {
  if (left == 0 && right == 0) return std::signbit(left) && !std::signbit(right);
  return left < right;
}

template <typename T>
T reference_element(reg::Operator operation, T left, T right) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const Bits a = std::bit_cast<Bits>(left), b = std::bit_cast<Bits>(right);
  switch (operation) {
    case reg::Operator::kAnd:
      return std::bit_cast<T>(static_cast<Bits>(a & b));
    case reg::Operator::kOr:
      return std::bit_cast<T>(static_cast<Bits>(a | b));
    case reg::Operator::kXor:
      return std::bit_cast<T>(static_cast<Bits>(a ^ b));
    default:
      break;
  }
  if constexpr (std::is_floating_point_v<T>) {
    T result = 0;
    switch (operation) {
      case reg::Operator::kSum:
        result = left + right;
        break;
      case reg::Operator::kProduct:
        result = left * right;
        break;
      case reg::Operator::kMin:
        result = reference_less(left, right) ? left : right;
        break;
      default:
        result = reference_less(left, right) ? right : left;
        break;
    }
    // std::fmin and std::fmax do not say what they make of a signaling NaN.
    if (operation == reg::Operator::kMin || operation == reg::Operator::kMax) {
      if (std::isnan(left)) result = right;
      if (std::isnan(right)) result = left;
    }
    return std::isnan(result) ? std::bit_cast<T>(Bits{0x7FC00000}) : result;
  } else {
    switch (operation) {
      case reg::Operator::kSum:
        return std::bit_cast<T>(static_cast<Bits>(a + b));
      case reg::Operator::kProduct:
        return std::bit_cast<T>(static_cast<Bits>(a * b));
      case reg::Operator::kMin:
        return left < right ? left : right;
      default:
        return left > right ? left : right;
    }
  }
}

template <typename T>
void reference_elements(reg::Operator operation, bool message_left,
                        std::span<std::byte> accumulator, std::span<const std::byte> message) {
  for (std::size_t at = 0; at < message.size(); at += sizeof(T)) {
    T own, other;
    std::memcpy(&own, &accumulator[at], sizeof(T));
    std::memcpy(&other, &message[at], sizeof(T));
    const T result = message_left ? reference_element(operation, other, own)
                                  : reference_element(operation, own, other);
    std::memcpy(&accumulator[at], &result, sizeof(T));
  }
}

/// Combines the message, a multiple of the element, with the accumulator's first bytes.
inline void reference_combine(reg::Operator operation, reg::Type type, bool message_left,
                              std::span<std::byte> accumulator,
                              std::span<const std::byte> message) {
  switch (type) {
    case reg::Type::kInt32:
      return reference_elements<std::int32_t>(operation, message_left, accumulator, message);
    case reg::Type::kUint32:
      return reference_elements<std::uint32_t>(operation, message_left, accumulator, message);
    case reg::Type::kInt64:
      return reference_elements<std::int64_t>(operation, message_left, accumulator, message);
    case reg::Type::kFloat32:
      return reference_elements<float>(operation, message_left, accumulator, message);
    case reg::Type::kBytes:
      return;
  }
}

}  // namespace annelid::nic::fuzz
