#include "cli/installed_files.hpp"

namespace annelid::cli {

std::filesystem::path rtl_folder() {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  return program.parent_path().parent_path() / "share/annelid/rtl";
}

}  // namespace annelid::cli
