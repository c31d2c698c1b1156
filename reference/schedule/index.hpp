// Converts an int to an index.
#pragma once

#include <cstddef>

namespace annelid::reference {

/// `i` must not be negative.
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace annelid::reference
