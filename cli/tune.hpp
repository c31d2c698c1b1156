// What `annelid tune` prints of a case.
#pragma once

#include <string>

#include "studies/tune/result.hpp"

namespace annelid::cli {

/// The fastest algorithm of each size, the second, and the crossovers. `refined`: rounds of sizes
/// that were added.
[[nodiscard]] std::string tune_summary(const studies::TuneResult& result, int refined);

}  // namespace annelid::cli
