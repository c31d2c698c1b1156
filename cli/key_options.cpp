#include "cli/key_options.hpp"

#include <CLI/CLI.hpp>

namespace annelid::cli {

void add_key_options(CLI::App& command, std::span<const simulation::Key> keys,
                     std::vector<simulation::Override>& overrides, const std::string& group) {
  for (const simulation::Key& key : keys) {
    if (key.option == nullptr) continue;
    command
        .add_option_function<std::string>(
            key.option,
            [&overrides, &key](const std::string& text) {
              overrides.push_back({key.name, key.option, text});
            },
            key.help)
        ->type_name(key.metavar)
        ->group(group);
  }
}

}  // namespace annelid::cli
