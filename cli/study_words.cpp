#include "cli/study_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "cli/commands.hpp"

namespace annelid::cli {
namespace {

using studies::StudyCommand;

struct StudyParser {
  std::string_view name;
  AddCommand add;
};
constexpr std::array kStudies = {StudyParser{"check", add_check}, StudyParser{"sweep", add_sweep},
                                 StudyParser{"tune", add_tune},
                                 StudyParser{"reproduce", add_reproduce}};
constexpr std::array<std::string_view, kStudies.size()> kStudyNames = {
    kStudies[0].name, kStudies[1].name, kStudies[2].name, kStudies[3].name};

/// Options that say where and how one process does its part, or what it prints and writes beside
/// the results. All others are the study's.
constexpr std::array<std::string_view, 13> kOfOneProcess = {
    "--shard", "--engine", "--tasks", "--partition", "--time", "--memory", "--out",
    "--jobs",  "--fresh",  "--quiet", "--document",  "--date", "--help"};
constexpr std::array<std::string_view, 7> kOfTheEngine = {
    "--shard", "--engine", "--tasks", "--partition", "--time", "--memory", "--out"};

bool is_among(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// The parser of a study's command alone.
class Parser {
 public:
  explicit Parser(const StudyParser& study) : command_(study.add(program_)) {}

  /// Whether the option takes a value; nothing if there is no such option.
  [[nodiscard]] std::optional<bool> takes_value(const std::string& name) const {
    const CLI::Option* const option = command_.app->get_option_no_throw(name);
    if (option == nullptr || !name.starts_with("--")) return std::nullopt;
    return option->get_items_expected_min() > 0;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const CLI::Option* option : command_.app->get_options()) {
      for (const std::string& name : option->get_lnames()) all.push_back("--" + name);
    }
    std::erase_if(all, [](const std::string& name) { return is_among(kOfOneProcess, name); });
    return all;
  }

 private:
  CLI::App program_;
  Command command_;
};

const StudyParser* find_study(std::string_view name) {
  const auto* const found = std::ranges::find(kStudies, name, &StudyParser::name);
  return found == kStudies.end() ? nullptr : found;
}

/// All words, told apart as the parser does.
StudyCommand read_words(const std::vector<std::string>& words) {
  const Parser parser(*find_study(words.front()));
  StudyCommand study{words.front(), {}, {}};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with("--")) {
      study.inputs.push_back(word);
      continue;
    }
    const std::size_t equals = word.find('=');
    auto& option = study.options.emplace_back(1, word.substr(0, equals));
    const bool takes_value = parser.takes_value(option.front()).value_or(false);
    if (equals != std::string::npos && equals + 1 < word.size()) {
      option.push_back(word.substr(equals + 1));
    } else if (takes_value && i + 1 < words.size()) {
      option.push_back(words[++i]);
    }
  }
  return study;
}

StudyCommand without(StudyCommand study, std::span<const std::string_view> options) {
  std::erase_if(study.options, [&](const auto& o) { return is_among(options, o.front()); });
  return study;
}

void require_option(const Parser& parser, const std::vector<std::string>& option,
                    const StudyCommand& study, const std::string& where) {
  const std::string& name = option.front();
  const std::optional<bool> takes_value = parser.takes_value(name);
  if (!takes_value || is_among(kOfOneProcess, name)) {
    const std::vector<std::string> names = parser.names();
    const std::vector<std::string_view> known(names.begin(), names.end());
    throw InputError(where, "the option \"" + name + "\"",
                     fmt::format("one that belongs to a study of annelid {}{}", study.name,
                                 did_you_mean(name, known)));
  }
  if (*takes_value == (option.size() == 2)) return;
  throw InputError(where, fmt::format("{} with{} a value", name, *takes_value ? "out" : ""),
                   *takes_value ? "one" : "none: it is a flag");
}

}  // namespace

StudyCommand study_of(const std::vector<std::string>& words) {
  return without(read_words(words), kOfOneProcess);
}

std::vector<std::string> words_without_engine(const std::vector<std::string>& words) {
  return without(read_words(words), kOfTheEngine).words();
}

void require_study(const StudyCommand& study, const std::string& where) {
  const StudyParser* const found = find_study(study.name);
  if (found == nullptr) {
    throw InputError(where, "the command \"" + study.name + "\"",
                     fmt::format("a study: {}{}", fmt::join(kStudyNames, ", "),
                                 did_you_mean(study.name, kStudyNames)));
  }
  for (const std::string& input : study.inputs) {
    if (!input.starts_with('-')) continue;
    throw InputError(where, "the input \"" + input + "\"", "a name that begins with no dash");
  }
  const Parser parser(*found);
  for (const auto& option : study.options) require_option(parser, option, study, where);
}

}  // namespace annelid::cli
