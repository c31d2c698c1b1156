// Reproduces tables and figures of the papers, and writes the results.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/build.hpp"
#include "base/progress.hpp"
#include "simulation/scenario/settings.hpp"
#include "studies/reproduce/markdown.hpp"
#include "studies/shard/shard.hpp"

namespace annelid::studies {

struct ReproduceOptions {
  std::vector<std::string> items;  ///< names such as "fig3.15", or "all"
  std::filesystem::path folder;    ///< of tables, plots and comparisons; made if it is not there
  std::filesystem::path document;  ///< the Markdown file of all items; empty: none
  std::string date;                ///< given in the document; empty: today
  /// The commit of the program's sources, given in the document; nothing: unknown.
  std::optional<BuildCommit> commit = {};
  int processes = 0;  ///< processes that simulate at the same time; 0: one per core
  int sources = 0;    ///< random sources of a broadcast; 0: as many as the papers took
  /// What the routers of all runs have: router.control_vc, or nothing.
  std::vector<simulation::Override> routers = {};
  bool fresh = false;      ///< simulate everything, even where a result is kept
  bool any_build = false;  ///< use results that another build of the program has simulated
  bool plots = true;
  /// Only these items, dealt out in turn, and no document.
  std::optional<Shard> shard = {};
};

/// Returns the items of these names, each once; "all" means all items. Throws InputError for an
/// unknown name.
[[nodiscard]] std::vector<const reproduction::Item*> chosen_items(
    const std::vector<std::string>& names);

struct ReproduceReport {
  std::vector<reproduction::Section> sections;  ///< by item
  std::size_t simulated = 0, kept = 0;          ///< runs
  double seconds = 0;                           ///< the time taken on this host

  [[nodiscard]] std::vector<reproduction::Claim> claims() const;
};

/// Simulates the items' runs that have no stored result, and writes the files of each item, then
/// the document. Calls `done` for each item after its files are written. A claim that differs is a
/// result, not an error. Throws InputError for an unknown item, for files that cannot be written,
/// and for a document of a program or of results whose commit is unknown or has changes; RunFailure
/// if a run or gnuplot fails, and Interrupted if a signal asks the program to end. The next
/// reproduction then continues from there. Calls `progress` from this thread.
[[nodiscard]] ReproduceReport run_reproduce(
    const ReproduceOptions& options, const std::function<void(const reproduction::Section&)>& done,
    Progress& progress);

}  // namespace annelid::studies
