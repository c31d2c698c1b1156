// Where the times of a fit come from: results of `annelid run`, and files of times.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/costs/communication_models.hpp"

namespace annelid::studies {

/// A result of `annelid run`.
struct RunTimes {
  nlohmann::json configuration;  ///< without what may differ between the lengths of a line
  double nodes = 0;              ///< processes that take part
  double messages = 0;           ///< of the whole run
  double bytes = 0, cycles = 0;
  std::string operation;
};

/// What a name on the command line stands for: a run, or a file of times.
struct TimeSource {
  std::string file;
  std::optional<RunTimes> run;
  std::string title, unit;  ///< of a file of times
  bool has_nodes = false;   ///< its points have numbers of nodes, or --nodes gave them
  std::vector<reference::models::Point> points;
};

/// Reads the files. `nodes` are those of the files of times without a column of nodes, in their
/// order; empty if they are not known. Throws InputError for anything else than a result of
/// `annelid run`, a folder with one, or a file of times; for times in different units; and if
/// there are more or fewer `nodes` than files for them.
[[nodiscard]] std::vector<TimeSource> read_sources(std::span<const std::string> names,
                                                   std::span<const int> nodes);

/// "broadcast edn 8x8, alpha 28, gamma 0, rv32, prepared". Without its number of nodes: "broadcast
/// edn, alpha 28, gamma 0, rv32, prepared".
[[nodiscard]] std::string title_of(const nlohmann::json& configuration, bool with_nodes = true);

/// The configuration without the number of nodes and processes.
[[nodiscard]] nlohmann::json without_nodes(nlohmann::json configuration);

}  // namespace annelid::studies
