// The processes that `mpirun` has started together.
#pragma once

#include "base/exchange.hpp"

namespace annelid::cli {

/// The number of processes that mpirun (of Open MPI) has started; 1 without it.
[[nodiscard]] int started_ranks();

/// Joins the others: starts MPI, for the rest of the process. Null if there are none. Throws
/// InputError if the program was built without MPI, or if MPI's libraries are missing.
[[nodiscard]] Exchange* join_ranks();

/// Throws InputError for a command that does not share its work with other processes.
void require_one_rank(const char* command);

/// To be called before the process ends, if all processes end: leaves MPI.
void leave_ranks();
/// Ends all processes that were joined at once; returns if there are none.
void abort_ranks(int status);
/// Whether this process says what went wrong. Before they join, all processes find the same errors,
/// and rank 0 alone says them.
[[nodiscard]] bool speaks();

}  // namespace annelid::cli
