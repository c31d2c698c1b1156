// Runs the simulations of `annelid reproduce`: each is an `annelid run`.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "base/progress.hpp"
#include "studies/reproduce/laboratory.hpp"
#include "studies/reproduce/measurement_store.hpp"

namespace annelid::studies {

class ProgramLaboratory final : public reproduction::Laboratory {
 public:
  /// `folder` is there while runs need it. Store and progress must outlive the laboratory.
  ProgramLaboratory(MeasurementStore& store, std::filesystem::path folder, std::size_t processes,
                    int sources, Progress& progress);
  ProgramLaboratory(const ProgramLaboratory&) = delete;
  ProgramLaboratory& operator=(const ProgramLaboratory&) = delete;

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
  void simulate(const std::vector<reproduction::Run>& runs);

  MeasurementStore& store_;
  const std::filesystem::path folder_;
  const std::size_t processes_;
  const int sources_;
  Progress& progress_;
  std::string title_;
  std::size_t simulated_ = 0, kept_ = 0;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

}  // namespace annelid::studies
