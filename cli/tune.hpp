// The texts that `annelid tune` prints for a case.
#pragma once

#include <string>

#include "studies/tune/hybrids.hpp"
#include "studies/tune/result.hpp"

namespace annelid::cli {

/// Returns the fastest and the second-fastest algorithm of each size, and the crossovers. `refined`
/// is the number of rounds in which sizes were added.
[[nodiscard]] std::string tune_summary(const studies::TuneResult& result, int refined);

/// Returns, for each length, the hybrid that the processes choose, the fastest that was found and
/// the model's first, and how far the model is from the simulation.
[[nodiscard]] std::string hybrids_summary(const studies::HybridResult& result);

}  // namespace annelid::cli
