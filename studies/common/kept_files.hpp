// The files in which studies keep their results: what shards are joined by, and what a share that
// is started again begins with.
#pragma once

#include <array>

namespace annelid::studies {

inline constexpr const char *kCheckRows = "check.csv", *kSweepRows = "sweep.csv",
                            *kTuneRows = "tune.csv";
/// The files with a row for each result (RowFile).
inline constexpr std::array kRowFiles = {kCheckRows, kSweepRows, kTuneRows};
/// The results of `annelid reproduce` (MeasurementStore).
inline constexpr const char* kMeasurements = "measurements.json";

}  // namespace annelid::studies
