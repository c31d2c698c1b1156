// Lines of CSV files whose rows outlive the program that wrote them: tables of sweeps and tunings.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace annelid {

/// A value with a comma is put in quotes.
[[nodiscard]] std::string csv_field(const std::string& text);
[[nodiscard]] std::vector<std::string> split_csv(const std::string& line);

/// The lines of a file, split, the header first. A last line without its end, which a program that
/// was interrupted left behind, is not among them. Empty if there is no such file.
[[nodiscard]] std::vector<std::vector<std::string>> read_csv(const std::filesystem::path& file);

}  // namespace annelid
