// Programs that run beside this one.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace annelid::cli {

/// Starts a program; its output goes to a file, or nowhere if the path is empty. `program` is
/// looked for in PATH. Throws std::runtime_error if it cannot be started.
pid_t start_process(const std::string& program, const std::vector<std::string>& arguments,
                    const std::filesystem::path& output);

/// Waits for one of the processes that were started. `status` is its exit status, 128 + n if signal
/// n ended it.
pid_t wait_process(int& status);

/// This program's own file.
std::filesystem::path own_program();

}  // namespace annelid::cli
