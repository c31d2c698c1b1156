// Fits the models of communication of Section 2.7 (reference/costs/communication_models.hpp) to
// measured points, or to runs that are simulated for it.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.hpp"
#include "reference/costs/communication_models.hpp"
#include "simulation/scenario/settings.hpp"
#include "studies/reproduce/outcome.hpp"

namespace annelid::studies {

/// What the model says of an operation that is no point of the fit.
struct ModelCheck {
  std::string what;
  std::optional<double> predicted;  ///< nothing: the model does not speak of it
  double measured = 0;
};

struct ModelReport {
  std::string title;  ///< where the points come from
  std::string unit;   ///< of the times; empty: not known
  reference::models::ModelFit fit;
  std::vector<ModelCheck> checks;     ///< of simulated points
  std::vector<std::string> commands;  ///< of simulated points: an `annelid run` for each
};

/// Returns the model of a name as --fit takes it: postal, logp, loggp, hockney or xu-hwang. Throws
/// InputError for any other name.
[[nodiscard]] reference::models::Model model_of(const std::string& name);

/// Fits a model to results, as fit_tau() reads them. Results of runs that differ only in what the
/// model has parameters for give one report; so does each file of times, and for Xu-Hwang all files
/// of times together. Throws InputError as fit_tau() does, and for points that the model does not
/// speak of.
[[nodiscard]] std::vector<ModelReport> fit_model(reference::models::Model model,
                                                 std::span<const std::string> results,
                                                 std::span<const int> nodes);

/// Which points to simulate.
struct PointRuns {
  std::vector<simulation::Override> overrides;  ///< machine; for Xu-Hwang the algorithm too
  std::vector<std::uint64_t> bytes;             ///< empty: default_bytes()
  std::vector<int> nodes;                       ///< Xu-Hwang; empty: powers of two
};
/// The keys of PointRuns::overrides, with their defaults here: an ideal network of 16 nodes,
/// because the models know "a completely connected graph" (2.7).
[[nodiscard]] std::vector<simulation::Key> point_run_keys();

/// Simulates runs of `annelid run` in this process, and fits the model to them. Other runs, between
/// the points and along a binomial tree, are the checks. Throws InputError for options that are
/// impossible or that the model does not have, and RunFailure if a run or its check fails.
[[nodiscard]] ModelReport simulate_model(reference::models::Model model, const PointRuns& runs,
                                         Progress& progress);

[[nodiscard]] reproduction::Table parameter_table(const ModelReport& report);
[[nodiscard]] reproduction::Table point_table(const ModelReport& report);
[[nodiscard]] reproduction::Table check_table(const ModelReport& report);
/// Xu-Hwang: t0 and r_inf for each number of nodes.
[[nodiscard]] reproduction::Table nodes_table(const ModelReport& report);
/// Xu-Hwang: "t0(n) = 3.1 + 40.2 log2 N; ...", and the same of 1 / r_inf(n).
[[nodiscard]] std::vector<std::string> growth_lines(const ModelReport& report);

/// Writes points.csv, which read_sources() reads again, parameters.csv and checks.csv into a
/// folder, which it creates if necessary. Throws InputError if a file cannot be written.
void write_model(const ModelReport& report, const std::filesystem::path& folder);

}  // namespace annelid::studies
