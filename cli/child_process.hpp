// Programs that run beside this one.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace annelid::cli {

/// Starts a program, which is looked for in PATH, in the working directory `folder` (empty: this
/// program's). Its output goes to a file, relative to this program's working directory. Throws
/// std::runtime_error if it cannot be started.
pid_t start_process(const std::string& program, const std::vector<std::string>& arguments,
                    const std::filesystem::path& output, const std::filesystem::path& folder = {});

/// Waits for one of the processes that were started. `status` is its exit status, 128 + n if signal
/// n ended it.
pid_t wait_process(int& status);

/// This program's own file.
std::filesystem::path own_program();

}  // namespace annelid::cli
