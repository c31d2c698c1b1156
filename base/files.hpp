// Reading a whole file, and writing one so that it is there completely or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace annelid {

/// The bytes of a file. Throws InputError with `where` (an option or "file:line: key") if it cannot
/// be read or is longer than `limit` bytes.
std::vector<std::byte> read_file(const std::filesystem::path& file, const std::string& where,
                                 std::size_t limit);

/// The text of a file that this program has made. Throws InputError with its path.
std::string read_text(const std::filesystem::path& file);

/// Whether two paths name one file, whether it is there or not.
[[nodiscard]] bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// As an OutputFile, whose messages name the path.
void write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace annelid
