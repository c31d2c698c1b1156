// What the papers print, as tables: the files of studies/reproduce/data, which are compiled in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace annelid::reproduction {

class PublishedTable {
 public:
  /// CSV without quotes; lines that begin with # say where it is from. Throws std::invalid_argument
  /// for a row that has not a field for each column.
  PublishedTable(std::string name, std::string_view csv);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  /// Both throw std::out_of_range for a column that is not there, number() std::invalid_argument
  /// for what is none.
  [[nodiscard]] const std::string& text(std::size_t row, std::string_view column) const;
  [[nodiscard]] double number(std::size_t row, std::string_view column) const;

 private:
  [[nodiscard]] std::string at(std::size_t row, std::string_view column) const;
  std::string name_;
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// The file of this name, without ".csv". Throws std::out_of_range if there is none.
PublishedTable published(std::string_view name);

}  // namespace annelid::reproduction
