// Finds the installed files of the program.
#pragma once

#include <filesystem>

namespace annelid::cli {

/// Returns the folder of the RTL's sources and of rtl.f: ../share/annelid/rtl, relative to the
/// folder of this executable. The path is the same in the build tree and in an installation. The
/// folder need not exist.
[[nodiscard]] std::filesystem::path rtl_folder();

/// Returns the folder in which rtl_folder() and the sources of the RTL's C++ side are.
[[nodiscard]] std::filesystem::path data_folder();

/// Returns the folder of what `annelid firmware build` needs besides the compiler:
/// ../share/annelid/kit, in the same way.
[[nodiscard]] std::filesystem::path kit_folder();

/// Returns the file through which several processes talk by MPI: ../lib/annelid/annelid-mpi.so, in
/// the same way.
[[nodiscard]] std::filesystem::path mpi_module();

}  // namespace annelid::cli
