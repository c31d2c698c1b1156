// The summary that `annelid run` prints: the run's figures, the table of its steps, the verdicts of
// its checks.
#pragma once

#include <string>

#include "simulation/run.hpp"

namespace annelid::cli {

/// Returns the summary. With `colour`, the verdicts have terminal colours.
[[nodiscard]] std::string run_summary(const simulation::RunResult& result, bool colour);

}  // namespace annelid::cli
