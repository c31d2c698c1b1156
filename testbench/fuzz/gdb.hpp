// What gdb sends to a run, as a format.
#pragma once

#include <filesystem>

namespace annelid::fuzz {

/// Lets gdb say all that stands in the file to a small machine.
void read_gdb(const std::filesystem::path& file);

}  // namespace annelid::fuzz
