// The catalogue's rows of algorithms that use all ports of a router at the same time:
// docs/internals/algorithms/all-ports.md and combs.md.
#pragma once

#include <span>

#include "reference/catalogue.hpp"

namespace annelid::reference {

std::span<const Algorithm> all_ports_rows();

}  // namespace annelid::reference
