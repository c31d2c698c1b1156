// Changes tables of sweeps, tunings and checks as nothing but a test would: with the checksum.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "base/csv.hpp"

namespace annelid::test {

/// Changes the cell of a column in a row, of which 1 is the first after the names.
inline void change_cell(const std::filesystem::path& file, std::size_t row,
                        const std::string& column,
                        const std::function<void(std::string& cell)>& change) {
  auto lines = read_csv(file);
  ASSERT_LT(row, lines.size()) << file;
  const auto place = std::ranges::find(lines.front(), column) - lines.front().begin();
  ASSERT_LT(static_cast<std::size_t>(place), lines.front().size()) << column;
  change(lines[row][static_cast<std::size_t>(place)]);
  lines[row].pop_back();
  lines[row].push_back(csv_checksum(lines.front(), lines[row]));
  std::ofstream out(file, std::ios::binary);
  for (const auto& line : lines) out << csv_line(line);
}

}  // namespace annelid::test
