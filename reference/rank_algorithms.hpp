// The catalogue's rows of algorithms by rank: the algorithms of 2Tree, and those with which 2Tree
// compares them.
#pragma once

#include <span>

#include "reference/catalogue.hpp"

namespace annelid::reference {

std::span<const Algorithm> rank_algorithms();

}  // namespace annelid::reference
