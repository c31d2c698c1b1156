// The kinds of calls that a tuning measures: settings of the same call as one of each kind.
#pragma once

#include <vector>

#include "simulation/scenario/settings.hpp"
#include "studies/common/call_kind.hpp"

namespace annelid::studies {

/// Returns the kind of calls that the settings of a tuning name. Starts of prepared calls are
/// CallKind::kPrepared with native firmware, too: they take as many cycles.
[[nodiscard]] CallKind kind_of(const simulation::Settings& settings);

/// Returns the settings of the same call as one of this kind. Calls that take the core's time, and
/// preparations, run the firmware that the settings name, or, if that is native, the program's own.
[[nodiscard]] simulation::Settings as_kind(const simulation::Settings& settings, CallKind kind);

/// Returns the kinds of calls that have a column, in the order of the user. Throws InputError for
/// names of no kind, and for native calls beside a firmware of the user's own.
[[nodiscard]] std::vector<CallKind> read_columns(const simulation::Settings& settings);

}  // namespace annelid::studies
