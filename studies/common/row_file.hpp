// Results that outlive the program: a CSV file. Each row holds everything that decided its result.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace annelid::studies {

/// Names of columns and their texts, in the order of the file.
using Columns = std::vector<std::pair<std::string, std::string>>;

/// All that decides a result: the settings of a run, and the build of the program that made it.
struct Configuration {
  Columns columns;
  std::string hash;  ///< of the columns

  /// nullptr if there is no such column.
  [[nodiscard]] const std::string* find(const std::string& column) const;
};

/// The first column, "configuration", is the hash. Rows of other configurations are kept: those of
/// other commands in the same folder, and those of other builds.
class RowFile {
 public:
  explicit RowFile(std::filesystem::path path) : path_(std::move(path)) {}

  /// Reads what is there. Throws InputError if that is another file than such a table.
  void read();
  /// The row of a configuration: its hash, and all of its columns too, or it is no row of ours.
  [[nodiscard]] std::optional<Columns> find(const Configuration& configuration) const;
  /// Replaces the file: the rows, and behind them those that were read, but for rows whose hash is
  /// one of `replaced`. The columns are those of `front`, then the others as they come. No file is
  /// made for no rows.
  void write(const std::vector<std::string>& front, const std::vector<Columns>& rows,
             const std::set<std::string>& replaced) const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
  std::multimap<std::string, std::size_t> places_;  ///< of the rows, by hash
};

}  // namespace annelid::studies
