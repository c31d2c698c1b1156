#include "cli/ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "base/input_error.hpp"
#include "base/run_failure.hpp"
#include "cli/installed_files.hpp"

namespace annelid::cli {
namespace {

int number_in(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

std::unique_ptr<Exchange>& joined() {
  static std::unique_ptr<Exchange> exchange;
  return exchange;
}

}  // namespace

int started_ranks() { return number_in("OMPI_COMM_WORLD_SIZE", 1); }

// MPI is in a file of its own, so that the program needs it only here.
Exchange* join_ranks() {
  if (started_ranks() == 1) return nullptr;
  if (joined()) return joined().get();
  const std::string file = mpi_module().string();
  void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  auto* const join = module == nullptr
                         ? nullptr
                         : reinterpret_cast<Exchange* (*)()>(dlsym(module, "annelid_join_ranks"));
  if (join == nullptr) {
    throw InputError("mpirun -np", std::to_string(started_ranks()),
                     fmt::format("1, or a program that was built with MPI: {}", dlerror()));
  }
  joined().reset(join());
  return joined().get();
}

void require_one_rank(const char* command) {
  if (started_ranks() == 1) return;
  throw InputError("mpirun -np", std::to_string(started_ranks()),
                   fmt::format("1 for {}: so far several processes share a network only in "
                               "annelid traffic and annelid run",
                               command));
}

// The others may have joined, and wait for this process where throw_together() tells them of errors
// (simulation::together). Where MPI is missing, all have the same error, and mpirun ends no process
// before rank 0 has said it.
std::optional<int> ended_by_other(int status) {
  if (started_ranks() == 1 || joined()) return std::nullopt;
  Exchange* exchange = nullptr;
  try {
    exchange = join_ranks();
  } catch (const InputError&) {
    return number_in("OMPI_COMM_WORLD_RANK", 0) == 0 ? std::nullopt : std::optional(0);
  }
  try {
    throw_together(*exchange, status == 2 ? std::make_exception_ptr(InputError("", ""))
                                          : std::make_exception_ptr(RunFailure("")));
  } catch (const EndedByOther& end) {
    return end.status;
  } catch (const std::exception&) {  // this process says it
  }
  return std::nullopt;
}

void leave_ranks() { joined().reset(); }
void abort_ranks(int status) {
  if (joined()) joined()->abort(status);
}

}  // namespace annelid::cli
