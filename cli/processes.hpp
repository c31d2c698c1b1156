// The processes that `mpirun` has started together.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/exchange.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::cli {

/// The number of processes that mpirun (of Open MPI) has started; 1 without it.
[[nodiscard]] int started_processes();

/// What a command reads: what it is, for messages, and its path, or nothing.
using ReadFiles = std::vector<std::pair<std::string, std::filesystem::path>>;

/// Joins the others: starts MPI, for the rest of the process. Null if there are none. All must run
/// one build of the program with the same words, the same settings, and files of the same contents.
/// Where they do not, all end: process 0 throws InputError with the first difference, and the
/// others EndedByOther. Throws InputError if the program was built without MPI, or if MPI's
/// libraries are missing.
[[nodiscard]] Exchange* join_processes(const simulation::Settings& settings,
                                       const ReadFiles& files);

/// For a process that ends well and shares nothing: if the others wait for it in a network of
/// theirs, all end, as they do in join_processes().
void meet_processes();

/// Throws InputError for a command that does not share its work with other processes.
void require_one_process(const char* command);

/// For a process that ends with an error of this status, 1 or 2. If it has not joined the others,
/// it does so now: they know of the error, and one process says why all end. Returns the exit
/// status if that is another process.
[[nodiscard]] std::optional<int> ended_by_other(int status);

/// To be called before the process ends, if all processes end: leaves MPI.
void leave_processes();
/// Ends all processes that were joined at once; returns if there are none.
void abort_processes(int status);

}  // namespace annelid::cli
