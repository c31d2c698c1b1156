// `annelid complete`: what can stand in place of the last of some words. The scripts of `annelid
// completion` ask it; it is not for people, and no help shows it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/standard_output.hpp"

namespace annelid::cli {
namespace {

using Words = std::vector<std::string>;

/// The answer by which a shell completes names of files itself.
constexpr const char* kFiles = ":files";

bool takes_value(const CLI::Option& option) {
  return option.get_type_size() != 0 && option.get_expected_min() > 0;
}

/// The option with this name, "--size" or "-o"; nullptr if there is none.
CLI::Option* option_of(CLI::App& app, const std::string& name) {
  return name.starts_with('-') ? app.get_option_no_throw(name) : nullptr;
}

/// The command below this one; nullptr if there is none that a help shows.
CLI::App* command_of(CLI::App& app, const std::string& name) {
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    if (command->get_name() == name && !command->get_group().empty()) return command;
  }
  return nullptr;
}

Words commands_of(CLI::App& app) {
  Words names;
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return names;
}

Words options_of(CLI::App& app) {
  Words names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// What an option or an argument takes.
Words answers_of(CLI::Option& option) {
  Words names = values_of(option);
  if (names.empty() && (option.get_positional() || takes_file(option))) names.emplace_back(kFiles);
  return names;
}

/// The first argument of the command that is no option.
Words arguments_of(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_positional()) return answers_of(*option);
  }
  return {};
}

/// The names that begin with `begin`, or "KEY=" in place of its values while the key is not
/// complete.
Words fitting(const Words& names, const std::string& begin) {
  Words fit;
  for (const std::string& name : names) {
    if (name == kFiles) fit.push_back(name);
    if (name == kFiles || !name.starts_with(begin)) continue;
    const std::size_t equals = name.find('=', begin.size());
    const std::string answer = equals == std::string::npos ? name : name.substr(0, equals + 1);
    if (std::ranges::find(fit, answer) == fit.end()) fit.push_back(answer);
  }
  return fit;
}

/// Where a user is who has typed some words.
struct Place {
  CLI::App* app;
  CLI::Option* open = nullptr;  ///< the option whose value comes next
  bool of_help = false;         ///< behind `annelid help`, where only commands come
};

Place place_behind(CLI::App& program, std::span<const std::string> words) {
  Place place{&program};
  for (const std::string& word : words) {
    if (place.open != nullptr) {
      place.open = nullptr;
      continue;
    }
    if (place.app == &program && word == "help") {
      place.of_help = true;
    } else if (CLI::App* const command = command_of(*place.app, word)) {
      place.app = command;
    } else if (CLI::Option* const option = option_of(*place.app, word)) {
      place.open = takes_value(*option) ? option : nullptr;
    }
  }
  return place;
}

/// `words` end with the one that is to be completed, which may be empty.
Words complete(CLI::App& program, const Words& words) {
  if (words.empty()) return {};
  const std::string& last = words.back();
  const Place place = place_behind(program, std::span(words).first(words.size() - 1));
  if (place.open != nullptr) return fitting(answers_of(*place.open), last);
  if (place.of_help) return fitting(commands_of(*place.app), last);
  if (const std::size_t equals = last.find('='); last.starts_with("--") && equals != last.npos) {
    CLI::Option* const option = option_of(*place.app, last.substr(0, equals));
    if (option == nullptr) return {};
    Words answers = fitting(answers_of(*option), last.substr(equals + 1));
    for (std::string& answer : answers) {
      if (answer != kFiles) answer.insert(0, last, 0, equals + 1);
    }
    return answers;
  }
  if (last.starts_with('-')) return fitting(options_of(*place.app), last);
  Words names = commands_of(*place.app);
  if (names.empty()) names = arguments_of(*place.app);
  return fitting(names, last);
}

}  // namespace

Command add_complete(CLI::App& program) {
  CLI::App* const command = program.add_subcommand("complete", "Completes the last word.");
  command->group("");
  const auto words = std::make_shared<Words>();
  command->add_option("words", *words, "Behind --: the words behind annelid.");
  return {command, [&program, words] {
            for (const std::string& answer : complete(program, *words)) put("{}\n", answer);
            return 0;
          }};
}

}  // namespace annelid::cli
