#include "studies/reproduce/published.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/parse_number.hpp"
#include "published_data.hpp"  // generated from data/

namespace annelid::reproduction {
namespace {

std::vector<std::string> fields(std::string_view line) {
  std::vector<std::string> result;
  while (true) {
    const std::size_t comma = line.find(',');
    result.emplace_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return result;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

PublishedTable::PublishedTable(std::string name, std::string_view csv) : name_(std::move(name)) {
  while (!csv.empty()) {
    const std::size_t end = std::min(csv.find('\n'), csv.size());
    const std::string_view line = csv.substr(0, end);
    csv.remove_prefix(std::min(end + 1, csv.size()));
    if (line.starts_with("# ") && place_.empty()) place_ = line.substr(2, line.find(':') - 2);
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string> row = fields(line);
    if (columns_.empty()) {
      columns_ = std::move(row);
    } else if (row.size() == columns_.size()) {
      rows_.push_back(std::move(row));
    } else {
      throw std::invalid_argument(name_ + ": " + std::string(line) + ": found " +
                                  std::to_string(row.size()) + " fields, expected " +
                                  std::to_string(columns_.size()));
    }
  }
}

const std::string& PublishedTable::text(std::size_t row, std::string_view column) const {
  const auto found = std::ranges::find(columns_, column);
  if (found == columns_.end()) throw std::out_of_range(at(row, column) + ": no such column");
  return rows_.at(row)[static_cast<std::size_t>(found - columns_.begin())];
}

double PublishedTable::number(std::size_t row, std::string_view column) const {
  const std::string& field = text(row, column);
  const auto value = parse_number<double>(field);
  if (!value)
    throw std::invalid_argument(at(row, column) + ": found \"" + field + "\", expected a number");
  return *value;
}

Printed PublishedTable::printed(std::size_t row, Literal pattern) const {
  std::string result(pattern.text);
  for (std::size_t open = result.find('{'); open != std::string::npos; open = result.find('{')) {
    const std::size_t close = result.find('}', open);
    const std::string column = result.substr(open + 1, close - open - 1);
    result.replace(open, column.size() + 2, text(row, column));
  }
  return {place_, result};
}

Printed PublishedTable::range(std::size_t row, Literal least, Literal most) const {
  const std::string &from = text(row, least.text), &to = text(row, most.text);
  return {place_, from == to ? from : from + ".." + to};
}

std::string PublishedTable::at(std::size_t row, std::string_view column) const {
  return name_ + ", row " + std::to_string(row + 1) + ", " + std::string(column);
}

PublishedTable published(std::string_view name) {
  for (const auto& [file, csv] : kPublishedData) {
    if (file == name) return {std::string(name), csv};
  }
  throw std::out_of_range("no published table " + std::string(name));
}

}  // namespace annelid::reproduction
