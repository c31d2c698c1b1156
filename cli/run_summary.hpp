// What `annelid run` prints of a run: its figures, the table of its steps, the verdicts of its
// checks.
#pragma once

#include <string>

#include "simulation/run.hpp"

namespace annelid::cli {

/// `colour`: verdicts in the colours of a terminal.
[[nodiscard]] std::string run_summary(const simulation::RunResult& result, bool colour);

}  // namespace annelid::cli
