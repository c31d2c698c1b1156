// Networks as files: docs/reference/deadlock-files.md.
#pragma once

#include <filesystem>
#include <string>

#include "deadlock/network.hpp"
#include "deadlock/states.hpp"

namespace annelid::deadlock {

/// Throws InputError, which names the line, if the file cannot be read or is no network.
[[nodiscard]] Network read_network_file(const std::filesystem::path& file);

/// The text of a file that read_network_file() reads as this network, with the routes that packets
/// can use.
[[nodiscard]] std::string network_text(const Network& network, const States& states);

}  // namespace annelid::deadlock
