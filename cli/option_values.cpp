#include "cli/option_values.hpp"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/split.hpp"
#include "simulation/scenario/algorithm_key.hpp"
#include "simulation/scenario/traffic_scenario.hpp"
#include "systemc/network/config.hpp"

namespace annelid::cli {
namespace {

using simulation::Key;
using Names = std::vector<std::string>;

template <typename Name, std::size_t kCount>
Names names_of() {
  const auto names = simulation::names_of<Name, kCount>();
  return {names.begin(), names.end()};
}

Names algorithms() {
  Names names;
  for (const reference::Algorithm& algorithm : reference::algorithms()) {
    const std::string name(algorithm.name);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

Names patterns() {
  Names names;
  for (const traffic::PatternKind kind : traffic::kPatternKinds) names.emplace_back(name_of(kind));
  return names;
}

/// The names of keys whose shape is no more than "text", because they have too many.
Names enumerated(std::string_view key) {
  if (key == "collective.operation")
    return names_of<reference::Operation, reference::kOperations>();
  if (key == "collective.operator")
    return names_of<reference::Operator, reference::kAllOperators>();
  if (key == "collective.type") return names_of<reference::ElementType, reference::kElementTypes>();
  if (key == "collective.algorithm") return algorithms();
  if (key == "traffic.pattern") return patterns();
  return {};
}

/// The words in quotation marks: `"mesh" or "torus"`. Those that begin with a digit are examples.
Names quoted_in(std::string_view shape) {
  Names names;
  for (std::size_t begin = shape.find('"'); begin != std::string_view::npos;) {
    const std::size_t end = shape.find('"', begin + 1);
    if (end == std::string_view::npos) break;
    const std::string_view name = shape.substr(begin + 1, end - begin - 1);
    if (!name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0) {
      names.emplace_back(name);
    }
    begin = shape.find('"', end + 1);
  }
  return names;
}

/// The names of a list with commas.
Names listed_in(const std::string& list) {
  const auto names = split(list, ",");
  return {names.begin(), names.end()};
}

}  // namespace

std::vector<std::string> values_of(const Key& key) {
  if (key.kind == Key::Kind::kBoolean) return {"true", "false"};
  if (Names names = enumerated(key.name); !names.empty()) return names;
  for (const systemc::Parameter& parameter : systemc::parameters::kAll) {
    if (parameter.key == nullptr || std::string_view(parameter.key) != key.name) continue;
    Names names;
    for (const systemc::ParameterValue& value : parameter.values) names.emplace_back(value.name);
    return names;
  }
  const bool text = key.kind == Key::Kind::kText || key.kind == Key::Kind::kTexts;
  return text ? quoted_in(key.shape) : Names();
}

std::vector<std::string> assignments_of(std::span<const Key> keys) {
  Names assignments;
  for (const Key& key : keys) {
    const std::string left = std::string(key.name) + "=";
    const Names values = values_of(key);
    if (values.empty()) assignments.push_back(left);
    for (const std::string& value : values) assignments.push_back(left + value);
  }
  return assignments;
}

// CLI11 has no place for such names. A validator that accepts everything has one: its own name,
// which no help shows.
void note_values(CLI::Option& option, const std::vector<std::string>& names) {
  if (names.empty()) return;
  CLI::Validator values("");
  values.name(fmt::format("{}", fmt::join(names, ",")));
  option.check(values);
}

std::vector<std::string> values_of(CLI::Option& option) {
  try {
    CLI::Validator& validator = *option.get_validator(0);
    if (!validator.get_name().empty()) return listed_in(validator.get_name());
    const std::string set = validator.get_description();  // of CLI::IsMember: "{function,line}"
    if (set.starts_with('{') && set.ends_with('}')) return listed_in(set.substr(1, set.size() - 2));
  } catch (const CLI::OptionNotFound&) {
    return {};  // no value of the option is checked
  }
  return {};
}

bool takes_file(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.starts_with("FILE") || type.starts_with("DIR") || type.starts_with("FOLDER");
}

}  // namespace annelid::cli
