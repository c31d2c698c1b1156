// Reading a whole file, and writing one so that it is there completely or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
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

/// Throws InputError with `where` unless a file can be made at this path.
/// Called before a run, so that a long run cannot end in vain.
void require_writable(const std::filesystem::path& file, const std::string& where);

/// Whether two paths name one file, whether it is there or not.
[[nodiscard]] bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// Makes the folder that results go into. Throws InputError (--out) unless each of the files can be
/// made there.
void prepare_folder(const std::filesystem::path& folder, std::initializer_list<const char*> files);

/// The path of a run's result.json. Makes its folder, and removes an old result, which must not
/// pass for this run's. Throws InputError (--out).
std::filesystem::path prepare_result(const std::filesystem::path& folder);

/// Writes a neighbour of the file first and renames it. Throws InputError if that fails.
void write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace annelid
