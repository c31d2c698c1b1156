// The summary that `annelid run` prints: the run's figures, the table of its steps, the verdicts of
// its checks.
#pragma once

#include <string>

#include "simulation/run.hpp"

namespace annelid::cli {

/// Prints the summary, on a terminal with colours for the verdicts.
void print_summary(const simulation::RunResult& result);

/// Returns the account of the run's cycles: a line for each cause, and for those for whom the
/// critical path waited longest.
[[nodiscard]] std::string account_text(const simulation::RunResult& result);

}  // namespace annelid::cli
