// The options of the runs that a fit simulates.
#pragma once

#include <string>
#include <vector>

#include "simulation/scenario/settings.hpp"

namespace annelid::studies {

/// Whether the options ask for prepared calls.
[[nodiscard]] bool are_prepared(const std::vector<simulation::Override>& options);

/// Adds what prepared calls are measured with, if the options ask for them: the starts.
void add_starts(std::vector<simulation::Override>& options);

/// Returns the `annelid run` command with these options.
[[nodiscard]] std::string command_of(const std::vector<simulation::Override>& options);

}  // namespace annelid::studies
