#include "cli/installed_files.hpp"

namespace annelid::cli {

namespace {

std::filesystem::path shared_folder(const char* name) {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  return program.parent_path().parent_path() / "share/annelid" / name;
}

}  // namespace

std::filesystem::path rtl_folder() { return shared_folder("rtl"); }
std::filesystem::path kit_folder() { return shared_folder("kit"); }

}  // namespace annelid::cli
