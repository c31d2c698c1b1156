// Reproduces tables and figures of the papers, and writes the results.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "studies/reproduce/markdown.hpp"

namespace annelid::studies {

struct ReproduceOptions {
  std::vector<std::string> items;  ///< names, as "fig3.15", or "all"
  std::filesystem::path folder;    ///< of tables, plots and comparisons; made if it is not there
  std::filesystem::path document;  ///< the Markdown file of all items; empty: none
  std::string date, commit;        ///< that the document names; empty: today, and what git says
  int processes = 0;               ///< that simulate at the same time; 0: one per core
  int sources = 8;                 ///< random sources of a broadcast
  bool fresh = false;              ///< simulate everything, even where a result is kept
  bool any_build = false;          ///< keep what another build of the program has simulated
  bool plots = true;
};

/// The items of these names, each once; of "all" all of them. Throws InputError.
[[nodiscard]] std::vector<const reproduction::Item*> chosen_items(
    const std::vector<std::string>& names);

struct ReproduceReport {
  std::vector<reproduction::Section> sections;  ///< by item
  std::size_t simulated = 0, kept = 0;          ///< runs
  double seconds = 0;                           ///< that it took on this host

  [[nodiscard]] std::vector<reproduction::Claim> claims() const;
};

/// Simulates what the items need, unless a result is kept, and writes the files of each item, then
/// the document. Calls `done` for each item when its files are there. A claim that differs is a
/// result, not an error. Throws InputError for an unknown item and for files that cannot be
/// written, RunFailure for a run that failed or if gnuplot does, Interrupted if a signal asks the
/// program to end: the next reproduction goes on from there. Calls `progress` from this thread.
[[nodiscard]] ReproduceReport run_reproduce(
    const ReproduceOptions& options, const std::function<void(const reproduction::Section&)>& done,
    Progress& progress);

}  // namespace annelid::studies
