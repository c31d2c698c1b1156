// What `annelid run` prints of a result: totals, the table of steps, and the checks.
#pragma once

#include <string>

#include "simulation/results/run_result.hpp"

namespace annelid::cli {

/// `colour`: verdicts in the colours of a terminal.
[[nodiscard]] std::string summary(const simulation::RunResult& result, bool colour);

}  // namespace annelid::cli
