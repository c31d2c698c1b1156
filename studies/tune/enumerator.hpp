// The firmware's names in tuned.inc.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace annelid::studies {

/// "two-tree" is kTwoTree in the firmware.
[[nodiscard]] inline std::string enumerator(std::string_view name) {
  std::string text = "k";
  bool upper = true;
  for (const char c : name) {
    if (c != '-') {
      text += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    }
    upper = c == '-';
  }
  return text;
}

}  // namespace annelid::studies
