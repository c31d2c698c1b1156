// Compares the firmware of one or all algorithms with the reference, on simulated networks: bytes
// at every node, the messages of every step, and contention.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "simulation/scenario/settings.hpp"
#include "studies/check/report.hpp"
#include "studies/shard/shard.hpp"

namespace annelid::studies {

/// What to check. An empty text selects everything.
struct CheckOptions {
  std::vector<simulation::Override> network;  ///< options of a network: only this one
  std::vector<simulation::Override> routers;  ///< options of all routers: router.control_vc
  std::vector<simulation::Override> nics;     ///< options of all NICs: nic.eager_bytes
  std::string operation, algorithm;           ///< "broadcast", "edn"; or "auto"
  std::string router;                         ///< "all-port" or "one-port"
  std::string firmware;  ///< "native", "rv32" or the path of an RV32 ELF file; empty: the first two
  std::string ranks;     ///< "130" or "1:130": these numbers of ranks, of algorithms by rank
  int samples = 0;       ///< of these numbers; 0: all
  std::uint64_t seed = 1;
  bool quick = false;     ///< small networks, short payloads, few roots
  bool prepared = false;  ///< prepared calls, started several times
  int processes = 0;      ///< that simulate at the same time; 0: one per core
  /// The folder of check.csv, which keeps the jobs' results. It is made if it is not there. Empty:
  /// nothing is kept.
  std::filesystem::path folder = {};
  std::optional<Shard> shard = {};  ///< only these jobs
};

/// Plans the calls and makes them, each job in a copy of this process. A difference is a
/// result, not an error. Throws InputError, which names the option, for a name that does not
/// exist, and for a folder that cannot be written to; Interrupted if a signal asks the program to
/// end. Calls `progress` from this thread, and clears it at the end.
[[nodiscard]] CheckReport run_check(const CheckOptions& options, Progress& progress);

/// Plans the calls without making them, and returns the number of jobs. Throws InputError for names
/// as run_check() does.
[[nodiscard]] std::size_t count_jobs(const CheckOptions& options, Progress& progress);

}  // namespace annelid::studies
