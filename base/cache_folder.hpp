// What the program keeps from one run to the next, and names for it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace annelid {

/// Returns the folder `what` in $ANNELID_CACHE_DIR, or annelid/`what` in $XDG_CACHE_HOME or
/// ~/.cache. If none of the variables is set, returns an empty path, and nothing is kept: in a
/// folder that all users can write, another user could put a file of theirs.
[[nodiscard]] std::filesystem::path cache_folder(const char* what);

/// Returns a short name for a long text: two 64-bit FNV-1a hashes in hexadecimal.
[[nodiscard]] std::string digest(std::string_view text);
/// The length of such a name.
inline constexpr std::size_t kDigestLength = 32;

}  // namespace annelid
