#include "cli/key_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "cli/option_values.hpp"
#include "simulation/scenario/network_keys.hpp"

namespace annelid::cli {
namespace {

/// The text of --help: what the key means, and its default.
std::string help_of(const simulation::Key& key) {
  const std::string otherwise = key.otherwise;
  return otherwise.empty() ? key.help : std::string(key.help) + " Default: " + otherwise + ".";
}

/// An option without a value: true, or false as --prepared=false.
void add_flag(CLI::App& command, const simulation::Key& key,
              std::vector<simulation::Override>& overrides, const std::string& group) {
  const auto take = [&overrides, &key](std::int64_t count) {
    overrides.push_back({key.name, key.option, count > 0 ? "true" : "false"});
  };
  command.add_flag_function(key.option, take, help_of(key))->group(group);
}

}  // namespace

void add_key_options(CLI::App& command, std::span<const simulation::Key> keys,
                     std::vector<simulation::Override>& overrides, const std::string& group) {
  for (const simulation::Key& key : keys) {
    if (key.option == nullptr) continue;
    if (key.metavar == nullptr) {
      add_flag(command, key, overrides, group);
      continue;
    }
    CLI::Option* const option = command.add_option_function<std::string>(
        key.option,
        [&overrides, &key](const std::string& text) {
          overrides.push_back({key.name, key.option, text});
        },
        help_of(key));
    option->type_name(key.metavar)->group(group);
    note_values(*option, values_of(key));
  }
}

void require_alone(const CLI::App& command, const std::string& what) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || !name.starts_with("--") || name == what) continue;
    throw InputError(name, "the option beside " + what, what + " alone");
  }
}

void add_control_vc_option(CLI::App& command, std::vector<simulation::Override>& overrides) {
  static const simulation::Key kKey = [] {
    simulation::Key key = *std::ranges::find(
        simulation::network_keys(), std::string_view("router.control_vc"), &simulation::Key::name);
    key.otherwise = simulation::kControlVcWithNics ? "true" : "false";
    return key;
  }();
  add_key_options(command, {&kKey, 1}, overrides, command.get_help_ptr()->get_group());
}

void add_set_option(CLI::App& command, const std::vector<simulation::Key>& keys,
                    std::vector<simulation::Override>& overrides) {
  CLI::Option* const option = command.add_option_function<std::vector<std::string>>(
      "--set",
      [&](const std::vector<std::string>& assignments) {
        for (const std::string& assignment : assignments) {
          const std::size_t equals = assignment.find('=');
          const std::string key = assignment.substr(0, equals);
          const std::vector<std::string_view> known = simulation::names_of_keys(keys);
          if (equals == std::string::npos || std::ranges::find(known, key) == known.end()) {
            throw InputError("--set", "\"" + assignment + "\"",
                             "KEY=VALUE with a known key" + did_you_mean(key, known));
          }
          overrides.push_back({key, "--set " + key, assignment.substr(equals + 1)});
        }
      },
      "Sets any key of a scenario, as in --set router.vcs=2. May be given several times.");
  option->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group("In place of a value of the scenario file");
  note_values(*option, assignments_of(keys));
}

}  // namespace annelid::cli
