#include "cli/commands.hpp"

#include <array>

namespace annelid::cli {

std::span<const AddCommand> commands() {
  static constexpr std::array<AddCommand, 19> kCommands = {
      add_run,      add_check,          add_schedule, add_traffic,   add_sweep,
      add_tune,     add_merge,          add_cost,     add_deadlock,  add_timeline,
      add_firmware, add_firmware_build, add_wave,     add_reproduce, add_tau,
      add_keys,     add_completion,     add_complete, add_help};
  return kCommands;
}

std::filesystem::path result_folder(const std::string& out, const std::string& name) {
  return out.empty() ? std::filesystem::path("runs") / name : std::filesystem::path(out);
}

}  // namespace annelid::cli
