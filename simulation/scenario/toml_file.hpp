// A TOML file as a flat list of keys. The parser's headers are slow to compile, so only one
// translation unit includes them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "simulation/scenario/value.hpp"

namespace annelid::simulation {

struct TomlEntry {
  std::string key;  ///< dotted, as in "network.size"
  std::uint32_t line = 0;
  Value value;
  std::size_t table = 0;  ///< in the n-th table [[name]] of its name: n; 0: in none
};

/// Returns the keys in the order of the file. A table [[call]] gives an entry "call", whose value
/// is a table, and entries as "call.name". Throws InputError if the file cannot be read or is
/// not TOML.
std::vector<TomlEntry> read_toml(const std::filesystem::path& file);

}  // namespace annelid::simulation
