// The papers' printed tables: the files of studies/reproduce/data, which are compiled into the
// program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "studies/reproduce/sides.hpp"

namespace annelid::reproduction {

class PublishedTable {
 public:
  /// CSV without quotes; lines that begin with # name the source: the first one is the paper and
  /// the table, up to its colon. Throws std::invalid_argument for a row that does not have a field
  /// for each column.
  PublishedTable(std::string name, std::string_view csv);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  /// Both throw std::out_of_range for a missing column. number() throws std::invalid_argument for a
  /// field that is not a number.
  [[nodiscard]] const std::string& text(std::size_t row, std::string_view column) const;
  [[nodiscard]] double number(std::size_t row, std::string_view column) const;
  /// Returns what the paper prints in a row: the pattern with a field in place of each {column}.
  /// Throws std::out_of_range for a missing column.
  [[nodiscard]] Printed printed(std::size_t row, Literal pattern) const;
  /// "3..4", or "3" if both fields are the same.
  [[nodiscard]] Printed range(std::size_t row, Literal least, Literal most) const;

 private:
  [[nodiscard]] std::string at(std::size_t row, std::string_view column) const;
  std::string name_, place_;
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Returns the file of this name, which omits ".csv". Throws std::out_of_range if there is none.
PublishedTable published(std::string_view name);

}  // namespace annelid::reproduction
