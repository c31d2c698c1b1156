#include "interface/router_rows.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace annelid::generator {
namespace {

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

std::string optional_text(const toml::table& entry, std::string_view key) {
  return entry[key].value_or(std::string{});
}

Rule rule_of(const toml::table& entry, std::string_view key) {
  const toml::table* rule = entry[key].as_table();
  if (rule == nullptr) return {};
  return {optional_text(*rule, "model"), optional_text(*rule, "rtl"), optional_text(*rule, "text"),
          optional_text(*rule, "message")};
}

void read_default(const toml::table& entry, Row& row) {
  if (row.type == "bool") {
    row.otherwise_code = required<bool>(entry, "default") ? 1 : 0;
    row.otherwise = row.otherwise_text = row.otherwise_code != 0 ? "true" : "false";
  } else if (row.is_enumeration()) {
    row.otherwise_text = required<std::string>(entry, "default");
    const auto value =
        std::ranges::find(row.values, row.otherwise_text, [](const Value& v) { return v.name; });
    if (value == row.values.end()) throw std::runtime_error(row.field + ": no such default");
    row.otherwise_code = value->code;
    row.otherwise = row.type + "::" + constant_name(value->name);
  } else {
    row.otherwise_code = required<std::int64_t>(entry, "default");
    row.otherwise = row.otherwise_text = std::to_string(row.otherwise_code);
    if (row.otherwise_code < row.low || row.otherwise_code > row.high) {
      throw std::runtime_error(row.field + ": the default is out of range");
    }
  }
}

void fill_texts(Row& row) {
  const std::string range = std::to_string(row.low) + " to " + std::to_string(row.high);
  for (std::string* text : {&row.help, &row.scenario_default.text, &row.specified_default}) {
    replace_all(*text, "{default}", row.otherwise_text);
    replace_all(*text, "{range}", range);
  }
  replace_all(row.rtl_default, "{default}", std::to_string(row.otherwise_code));
  if (row.specified_default.empty()) {
    row.specified_default =
        row.type == "bool" ? std::to_string(row.otherwise_code) : row.otherwise_text;
  }
  if (row.shape.empty()) {
    row.shape = row.type == "bool" ? "true or false" : "an integer";
    if (row.is_enumeration()) {
      row.shape.clear();
      for (std::size_t k = 0; k < row.values.size(); ++k) {
        const char* const before = k == 0 ? "" : k + 1 < row.values.size() ? ", " : " or ";
        row.shape += before + ("\"" + row.values[k].name + "\"");
      }
    }
  }
}

Row read_row(const toml::table& entry) {
  Row row;
  row.field = required<std::string>(entry, "field");
  row.type = required<std::string>(entry, "type");
  row.rtl = required<std::string>(entry, "rtl");
  row.key = required<std::string>(entry, "key");
  row.symbol = required<std::string>(entry, "symbol");
  row.meaning = required<std::string>(entry, "meaning");
  row.ideal = required<bool>(entry, "ideal");
  row.shape = optional_text(entry, "shape");
  row.option = optional_text(entry, "option");
  row.help = optional_text(entry, "help");
  row.rtl_default = optional_text(entry, "rtl_default");
  row.specified_default = optional_text(entry, "specified_default");
  row.module = entry["module"].value_or(false);
  row.high_rule = rule_of(entry, "high_rule");
  row.scenario_default = rule_of(entry, "scenario_default");
  if (row.type == "int" || row.type == "rings") {
    row.low = required<std::int64_t>(entry, "low");
    row.high = required<std::int64_t>(entry, "high");
  } else if (row.type != "bool") {
    for (const toml::node& node : required_array(entry, "values")) {
      const toml::table& value = *node.as_table();
      row.values.push_back(
          {required<std::string>(value, "name"), required<std::int64_t>(value, "code")});
    }
  }
  if (!row.option.empty() && row.help.empty()) throw std::runtime_error(row.field + ": no help");
  read_default(entry, row);
  fill_texts(row);
  return row;
}

}  // namespace

std::vector<Row> read_rows(const toml::table& table) {
  std::vector<Row> rows;
  for (const toml::node& node : required_array(table, "parameter")) {
    rows.push_back(read_row(*node.as_table()));
  }
  return rows;
}

std::string metavar(const Row& row) {
  return row.type == "int" ? "N" : row.type == "bool" ? "BOOL" : "NAME";
}

std::string codes(const Row& row) {
  std::string text;
  if (row.type == "bool") return "0, 1";
  for (const Value& value : row.values) {
    text += (text.empty() ? "" : ", ") + std::to_string(value.code) + ' ' + value.name;
  }
  if (row.is_enumeration()) return text;
  if (!row.high_rule.text.empty()) return row.high_rule.text;
  return std::to_string(row.low) + ".." + std::to_string(row.high);
}

std::string described(const Row& row) {
  std::string text = row.meaning + ": " + codes(row);
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace annelid::generator
