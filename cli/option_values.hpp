// The names that an option or an argument takes, for completion in a shell. They are made from the
// tables that the program itself reads.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "simulation/scenario/settings.hpp"

namespace CLI {
class Option;
}

namespace annelid::cli {

/// The names of which a key takes one, or none if it takes numbers or any text.
[[nodiscard]] std::vector<std::string> values_of(const simulation::Key& key);

/// What --set takes: "KEY=", or "KEY=VALUE" for each name that the key takes.
[[nodiscard]] std::vector<std::string> assignments_of(std::span<const simulation::Key> keys);

/// Notes that the option takes these names. It still accepts every other text.
void note_values(CLI::Option& option, const std::vector<std::string>& names);

/// The names that were noted, and those of a check whether a value is one of a set.
[[nodiscard]] std::vector<std::string> values_of(CLI::Option& option);

/// Whether the option takes a file or a folder.
[[nodiscard]] bool takes_file(const CLI::Option& option);

}  // namespace annelid::cli
