// The text that `annelid tune` prints for a case.
#pragma once

#include <string>

#include "studies/tune/result.hpp"

namespace annelid::cli {

/// Returns the fastest and the second-fastest algorithm of each size, and the crossovers. `refined`
/// is the number of rounds in which sizes were added.
[[nodiscard]] std::string tune_summary(const studies::TuneResult& result, int refined);

}  // namespace annelid::cli
