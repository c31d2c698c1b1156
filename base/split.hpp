// The parts of a text.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace annelid {

/// What stands between the separators, of which each character is one: one part more than there are
/// separators, any of which may be empty. The parts live as long as the text.
inline std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace annelid
