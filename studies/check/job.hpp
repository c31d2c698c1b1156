// One job of `annelid check`: a simulation that makes calls one after the other, and compares each
// with the reference.
#pragma once

#include <cstdint>
#include <string>

#include "nic/core.hpp"
#include "studies/check/plan.hpp"

namespace annelid::studies {

/// What a job found. A job ends with its first call that fails.
struct JobResult {
  std::uint64_t runs = 0;
  std::uint64_t fewest_steps = 0, most_steps = 0;
  bool bytes = true, schedule = true, contention = true, rest = true;  ///< held in all runs
  bool contention_free = false;  ///< promised, and required of these routers
  std::uint64_t stepwise = 0;    ///< flit-cycles blocked by a message of the same step
  std::uint64_t depth = 0;       ///< flit-cycles blocked by a message of another step
  std::uint64_t control = 0;     ///< flit-cycles in which a message waited for control packets
  std::string difference;        ///< of the call that failed; empty if none did
  std::string command;           ///< that makes this call alone

  [[nodiscard]] bool passed() const { return difference.empty(); }
};

/// Runs a job. Call it once per process, because SystemC elaborates once. `image` is the RV32
/// firmware.
[[nodiscard]] JobResult run_job(const CheckJob& job, const nic::Image& image);

/// Converts a result to one line of JSON and back, to send it from process to process.
[[nodiscard]] std::string to_json(const JobResult& result);
[[nodiscard]] JobResult job_result_of(const std::string& json);

}  // namespace annelid::studies
