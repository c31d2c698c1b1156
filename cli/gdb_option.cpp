#include "cli/gdb_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <limits>

#include "base/standard_error.hpp"

namespace annelid::cli {

void add_gdb_option(CLI::App& command, std::optional<std::uint16_t>& port) {
  command
      .add_option("--gdb", port,
                  "Waits for gdb on this port of this machine (0: any), and lets it look at the "
                  "run and change it. Nodes are threads.")
      ->type_name("PORT")
      ->check(CLI::Range(0, int{std::numeric_limits<std::uint16_t>::max()}));
}

void say_port(std::uint16_t port) {
  put_error(fmt::format("annelid: waits for gdb: target remote localhost:{}\n", port));
}

}  // namespace annelid::cli
