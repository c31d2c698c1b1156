// A CSV file that keeps results after the program has ended. Each row holds everything that
// determined its result, and a checksum, as later commands trust it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace annelid::studies {

/// The columns' names and texts, in the order of the file.
using Columns = std::vector<std::pair<std::string, std::string>>;

/// Returns the text of a column, or nullptr if there is no such column.
[[nodiscard]] const std::string* find_column(const Columns& columns, std::string_view name);

/// Everything that determines a result: the settings of a run, and the build of the program that
/// made it.
struct Configuration {
  Columns columns;
  std::string hash;  ///< of the columns
};

/// Returns the row of a result: the hash, the columns of `result`, those of the configuration.
[[nodiscard]] Columns row_of(const Configuration& configuration, const Columns& result);

/// The first column, "configuration", is the hash, and the last one, "checksum", the checksum of
/// the row (csv_checksum). All others are the user's. Rows of other configurations are kept: those
/// of other commands in the same folder, and those of other builds.
class RowFile {
 public:
  explicit RowFile(std::filesystem::path path) : path_(std::move(path)) {}

  /// Reads the file if it exists. Throws InputError if it is no such table, and if a row is not as
  /// write() has written it: the error names its line. A last line without its end is left out.
  void read();
  /// Returns the row of a configuration. Its hash and all columns must agree; otherwise returns
  /// nothing.
  [[nodiscard]] std::optional<Columns> find(const Configuration& configuration) const;
  /// Takes over the rows of another file whose configurations are new here. Throws RunFailure if a
  /// row says something else of a configuration than the row that is here.
  void add(const RowFile& other);
  /// Replaces the file. It then has `rows`, followed by the rows that were read, except those of
  /// the configurations of `rows` and those with a hash in `dropped`. The columns of `front` come
  /// first, then the others in the order in which they appear. Without rows, no file is written.
  void write(const std::vector<std::string>& front, const std::vector<Columns>& rows,
             const std::set<std::string>& dropped = {}) const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  [[nodiscard]] Columns columns_of(const std::vector<std::string>& row) const;

  std::filesystem::path path_;
  std::vector<std::string> header_;                 ///< without "checksum"
  std::vector<std::vector<std::string>> rows_;      ///< without it, too
  std::multimap<std::string, std::size_t> places_;  ///< of the rows, by hash
};

}  // namespace annelid::studies
