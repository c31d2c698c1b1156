#pragma once

namespace annelid::cli {

/// Runs the command that the arguments name. Never throws. \return the program's exit status: 0
/// success, 1 a check or the run failed, 2 bad input
int run_program(int argc, char** argv);

}  // namespace annelid::cli
