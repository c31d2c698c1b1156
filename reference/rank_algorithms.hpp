// The catalogue's rows of algorithms by rank: those of 2Tree, and those that it compares with.
#pragma once

#include <span>

#include "reference/catalogue.hpp"

namespace annelid::reference {

std::span<const Algorithm> rank_algorithms();

}  // namespace annelid::reference
