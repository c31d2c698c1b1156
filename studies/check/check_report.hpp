// What `annelid check` found, algorithm by algorithm, and what it did not make.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "studies/check/check_job.hpp"

namespace annelid::studies {

class CheckReport {
 public:
  /// `plan` must outlive the report.
  explicit CheckReport(const CheckPlan& plan);

  /// What the job at this place of the plan found.
  void add(std::size_t place, const JobResult& result);

  /// The table of verdicts, the first difference of each algorithm that failed, and the calls that
  /// were left out.
  [[nodiscard]] std::string text(bool colour) const;
  [[nodiscard]] std::uint64_t runs() const { return runs_; }

 private:
  struct Row {
    const reference::Algorithm* algorithm = nullptr;
    std::set<std::string> networks;
    std::size_t jobs = 0, failed = 0;
    JobResult sum;                               ///< of all its jobs; `difference` is the first's
    std::size_t first_failed = ~std::size_t{0};  ///< that job's place
    bool all_contention_free = true;             ///< on every network and router on which it can be
  };

  Row& row_of(const reference::Algorithm* algorithm);
  [[nodiscard]] std::string table(bool colour) const;
  [[nodiscard]] std::string differences() const;
  [[nodiscard]] std::string left_out() const;

  const CheckPlan& plan_;
  std::vector<Row> rows_;  ///< as the plan has the algorithms
  std::uint64_t runs_ = 0;
};

}  // namespace annelid::studies
