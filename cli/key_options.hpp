// Makes options of a command from the keys of a scenario.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "simulation/scenario/settings.hpp"

namespace CLI {
class App;
}

namespace annelid::cli {

/// Adds an option for each key that has one.
void add_key_options(CLI::App& command, std::span<const simulation::Key> keys,
                     std::vector<simulation::Override>& overrides,
                     const std::string& group = "In place of a value of the scenario file");

/// Throws InputError for any option that was given besides `what`, which uses no other.
void require_alone(const CLI::App& command, const std::string& what);

/// Adds --control-vc alone, to a command that knows all else of its routers.
void add_control_vc_option(CLI::App& command, std::vector<simulation::Override>& overrides);

/// Adds --set KEY=VALUE, which sets any key of a scenario.
void add_set_option(CLI::App& command, const std::vector<simulation::Key>& keys,
                    std::vector<simulation::Override>& overrides);

}  // namespace annelid::cli
