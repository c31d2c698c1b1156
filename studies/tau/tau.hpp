// Fits the tau-model, T = T_s + T_n L, to runs of several lengths, and compares algorithms.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "reference/tau_model.hpp"
#include "studies/reproduce/outcome.hpp"

namespace annelid::studies {

/// Runs that differ only in length, root and seed.
struct TauLine {
  std::string title;                            ///< operation, algorithm, network and start-ups
  std::vector<reference::tau::Sample> samples;  ///< bytes and cycles
  reference::tau::Fit fit;                      ///< with the least squares
};

/// Fits lines to the result.json files of runs. Each name in `results` is such a file or a folder
/// that holds one, and the lines are in the order of the names. Throws InputError for any other
/// file, and for a line whose runs have only one length.
[[nodiscard]] std::vector<TauLine> fit_tau(std::span<const std::string> results);

/// Returns a table with a row for each line.
[[nodiscard]] reproduction::Table tau_table(std::span<const TauLine> lines);

/// Writes tau.csv and the tau-plot, tau.svg and tau.png, into a folder, which it creates if
/// necessary. Throws InputError if a file cannot be written, and RunFailure if gnuplot is missing
/// or fails.
void write_tau(std::span<const TauLine> lines, const std::filesystem::path& folder);

}  // namespace annelid::studies
