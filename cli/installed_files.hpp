// Where the files of the program are.
#pragma once

#include <filesystem>

namespace annelid::cli {

/// The folder of the RTL's sources and of rtl.f: ../share/annelid/rtl from the folder of this
/// executable, in the build tree as well as wherever the program is installed. It need not exist.
[[nodiscard]] std::filesystem::path rtl_folder();

}  // namespace annelid::cli
