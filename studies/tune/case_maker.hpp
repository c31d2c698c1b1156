// Makes the cases of a tuning: one for each operation, network and number of processes.
#pragma once

#include "studies/tune/grid.hpp"

namespace annelid::studies {

/// Adds the cases that the settings describe, and their points, to a grid whose sizes are known.
/// Throws InputError for names and numbers that are no operation, algorithm, network or number of
/// processes, and if there is nothing to measure.
void make_cases(TuneGrid& grid, const simulation::Settings& settings);

}  // namespace annelid::studies
