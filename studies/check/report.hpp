// The results of a check, algorithm by algorithm, and the calls that it did not make.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "studies/check/job.hpp"

namespace annelid::studies {

/// The results for one algorithm.
struct CheckRow {
  const reference::Algorithm* algorithm = nullptr;
  std::set<std::string> networks;
  std::size_t jobs = 0, failed = 0;
  /// The sum over all its jobs. `stepwise` sums only the jobs that are not free of contention.
  /// `difference` and `command` are those of the first job that failed.
  JobResult sum;
  std::size_t first_failed = ~std::size_t{0};  ///< that job's place in the plan
  std::string failed_job;                      ///< that job: "edn broadcast on 8x8 mesh, ..."
  bool all_contention_free = true;             ///< free of contention wherever that is possible
};

struct CheckReport {
  std::vector<CheckRow> rows;     ///< as the plan has the algorithms
  std::vector<LeftOut> left_out;  ///< calls that were not made
  std::vector<int> ranks;         ///< the numbers of ranks, if only these were checked
  std::size_t jobs = 0, failed = 0;
  std::uint64_t runs = 0;
  double seconds = 0;  ///< that the jobs took on this host

  /// Adds the result of the job at this place of the plan.
  void add(const CheckPlan& plan, std::size_t place, const JobResult& result);
  [[nodiscard]] bool passed() const { return failed == 0; }

  /// Returns the report of a plan before its first job.
  [[nodiscard]] static CheckReport of(const CheckPlan& plan);

 private:
  CheckRow& row_of(const reference::Algorithm* algorithm);
};

}  // namespace annelid::studies
