// A call of the host (docs/internals/nic/calls.md). firmware/README.md lists the words of each
// operation.
#pragma once

#include <array>
#include <cstdint>

#include "interface/element_type.hpp"
#include "interface/registers.hpp"

namespace annelid::firmware {

using reg::is_type;
using reg::log2_bytes;

struct Call {
  std::array<std::uint32_t, reg::kCallWords> words;
  std::uint32_t ticket;

  [[nodiscard]] constexpr std::uint32_t word(reg::CallWord which) const {
    return words[static_cast<std::size_t>(which)];
  }
  [[nodiscard]] constexpr reg::Operation operation() const {
    return static_cast<reg::Operation>(word(reg::CallWord::kOperation));
  }
  [[nodiscard]] constexpr reg::Algorithm algorithm() const {
    return static_cast<reg::Algorithm>(word(reg::CallWord::kAlgorithm));
  }
  [[nodiscard]] constexpr std::uint32_t group() const { return word(reg::CallWord::kGroup); }
  [[nodiscard]] constexpr std::uint32_t root() const { return word(reg::CallWord::kRoot); }
  [[nodiscard]] constexpr std::uint32_t source() const { return word(reg::CallWord::kSource); }
  [[nodiscard]] constexpr std::uint32_t target() const { return word(reg::CallWord::kTarget); }
  [[nodiscard]] constexpr std::uint32_t count() const { return word(reg::CallWord::kCount); }
  [[nodiscard]] constexpr reg::Type type() const {
    return static_cast<reg::Type>(word(reg::CallWord::kType));
  }
  /// The operator's code: a reg::Operator, or a code that only the collective itself knows.
  [[nodiscard]] constexpr std::uint32_t operator_code() const {
    return word(reg::CallWord::kOperator);
  }
  [[nodiscard]] constexpr std::uint32_t tag() const { return word(reg::CallWord::kTag); }
  [[nodiscard]] constexpr std::uint32_t scratch() const { return word(reg::CallWord::kScratch); }
  [[nodiscard]] constexpr std::uint32_t parameter(std::uint32_t i) const {
    return words[static_cast<std::size_t>(reg::CallWord::kParameter0) + i];
  }
  /// Returns the bytes of COUNT elements of TYPE, which must be a known type, or kTooManyBytes if
  /// no message can hold them.
  [[nodiscard]] constexpr std::uint32_t bytes() const {
    if (count() > reg::kMaxMessageBytes) return kTooManyBytes;
    return count() << log2_bytes(type());
  }
  static constexpr std::uint32_t kTooManyBytes = 0xFFFFFFFF;
};

}  // namespace annelid::firmware
