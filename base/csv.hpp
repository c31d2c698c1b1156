// CSV files that are read again by later runs: the tables of sweeps and tunings.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace annelid {

/// A text as a CSV field. It is quoted if it contains a comma, a quote or a line end.
[[nodiscard]] std::string csv_field(const std::string& text);
/// A line of CSV: at least one field, commas between the fields, and a line end.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

/// Splits a text into lines of fields, the header first. An incomplete last line, which an
/// interrupted program may have left behind, is dropped.
[[nodiscard]] std::vector<std::vector<std::string>> split_csv(std::string_view text);

/// A checksum of a row, as 16 hexadecimal digits: of its cells that are not empty, with the names
/// of their columns. The order of the columns does not count, and neither do columns in which the
/// row has nothing. `cells` has at most as many items as `names`.
[[nodiscard]] std::string csv_checksum(const std::vector<std::string>& names,
                                       const std::vector<std::string>& cells);

/// The lines of a file, split; none if the file does not exist. Throws InputError if it cannot be
/// read.
[[nodiscard]] std::vector<std::vector<std::string>> read_csv(const std::filesystem::path& file);

}  // namespace annelid
