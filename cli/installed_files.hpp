// Finds the installed files of the program.
#pragma once

#include <filesystem>

namespace annelid::cli {

/// Returns the folder of the RTL's sources and of rtl.f: ../share/annelid/rtl, relative to the
/// folder of this executable. The path is the same in the build tree and in an installation. The
/// folder need not exist.
[[nodiscard]] std::filesystem::path rtl_folder();

}  // namespace annelid::cli
