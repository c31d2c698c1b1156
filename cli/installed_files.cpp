#include "cli/installed_files.hpp"

#include "base/child_process.hpp"

namespace annelid::cli {

namespace {

std::filesystem::path beside_program(const char* folder, const char* name) {
  return own_program().parent_path().parent_path() / folder / "annelid" / name;
}
std::filesystem::path shared_folder(const char* name) { return beside_program("share", name); }

}  // namespace

std::filesystem::path rtl_folder() { return shared_folder("rtl"); }
std::filesystem::path data_folder() { return rtl_folder().parent_path(); }
std::filesystem::path kit_folder() { return shared_folder("kit"); }

std::filesystem::path mpi_module() { return beside_program("lib", "annelid-mpi.so"); }

}  // namespace annelid::cli
