// Runs the simulations of a reproduction, several at a time, each in a copy of this process.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/progress.hpp"
#include "studies/reproduce/laboratory.hpp"
#include "studies/reproduce/measurement_store.hpp"
#include "studies/reproduce/schedule_core.hpp"

namespace annelid::studies {

/// How long the messages of some runs waited, in flit-cycles.
struct Waits {
  std::size_t runs = 0;
  std::uint64_t stepwise = 0, depth = 0, control = 0;  ///< as in Measurement
};

class JobLaboratory final : public reproduction::Laboratory {
 public:
  struct Options {
    std::size_t processes = 1;
    int sources = 0;         ///< random sources of a broadcast; 0: as many as the papers took
    bool control_vc = true;  ///< of the routers of all runs
    std::filesystem::path folder = {};  ///< of the results, where traces are left
  };

  /// `store` and `progress` must outlive the laboratory.
  JobLaboratory(MeasurementStore& store, const Options& options, Progress& progress);
  JobLaboratory(const JobLaboratory&) = delete;
  JobLaboratory& operator=(const JobLaboratory&) = delete;

  [[nodiscard]] int sources() const override;

  /// Sets the text before each line of progress: "fig3.15 (7 of 40)".
  void set_title(std::string title) { title_ = std::move(title); }
  /// Returns the waits of all runs since the last call.
  [[nodiscard]] Waits take_waits() { return std::exchange(waits_, {}); }
  /// Returns the commits of the builds that simulated the runs since the last call, where that
  /// was another program than this one.
  [[nodiscard]] std::set<std::string> take_commits() { return std::exchange(commits_, {}); }
  /// The number of runs that were simulated, and of runs with a stored result.
  [[nodiscard]] std::size_t simulated() const { return simulated_; }
  [[nodiscard]] std::size_t kept() const { return kept_; }

 private:
  /// Throws RunFailure if a run or one of its checks failed. The error holds the command that
  /// repeats the run.
  std::vector<reproduction::Measurement> results_of(std::vector<reproduction::Run>& runs) override;
  std::uint64_t cycles_of(reproduction::CoreSchedule schedule, int processes, int process) override;
  std::vector<TraceTimes> times_of(const reproduction::MessageTrace& trace) override;
  void simulate(const std::vector<reproduction::Run>& runs);

  MeasurementStore& store_;
  const Options options_;
  Progress& progress_;
  std::string title_;
  Waits waits_;
  std::set<std::string> commits_;
  std::optional<ScheduleCore> core_;
  std::size_t simulated_ = 0, kept_ = 0;
};

}  // namespace annelid::studies
