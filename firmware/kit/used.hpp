// Calls of the collectives that the program has.
#pragma once

#include "firmware/kit/use.hpp"

namespace annelid::firmware::kit {

/// Serves a call by the collective that its words name, as collectives/table.cpp does for all
/// collectives: here by those that the program has named, or that its calls by AUTO need.
CallResult serve_used(Context& me, std::optional<Task>& task);

/// Whether the program has a collective for the operation by this algorithm.
bool has_used(reg::Operation operation, reg::Algorithm algorithm);

}  // namespace annelid::firmware::kit
