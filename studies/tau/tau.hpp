// Fits the tau-model, T = T_s + T_n L, to runs of several lengths, and compares algorithms.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "reference/tau_model.hpp"
#include "studies/reproduce/outcome.hpp"

namespace annelid::studies {

/// Runs that differ in nothing but their length, root and seed.
struct TauLine {
  std::string title;                            ///< operation, algorithm, network and start-ups
  std::vector<reference::tau::Sample> samples;  ///< bytes and cycles
  reference::tau::Fit fit;                      ///< with the least squares
};

/// The lines of result.json files of runs, or of folders that have one, in their order. Throws
/// InputError for what is no such file, and for a line with runs of one length only.
[[nodiscard]] std::vector<TauLine> fit_tau(std::span<const std::string> results);

/// A row for each line.
[[nodiscard]] reproduction::Table tau_table(std::span<const TauLine> lines);

/// Writes tau.csv and the tau-plot, tau.svg and tau.png, into a folder, which is made if it is not
/// there. Throws InputError, RunFailure.
void write_tau(std::span<const TauLine> lines, const std::filesystem::path& folder);

}  // namespace annelid::studies
