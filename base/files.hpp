// Reads a whole file, and writes a file completely or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace annelid {

/// Opens a file that the user named. Throws InputError with `where` (an option, "file:line: key" or
/// the path itself) if there is none, if it is a folder, or if it cannot be read.
[[nodiscard]] std::ifstream open_file(const std::filesystem::path& file, const std::string& where,
                                      const std::string& expected = "a readable file");

/// The bytes of a file. Throws InputError as open_file() does, and if the file is longer than
/// `limit` bytes.
std::vector<std::byte> read_file(const std::filesystem::path& file, const std::string& where,
                                 std::size_t limit,
                                 const std::string& expected = "a readable file");

/// Opens a text as open_file() does. A byte order mark of UTF-8 in front of it is skipped; a text
/// in UTF-16 is refused. All readers of texts open them here, so that all take the same files.
[[nodiscard]] std::ifstream open_text(const std::filesystem::path& file, const std::string& where,
                                      const std::string& expected = "a readable file");

/// The whole text of a file, without a byte order mark. Throws as open_text() does, and if the file
/// is longer than `limit` bytes.
std::string read_text(const std::filesystem::path& file, const std::string& where,
                      std::size_t limit, const std::string& expected = "a readable file");
/// The whole text of a file of any length, which messages name by its path.
std::string read_text(const std::filesystem::path& file);

/// Where a path leads: absolute, without links and dots. The file need not exist.
[[nodiscard]] std::filesystem::path real_place(const std::filesystem::path& file);

/// Writes a file with OutputFile, and throws as OutputFile does. The messages name the path.
void write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace annelid
