// CSV files whose rows outlive the program that wrote them: tables of sweeps and tunings.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace annelid {

/// A value with a comma, a quote or a line end is put in quotes.
[[nodiscard]] std::string csv_field(const std::string& text);
/// Fields, at least one, with commas between, and a line end.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

/// The lines of a text, split, the header first. A last line without its end, which a program that
/// was interrupted left behind, is not among them.
[[nodiscard]] std::vector<std::vector<std::string>> split_csv(std::string_view text);

/// The lines of a file; none if there is no such file. Throws InputError if it cannot be read.
[[nodiscard]] std::vector<std::vector<std::string>> read_csv(const std::filesystem::path& file);

}  // namespace annelid
