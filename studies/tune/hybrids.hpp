// A tuning of InterCom's hybrids: which of them are simulated, and what the runs say about the
// hybrid that the processes choose and about the model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "reference/costs/intercom_ranking.hpp"
#include "simulation/scenario/scenario.hpp"
#include "studies/tune/measurements.hpp"

namespace annelid::studies {

/// Returns all hybrids that the call can name, ranked by the model. The call is InterCom's; if its
/// operator does not commute, the hybrids keep the order of the ranks. `start_up`: the cycles of a
/// step with no words, in the model.
[[nodiscard]] std::vector<HybridCandidate> ranked_hybrids(const simulation::Collective& call,
                                                          double start_up);

/// Returns the first `count` of a ranking, as many others, drawn by the seed, and the one that the
/// processes choose, in the ranking's order.
[[nodiscard]] std::vector<HybridCandidate> simulated_hybrids(
    const std::vector<HybridCandidate>& ranking, std::size_t count,
    const reference::HybridChoice& chosen, std::uint64_t seed);

/// Returns the settings of a call that names the hybrid.
[[nodiscard]] simulation::Settings naming(const simulation::Settings& call,
                                          const reference::HybridChoice& hybrid);

/// The start-up that the model takes for a firmware.
[[nodiscard]] double model_start_up(const simulation::FirmwareChoice& firmware);

/// A measured candidate.
struct HybridRun {
  HybridCandidate candidate;
  std::uint64_t cycles = 0;
};

/// What the runs of one length say.
struct HybridLength {
  std::uint64_t bytes = 0;
  std::size_t hybrids = 0;                      ///< in the ranking
  reference::HybridChoice chosen;               ///< by the processes
  bool chosen_by_tuning = false;                ///< by a table; else by the rule
  std::uint64_t chosen_cycles = 0;              ///< of the call that leaves the choice open
  std::vector<HybridRun> runs;                  ///< by the model's ranking
  [[nodiscard]] const HybridRun& best() const;  ///< the fastest run
  /// How much longer than the fastest run: the processes' choice, and the model's first hybrid.
  [[nodiscard]] double loss_of_choice() const;
  [[nodiscard]] double loss_of_model() const;
};

struct HybridResult {
  const TuneCase* of = nullptr;
  double start_up = 0;
  std::vector<HybridLength> lengths;
};

/// With all points of the case measured.
[[nodiscard]] HybridResult hybrid_result_of(const TuneGrid& grid, const TuneMeasurements& table,
                                            std::size_t in_case);

/// "8x8 short far".
[[nodiscard]] std::string hybrid_text(const reference::HybridChoice& hybrid, int processes);

/// Returns tune.json of a tuning of hybrids.
[[nodiscard]] std::string hybrids_json(const TuneGrid& grid,
                                       const std::vector<HybridResult>& results);

}  // namespace annelid::studies
