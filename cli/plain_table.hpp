// Prints a table as plain text.
#pragma once

#include <cstddef>

#include "studies/reproduce/outcome.hpp"

namespace annelid::cli {

/// Its first `left` columns are flush left, and its last column if that is a text.
void print_plain_table(const reproduction::Table& table, std::size_t left, bool text_last);

}  // namespace annelid::cli
