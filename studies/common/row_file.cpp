#include "studies/common/row_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/build.hpp"
#include "base/csv.hpp"
#include "base/files.hpp"
#include "base/fnv1a.hpp"
#include "base/input_error.hpp"
#include "base/json.hpp"
#include "base/run_failure.hpp"
#include "base/version.hpp"
#include "studies/common/stored_configuration.hpp"

namespace annelid::studies {
namespace {

constexpr const char *kHash = "configuration", *kChecksum = "checksum";

std::string cell_text(const nlohmann::ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  if (!value.is_array()) return json_text(value);
  std::string text;
  for (const auto& item : value) text += (text.empty() ? "" : ",") + cell_text(item);
  return text;
}

void flatten_settings(const nlohmann::ordered_json& settings, const std::string& prefix,
                      Columns& columns) {
  for (const auto& [name, value] : settings.items()) {
    if (value.is_object()) {
      flatten_settings(value, prefix + name + ".", columns);
    } else {
      columns.emplace_back(prefix + name, cell_text(value));
    }
  }
}

/// The columns of a file that is being written, and their places.
class Header {
 public:
  std::size_t add(const std::string& column) {
    const auto [at, added] = places_.emplace(column, names_.size());
    if (added) names_.push_back(column);
    return at->second;
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> places_;
};

/// Takes the last column, the checksum, away from all rows of a file, the first of which has the
/// names. Throws InputError for a row that is not as it was written. Returns the lines of the file
/// that the rows take.
std::size_t check_and_strip(std::vector<std::vector<std::string>>& lines, const std::string& file) {
  std::vector<std::string>& names = lines.front();
  names.pop_back();
  std::size_t number = 1;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::vector<std::string>& row = lines[i];
    ++number;
    const bool whole = row.size() == names.size() + 1;
    const std::string checksum = whole ? row.back() : "";
    if (whole) row.pop_back();
    if (!whole || csv_checksum(names, row) != checksum) {
      throw InputError(fmt::format("{}:{}", file, number),
                       whole ? "a row that does not fit its checksum"
                             : fmt::format("a row of {} columns", row.size()),
                       "the row as annelid has written it, or no such line: without it, the run is "
                       "simulated again");
    }
    for (const std::string& cell : row) {
      number += static_cast<std::size_t>(std::ranges::count(cell, '\n'));
    }
  }
  return number;
}

}  // namespace

Configuration stored_configuration(const nlohmann::ordered_json& settings) {
  Configuration made;
  flatten_settings(settings, "", made.columns);
  made.columns.emplace_back("annelid", kVersion);
  made.columns.emplace_back("build", build_name());
  std::string text;
  for (const auto& [name, value] : made.columns) text += fmt::format("{}={}\n", name, value);
  made.hash = fmt::format("{:016x}", fnv1a(text));
  return made;
}

const std::string* find_column(const Columns& columns, std::string_view name) {
  const auto at = std::ranges::find(columns, name, &Columns::value_type::first);
  return at == columns.end() ? nullptr : &at->second;
}

Columns row_of(const Configuration& configuration, const Columns& result) {
  Columns row = {{kHash, configuration.hash}};
  row.insert(row.end(), result.begin(), result.end());
  row.insert(row.end(), configuration.columns.begin(), configuration.columns.end());
  return row;
}

void RowFile::read() {
  std::error_code error;
  const std::string text = std::filesystem::exists(path_, error) ? read_text(path_) : "";
  if (text.empty()) return;
  auto lines = split_csv(text);
  if (lines.empty()) lines.push_back({""});
  const std::string first = lines.front().front(), last = lines.front().back();
  if (first != kHash) {
    throw InputError(path_.string(), fmt::format("a first column \"{}\"", first),
                     fmt::format("\"{}\", as in a table of annelid, or no such file", kHash));
  }
  if (last != kChecksum) {
    throw InputError(
        path_.string(), fmt::format("a last column \"{}\"", last),
        fmt::format("\"{}\", as in a table of annelid {}, or no such file", kChecksum, kVersion));
  }
  const std::size_t taken = check_and_strip(lines, path_.string());
  if (taken < static_cast<std::size_t>(std::ranges::count(text, '\n'))) {
    throw InputError(fmt::format("{}:{}", path_.string(), taken + 1), "a quote without its end",
                     "the row as annelid has written it, or no such line");
  }
  header_ = std::move(lines.front());
  lines.erase(lines.begin());
  rows_ = std::move(lines);
  for (std::size_t i = 0; i < rows_.size(); ++i) places_.emplace(rows_[i].front(), i);
}

std::optional<Columns> RowFile::find(const Configuration& configuration) const {
  const auto [first, last] = places_.equal_range(configuration.hash);
  for (auto at = first; at != last; ++at) {
    Columns row = columns_of(rows_[at->second]);
    const bool same = std::ranges::all_of(configuration.columns, [&](const auto& column) {
      return std::ranges::find(row, column) != row.end();
    });
    if (same) return row;
  }
  return std::nullopt;
}

Columns RowFile::columns_of(const std::vector<std::string>& row) const {
  Columns columns;
  for (std::size_t i = 0; i < header_.size(); ++i) columns.emplace_back(header_[i], row[i]);
  return columns;
}

void RowFile::add(const RowFile& other) {
  Header header;
  for (const std::string& column : header_) header.add(column);
  std::vector<std::size_t> places;  // of the other file's columns
  for (const std::string& column : other.header_) places.push_back(header.add(column));
  for (const std::vector<std::string>& row : other.rows_) {
    std::vector<std::string> line(header.names().size());
    for (std::size_t i = 0; i < row.size(); ++i) line[places[i]] = row[i];
    const auto here = places_.find(row.front());
    if (here == places_.end()) {
      places_.emplace(row.front(), rows_.size());
      rows_.push_back(std::move(line));
      continue;
    }
    std::vector<std::string> known = rows_[here->second];
    known.resize(header.names().size());
    // A sweep without costs has nothing in their columns, and no contradiction to one with them.
    const auto agree = [](const std::string& a, const std::string& b) {
      return a == b || a.empty() || b.empty();
    };
    const auto [found, expected] = std::ranges::mismatch(line, known, agree);
    if (found == line.end()) continue;
    throw RunFailure(fmt::format("{}: configuration {}, {}: found {}, but another part has {}",
                                 other.path_.string(), row.front(),
                                 header.names()[static_cast<std::size_t>(found - line.begin())],
                                 *found, *expected));
  }
  header_ = header.names();
  for (std::vector<std::string>& row : rows_) row.resize(header_.size());
}

void RowFile::write(const std::vector<std::string>& front, const std::vector<Columns>& rows,
                    const std::set<std::string>& dropped) const {
  std::set<std::string> replaced = dropped;
  Header header;
  header.add(kHash);
  for (const std::string& column : front) header.add(column);
  std::vector<std::vector<std::string>> lines;
  const auto set = [&](std::vector<std::string>& line, const std::string& column,
                       const std::string& text) {
    const std::size_t place = header.add(column);
    if (line.size() <= place) line.resize(place + 1);
    line[place] = text;
  };
  for (const Columns& row : rows) {
    replaced.insert(*find_column(row, kHash));
    std::vector<std::string>& line = lines.emplace_back();
    for (const auto& [column, text] : row) set(line, column, text);
  }
  for (const std::vector<std::string>& kept : rows_) {
    if (replaced.contains(kept.front())) continue;
    std::vector<std::string>& line = lines.emplace_back();
    for (std::size_t i = 0; i < kept.size(); ++i) set(line, header_[i], kept[i]);
  }
  if (lines.empty() && header_.empty()) return;
  std::vector<std::string> names = header.names();
  names.emplace_back(kChecksum);
  std::string text = csv_line(names);
  for (std::vector<std::string>& line : lines) {
    line.resize(header.names().size());
    line.push_back(csv_checksum(header.names(), line));
    text += csv_line(line);
  }
  write_file(path_, text);
}

}  // namespace annelid::studies
