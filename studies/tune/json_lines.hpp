// JSON that a reader can compare line by line.
#pragma once

#include <fmt/format.h>

#include <string>

namespace annelid::studies {

/// A list with an item a line, each line behind `indent`.
template <typename Items, typename Text>
std::string json_lines(const Items& items, const std::string& indent, Text text) {
  std::string all = "[";
  for (const auto& item : items) {
    all += fmt::format("{}\n{}{}", all.size() > 1 ? "," : "", indent, text(item));
  }
  return all + "]";
}

}  // namespace annelid::studies
