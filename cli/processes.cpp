#include "cli/processes.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/build.hpp"
#include "base/input_error.hpp"
#include "base/json.hpp"
#include "base/run_failure.hpp"
#include "cli/installed_files.hpp"
#include "cli/program.hpp"

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

/// Whether this process has been among them, and has left: MPI starts only once.
bool& has_left() {
  static bool left = false;
  return left;
}

// MPI is in a file of its own, so that the program needs it only here.
Exchange& start_mpi() {
  if (joined()) return *joined();
  const std::string file = mpi_module().string();
  void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  auto* const join = module == nullptr
                         ? nullptr
                         : reinterpret_cast<Exchange* (*)()>(dlsym(module, "annelid_join_ranks"));
  if (join == nullptr) {
    throw InputError("mpirun -np", std::to_string(started_processes()),
                     fmt::format("1, or a program that was built with MPI: {}", dlerror()));
  }
  joined().reset(join());
  return *joined();
}

/// What a process does, by key. The first key is the command.
using Identity = std::vector<std::pair<std::string, std::string>>;
constexpr const char* kArguments = "arguments";

Identity own_command() { return {{"command", command_line().empty() ? "" : command_line()[0]}}; }

/// The value of a key; nothing if there is none.
std::string value_in(const Identity& identity, const std::string& key) {
  const auto found = std::ranges::find(identity, key, &Identity::value_type::first);
  return found == identity.end() ? "nothing" : "\"" + found->second + "\"";
}

/// The keys of both, in their order; the words last, as another key says more of a difference.
std::vector<std::string> keys_of(const Identity& one, const Identity& other) {
  std::vector<std::string> keys;
  for (const Identity* const each : {&one, &other}) {
    for (const auto& [key, value] : *each) {
      if (key != kArguments) keys.push_back(key);
    }
  }
  keys.emplace_back(kArguments);
  return keys;
}

/// Throws InputError for the first key that a process has with another value than process 0.
void require_same(const std::vector<Identity>& all) {
  for (std::size_t process = 1; process < all.size(); ++process) {
    for (const std::string& key : keys_of(all.front(), all[process])) {
      const std::string expected = value_in(all.front(), key), found = value_in(all[process], key);
      if (found == expected) continue;
      throw InputError("mpirun: " + key, fmt::format("{} in process {}", found, process),
                       expected + ", as in process 0: they simulate one network together");
    }
  }
}

/// Collective: starts MPI, and compares what the processes do. If one of them has failed, or does
/// something else, all end: one says it.
Exchange& meet(const Identity& identity) {
  Exchange& exchange = start_mpi();
  throw_together(exchange, nullptr);  // where others say that they have failed (ended_by_other)
  const std::vector<std::string> texts =
      gathered_texts(exchange, json_text(nlohmann::json(identity)));
  std::exception_ptr failure;
  try {
    std::vector<Identity> all;
    all.reserve(texts.size());
    for (const std::string& text : texts) all.push_back(nlohmann::json::parse(text));
    if (!all.empty()) require_same(all);
  } catch (...) {
    failure = std::current_exception();
  }
  throw_together(exchange, failure);
  return exchange;
}

}  // namespace

int started_processes() { return number_in("OMPI_COMM_WORLD_SIZE", 1); }

Exchange* join_processes(const simulation::Settings& settings, const ReadFiles& files) {
  if (started_processes() == 1) return nullptr;
  Identity identity = own_command();
  identity.emplace_back("build", build_name());
  for (const std::string& assignment : settings.assignments()) {
    const std::size_t equals = assignment.find('=');
    identity.emplace_back(assignment.substr(0, equals), assignment.substr(equals + 1));
  }
  for (const auto& [what, file] : files) {
    if (!file.empty()) identity.emplace_back("contents of " + what, build_name_of(file));
  }
  identity.emplace_back(kArguments, fmt::format("{}", fmt::join(command_line(), " ")));
  return &meet(identity);
}

void meet_processes() {
  if (started_processes() == 1 || joined() || has_left()) return;
  try {
    (void)start_mpi();
  } catch (const InputError&) {
    return;  // nobody can wait for this process without MPI
  }
  (void)meet(own_command());
}

void require_one_process(const char* command) {
  if (started_processes() == 1) return;
  throw InputError("mpirun -np", std::to_string(started_processes()),
                   fmt::format("1 for {}: so far several processes share a network only in "
                               "annelid traffic and annelid run",
                               command));
}

// The others may have joined, and wait for this process where throw_together() tells them of errors
// (simulation::together). Where MPI is missing, all have the same error, and mpirun ends no process
// before process 0 has said it.
std::optional<int> ended_by_other(int status) {
  if (started_processes() == 1 || joined() || has_left()) return std::nullopt;
  Exchange* exchange = nullptr;
  try {
    exchange = &start_mpi();
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

void leave_processes() {
  if (!joined()) return;
  joined().reset();
  has_left() = true;
}
void abort_processes(int status) {
  if (joined()) joined()->abort(status);
}

}  // namespace annelid::cli
