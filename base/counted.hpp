// Numbers of things in texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace annelid {

/// "1 channel", "2 channels".
[[nodiscard]] inline std::string counted(std::uint64_t number, std::string_view what) {
  return std::to_string(number) + ' ' + std::string(what) + (number == 1 ? "" : "s");
}

}  // namespace annelid
