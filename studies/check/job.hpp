// One job of `annelid check`: a simulation in which call follows call, each compared with the
// reference.
#pragma once

#include <cstdint>
#include <string>

#include "nic/core.hpp"
#include "studies/check/plan.hpp"

namespace annelid::studies {

/// What a job found. It ends with its first call that fails.
struct JobResult {
  std::uint64_t runs = 0;
  std::uint64_t fewest_steps = 0, most_steps = 0;
  bool bytes = true, schedule = true, contention = true, rest = true;  ///< held in all runs
  bool contention_free = false;  ///< promised, and required of these routers
  std::uint64_t stepwise = 0;    ///< flit-cycles blocked by a message of the same step
  std::uint64_t depth = 0;       ///< and by one of another step
  std::string difference;        ///< of the call that failed; empty if none did
  std::string command;           ///< that makes this call alone

  [[nodiscard]] bool passed() const { return difference.empty(); }
};

/// Once per process, as SystemC elaborates once. `image` is that of RV32 firmware.
[[nodiscard]] JobResult run_job(const CheckJob& job, const nic::Image& image);

/// One line of JSON, to send it from process to process.
[[nodiscard]] std::string to_json(const JobResult& result);
[[nodiscard]] JobResult job_result_of(const std::string& json);

}  // namespace annelid::studies
