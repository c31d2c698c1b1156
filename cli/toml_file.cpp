#include "cli/toml_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "cli/input_error.hpp"

namespace annelid::cli {
namespace {

std::string show(const toml::node& node) {
  std::ostringstream out;
  if (const auto* text = node.as_string()) {
    out << '"' << text->get() << '"';
  } else if (node.is_table()) {
    out << "a table";
  } else if (const auto* array = node.as_array()) {
    out << '[';
    for (std::size_t i = 0; i < array->size(); ++i) {
      out << (i != 0 ? ", " : "") << show(*array->get(i));
    }
    out << ']';
  } else {
    node.visit([&](const auto& value) {
      if constexpr (toml::is_value<decltype(value)>) out << value;
    });
  }
  return out.str();
}

TomlEntry make_entry(const std::string& key, const toml::node& node) {
  TomlEntry e{key, node.source().begin.line, TomlEntry::Type::kOther, {}, {}, show(node)};
  if (const auto* text = node.as_string()) {
    e.type = TomlEntry::Type::kText;
    e.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    e.type = TomlEntry::Type::kInteger;
    e.integers = {integer->get()};
  } else if (const auto* array = node.as_array();
             array != nullptr && array->size() <= 2 &&
             std::all_of(array->begin(), array->end(),
                         [](const toml::node& n) { return n.is_integer(); })) {
    e.type = TomlEntry::Type::kIntegers;
    for (const toml::node& n : *array) e.integers.push_back(n.as_integer()->get());
  }
  return e;
}

void flatten(const toml::table& table, const std::string& prefix, std::vector<TomlEntry>& out) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    // A section is walked; a table where a value belongs is reported by its own key.
    if (const auto* inner = node.as_table(); inner != nullptr && prefix.empty()) {
      flatten(*inner, name + ".", out);
    } else {
      out.push_back(make_entry(name, node));
    }
  }
}

}  // namespace

std::vector<TomlEntry> read_toml(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  if (std::filesystem::is_directory(file) || !in || !(text << in.rdbuf())) {
    throw InputError(file.string(), "no readable file", "a scenario in TOML");
  }
  std::vector<TomlEntry> entries;
  try {
    flatten(toml::parse(text.str(), file.string()), "", entries);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}:{}", file.string(), error.source().begin.line),
                     std::string(error.description()), "valid TOML");
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const TomlEntry& a, const TomlEntry& b) { return a.line < b.line; });
  return entries;
}

}  // namespace annelid::cli
