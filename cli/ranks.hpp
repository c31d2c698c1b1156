// The processes that `mpirun` has started together.
#pragma once

#include <optional>

#include "base/exchange.hpp"

namespace annelid::cli {

/// The number of processes that mpirun (of Open MPI) has started; 1 without it.
[[nodiscard]] int started_ranks();

/// Joins the others: starts MPI, for the rest of the process. Null if there are none. Throws
/// InputError if the program was built without MPI, or if MPI's libraries are missing.
[[nodiscard]] Exchange* join_ranks();

/// Throws InputError for a command that does not share its work with other processes.
void require_one_rank(const char* command);

/// For a process that ends with an error of this status, 1 or 2. If it has not joined the others,
/// it does so now: they know of the error, and one process says why all end. Returns the exit
/// status if that is another process.
[[nodiscard]] std::optional<int> ended_by_other(int status);

/// To be called before the process ends, if all processes end: leaves MPI.
void leave_ranks();
/// Ends all processes that were joined at once; returns if there are none.
void abort_ranks(int status);

}  // namespace annelid::cli
