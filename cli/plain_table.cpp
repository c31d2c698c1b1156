#include "cli/plain_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/standard_output.hpp"

namespace annelid::cli {

void print_plain_table(const reproduction::Table& table, std::size_t left, bool text_last) {
  std::vector<std::size_t> widths(table.columns.size());
  const auto widen = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  };
  widen(table.columns);
  for (const auto& row : table.rows) widen(row);
  const auto line = [&](const std::vector<std::string>& row) {
    std::string text;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool last = i + 1 == row.size();
      text += "  ";
      if (last && text_last) {
        text += row[i];
      } else {
        text += i < left ? fmt::format("{:<{}}", row[i], widths[i])
                         : fmt::format("{:>{}}", row[i], widths[i]);
      }
    }
    put("{}\n", text);
  };
  line(table.columns);
  for (const auto& row : table.rows) line(row);
}

}  // namespace annelid::cli
