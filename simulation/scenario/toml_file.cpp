#include "simulation/scenario/toml_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "simulation/scenario/toml_depth.hpp"

namespace annelid::simulation {
namespace {

Value value_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return Value::of_text(text->get());
  if (const auto* integer = node.as_integer()) return Value::of_integer(integer->get());
  if (const auto* number = node.as_floating_point()) return Value::of_number(number->get());
  if (const auto* boolean = node.as_boolean()) return Value::of_boolean(boolean->get());
  if (const auto* array = node.as_array()) {
    std::vector<Value> list;
    for (const toml::node& item : *array) list.push_back(value_of(item));
    return Value::of_list(std::move(list));
  }
  Value other;
  other.shown = "a date or time";
  if (const auto* table = node.as_table()) {
    other.type = Value::Type::kTable;
    other.shown = "a table";
    for (const auto& [key, item] : *table) other.table[std::string(key.str())] = value_of(item);
  }
  return other;
}

/// Whether it is an array of tables, [[name]].
bool is_tables(const toml::node& node) {
  const auto* array = node.as_array();
  if (array == nullptr || array->empty()) return false;
  const auto* first = array->front().as_table();
  return first != nullptr && !first->is_inline();
}

/// `number`: of the table [[name]] that this is in.
void flatten(const toml::table& table, const std::string& prefix, std::size_t number,
             std::vector<TomlEntry>& out) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    const auto* inner = node.as_table();
    if (inner != nullptr && !inner->is_inline()) {  // a section, or the front of a dotted key
      flatten(*inner, name + ".", number, out);
    } else if (is_tables(node)) {
      std::size_t of_these = 0;
      for (const toml::node& element : *node.as_array()) {
        const std::size_t own = number > 0 ? number : ++of_these;
        out.push_back({name, element.source().begin.line, value_of(element), own});
        flatten(*element.as_table(), name + ".", own, out);
      }
    } else {
      out.push_back({name, node.source().begin.line, value_of(node), number});
    }
  }
}

constexpr std::size_t kLongest = std::size_t{64} << 20;  // bytes: a device has no end
constexpr const char* kScenarioExpected = "a scenario in TOML, as in scenarios/";

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& found) {
  throw InputError(file.string(), found, kScenarioExpected);
}

std::string read_scenario(const std::filesystem::path& file) {
  std::string text = read_text(file, file.string(), kLongest, kScenarioExpected);
  if (text.empty()) refuse(file, "an empty file");
  return text;
}

}  // namespace

std::vector<TomlEntry> read_toml(const std::filesystem::path& file) {
  const std::string text = read_scenario(file);
  if (const auto deep = find_too_deep(text)) {
    throw InputError(fmt::format("{}:{}", file.string(), deep->line), deep->found,
                     "a scenario in TOML, as in scenarios/");
  }
  std::vector<TomlEntry> entries;
  try {
    flatten(toml::parse(text, file.string()), "", 0, entries);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}:{}", file.string(), error.source().begin.line),
                     std::string(error.description()), "valid TOML");
  }
  if (entries.empty()) refuse(file, "no key");
  std::stable_sort(entries.begin(), entries.end(),
                   [](const TomlEntry& a, const TomlEntry& b) { return a.line < b.line; });
  return entries;
}

}  // namespace annelid::simulation
