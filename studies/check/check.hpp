// Holds the firmware of one or all algorithms against the reference, on simulated networks: bytes
// at every node, the messages of every step, and contention.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "simulation/scenario/settings.hpp"
#include "studies/check/report.hpp"

namespace annelid::studies {

/// What is to be checked. Where a text is empty, all that there is.
struct CheckOptions {
  std::vector<simulation::Override> network;  ///< of a network: this one alone
  std::vector<simulation::Override> routers;  ///< of all routers: router.control_vc
  std::string operation, algorithm;           ///< "broadcast", "edn"; or "auto"
  std::string router;                         ///< "all-port" or "one-port"
  std::string firmware;  ///< "native", "rv32" or the path of an RV32 ELF file; empty: the first two
  std::string ranks;     ///< "130" or "1:130": these numbers of ranks, of algorithms by rank
  int samples = 0;       ///< of these numbers; 0: all
  std::uint64_t seed = 1;
  bool quick = false;  ///< small networks, short payloads, few roots
  int processes = 0;   ///< that simulate at the same time; 0: one per core
};

/// Plans the calls and makes them, each job in a copy of this process. That something differs is a
/// result, no error. Throws InputError, which names the options of `annelid check`, for what there
/// is not; Interrupted if a signal asks the program to end. `progress` is told from the calling
/// thread, and cleared in the end.
[[nodiscard]] CheckReport run_check(const CheckOptions& options, Progress& progress);

}  // namespace annelid::studies
