// Splits a text into parts, and takes blanks off them.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace annelid {

/// The parts of `text` between separators. Each character of `separators` is a separator. There is
/// one part more than there are separators in the text, and any part may be empty. The parts are
/// valid as long as the text is.
inline std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// `text` without the blanks at its ends.
inline std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r") {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace annelid
