// Turns codes into words for reports. Only the host uses this: the firmware reports codes.
#pragma once

#include <cstdint>
#include <string>

#include "interface/registers.hpp"

namespace annelid::reg {

/// "two-tree", or "unknown algorithm 77" for a code that the map does not contain.
template <typename Code>
std::string text_of(Code code) {
  if (const char* name = name_of(code); name != nullptr) return name;
  std::string text = "unknown ";
  text += kind_of(code);
  return text + ' ' + std::to_string(static_cast<std::uint32_t>(code));
}
/// "algorithm two-tree", or "unknown algorithm 77".
template <typename Code>
std::string kind_and_text_of(Code code) {
  std::string text;
  if (name_of(code) != nullptr) text.append(kind_of(code)).append(" ");
  return text + text_of(code);
}

}  // namespace annelid::reg
