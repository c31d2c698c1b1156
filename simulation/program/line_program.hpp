// The rows of one unit of DWARF's line table, in their own order. libdw sorts them by address, and
// so mixes sequences that begin at the same address: those of functions that the linker has
// dropped, which all begin at 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace annelid::simulation {

struct LineRow {
  std::uint32_t address = 0;
  std::uint64_t file = 0;  ///< as dwarf_filesrc() counts
  std::uint64_t line = 0;
  bool end = false;  ///< behind the last byte of a sequence
};

/// Runs the line program at this offset of the section .debug_line. A damaged one, or one of a kind
/// that no RV32 compiler writes, ends early.
std::vector<LineRow> line_rows(std::span<const std::byte> section, std::uint64_t offset);

}  // namespace annelid::simulation
