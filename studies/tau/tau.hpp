// Fits the tau-model, T = T_s + T_n f(L), to times of several lengths, compares algorithms, and
// shows how T_s and T_n grow with the number of nodes.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "reference/costs/growth.hpp"
#include "reference/costs/tau_model.hpp"
#include "studies/reproduce/outcome.hpp"

namespace annelid::studies {

struct TauOptions {
  reference::LengthFunction f;
  /// The nodes of each file of times without a column of nodes, in their order. Empty: not known.
  std::vector<int> nodes;
};

/// Times that differ only in length, root and seed.
struct TauLine {
  std::string title;                            ///< operation, algorithm, network and start-ups
  std::vector<reference::tau::Sample> samples;  ///< bytes and times
  reference::tau::Fit fit;                      ///< with the least squares
  std::string unit = {};                        ///< of the times; empty: not known
  double nodes = 0;                             ///< 0: not known
  /// Lines of one family differ only in the number of nodes. Empty: in none.
  std::string family = {}, family_title = {};
};

/// Lines that differ only in the number of nodes, at least three.
struct TauFamily {
  std::string title;
  std::vector<std::size_t> lines;          ///< their indices, by nodes
  reference::GrowthFit start, per_length;  ///< T_s(N) and T_n(N)
};

/// Fits lines to results. Each is the result.json of a run, the folder of one, or a file of times
/// (point_file.hpp). The lines are in the order of the names. Throws InputError for any other file,
/// for a line with only one length, for times in different units, and for numbers of nodes that do
/// not belong to the files.
[[nodiscard]] std::vector<TauLine> fit_tau(std::span<const std::string> results,
                                           const TauOptions& options = {});

/// Finds the families among the lines, in the order of their first lines.
[[nodiscard]] std::vector<TauFamily> tau_families(std::span<const TauLine> lines);

/// Returns a table with a row for each line.
[[nodiscard]] reproduction::Table tau_table(std::span<const TauLine> lines,
                                            const reference::LengthFunction& f = {});

/// Returns "3.1 + 40.2 log2 N", and whether other orders fit as well.
[[nodiscard]] std::string growth_text(const reference::GrowthFit& growth);

/// Writes tau.csv and the tau-plot, tau.svg and tau.png, into a folder, which it creates if
/// necessary. Throws InputError if a file cannot be written, and RunFailure if gnuplot is missing
/// or fails.
void write_tau(std::span<const TauLine> lines, const std::filesystem::path& folder,
               const reference::LengthFunction& f = {});

}  // namespace annelid::studies
