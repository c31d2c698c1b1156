// The option --gdb.
#pragma once

#include <cstdint>
#include <optional>

namespace CLI {
class App;
}

namespace annelid::cli {

void add_gdb_option(CLI::App& command, std::optional<std::uint16_t>& port);

/// Says where gdb finds the run. A script may wait for this line.
void say_port(std::uint16_t port);

}  // namespace annelid::cli
