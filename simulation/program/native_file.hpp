// What a file is that a user names as a program for the nodes, by its bytes alone: before any of
// its code runs.
#pragma once

#include <cstddef>
#include <span>

namespace annelid::simulation {

/// Whether the file holds code of a host: a 64-bit ELF file that a program could load. A program
/// for the nodes' cores is a 32-bit one.
[[nodiscard]] bool is_native_program(std::span<const std::byte> file);

/// Throws std::runtime_error, which says what was found and what was expected, unless the file is a
/// shared object that exports the entry of a program for the nodes
/// (firmware::NativeProgramEntry::kSymbol). Says nothing of what its code does.
void require_native_file(std::span<const std::byte> file);

}  // namespace annelid::simulation
