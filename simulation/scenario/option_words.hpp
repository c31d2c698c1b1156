// Writes values of keys as a user gives them to a command.
#pragma once

#include <string>

#include "simulation/scenario/settings.hpp"

namespace annelid::simulation {

/// Returns the option of a key and the text of its value, as words of a shell command: "--bytes
/// 64k"; of a flag "--prepared" or "--prepared=false".
[[nodiscard]] std::string option_words(const Key& key, const std::string& text);

}  // namespace annelid::simulation
