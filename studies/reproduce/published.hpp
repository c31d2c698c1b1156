// The papers' printed tables: the files of studies/reproduce/data, which are compiled into the
// program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace annelid::reproduction {

class PublishedTable {
 public:
  /// CSV without quotes; lines that begin with # name the source. Throws std::invalid_argument for
  /// a row that does not have a field for each column.
  PublishedTable(std::string name, std::string_view csv);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  /// Both throw std::out_of_range for a missing column. number() throws std::invalid_argument for a
  /// field that is not a number.
  [[nodiscard]] const std::string& text(std::size_t row, std::string_view column) const;
  [[nodiscard]] double number(std::size_t row, std::string_view column) const;

 private:
  [[nodiscard]] std::string at(std::size_t row, std::string_view column) const;
  std::string name_;
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Returns the file of this name, which omits ".csv". Throws std::out_of_range if there is none.
PublishedTable published(std::string_view name);

}  // namespace annelid::reproduction
