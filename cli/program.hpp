#pragma once

#include <string>
#include <vector>

namespace annelid::cli {

/// Runs the command that the arguments name. Never throws. \return the program's exit status: 0
/// success, 1 a check or the run failed, 2 bad input
int run_command_line(int argc, char** argv);

/// Runs another command in place of the one that is running, as run_command_line() does. `words`
/// are its arguments without the program's name.
int run_words(const std::vector<std::string>& words);

/// The arguments of the running command, without the program's name.
[[nodiscard]] const std::vector<std::string>& command_line();

}  // namespace annelid::cli
