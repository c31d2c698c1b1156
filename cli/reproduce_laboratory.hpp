// Runs the simulations of `annelid reproduce`: each an `annelid run` in a process of its own, as
// SystemC elaborates once per process, several at a time.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "cli/child_process.hpp"
#include "cli/measurement_store.hpp"
#include "cli/progress.hpp"
#include "reproduction/laboratory.hpp"

namespace annelid::cli {

class ProgramLaboratory final : public reproduction::Laboratory {
 public:
  /// `folder` is made, and removed at the end. Store and progress must outlive the laboratory.
  ProgramLaboratory(MeasurementStore& store, std::filesystem::path folder, std::size_t processes,
                    int sources, Progress& progress);
  ProgramLaboratory(const ProgramLaboratory&) = delete;
  ProgramLaboratory& operator=(const ProgramLaboratory&) = delete;
  ~ProgramLaboratory() override;

  /// Throws RunFailure, with the command, if a run ends with another exit status than 0: also if
  /// one of its checks failed.
  std::vector<reproduction::Measurement> measure(std::span<const reproduction::Run> runs) override;
  [[nodiscard]] int sources() const override { return sources_; }

  /// Goes before what progress shows: "fig3.15 (7 of 40)".
  void set_title(std::string title) { title_ = std::move(title); }
  /// Runs that were simulated, and those that were known.
  [[nodiscard]] std::size_t simulated() const { return simulated_; }
  [[nodiscard]] std::size_t kept() const { return kept_; }

 private:
  void start(const reproduction::Run& run, std::size_t number);
  void finish_one(const std::vector<reproduction::Run>& runs);
  [[nodiscard]] std::filesystem::path place(std::size_t number) const;
  [[nodiscard]] std::filesystem::path log(std::size_t number) const;

  MeasurementStore& store_;
  const std::filesystem::path folder_;
  const std::size_t processes_;
  const int sources_;
  Progress& progress_;
  const std::filesystem::path program_;
  std::string title_;
  ChildPool running_;
  std::size_t simulated_ = 0, kept_ = 0;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

}  // namespace annelid::cli
