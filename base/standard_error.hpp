// The program's standard error, and the standard descriptors at its start.
#pragma once

#include <string_view>

namespace annelid {

/// Writes a text to standard error, as it is: names in it must have gone through terminal_text() or
/// one_line(). If it cannot be written, nobody can be told, so nothing else changes: neither what
/// the program does nor its exit status.
void put_error(std::string_view text) noexcept;

/// Occupies those of the descriptors 0 to 2 that are closed. Otherwise the next file that the
/// program opens would become its standard output, and messages would be written into it. To read
/// or write an occupied descriptor fails, as before. main() calls this first.
void occupy_standard_descriptors() noexcept;

}  // namespace annelid
