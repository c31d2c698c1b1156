// Writes what router.toml declares, for C++ and for SystemVerilog. A build tool:
//   generate_router ROUTER.toml OUT_DIR RTL_DIR
// OUT_DIR gets router.hpp and router_fields.inc. RTL_DIR gets the files router_*.svh, with which
// the test router_table_test compares those of rtl/.
#include <algorithm>
#include <cctype>
#include <iostream>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "interface/generator.hpp"
#include "interface/router_rows.hpp"

using namespace annelid::generator;

namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}
std::string quoted_or_null(const std::string& text) {
  return text.empty() ? "nullptr" : quoted(text);
}

// ---- C++ ----------------------------------------------------------------------------------------

void write_fields(std::ostream& out, const std::vector<Row>& rows, const toml::array& order) {
  out << "// The fields of RouterConfig. Generated from interface/router.toml; do not edit.\n";
  std::set<std::string> written;
  for (const toml::node& node : order) {
    const auto name = node.value_or(std::string{});
    const auto row = std::ranges::find(rows, name, &Row::field);
    if (row == rows.end()) throw std::runtime_error("fields: no row of " + name);
    if (!written.insert(name).second) throw std::runtime_error("fields: twice " + name);
    out << "/// " << described(*row) << "\n";
    if (row->type == "rings") {
      out << "std::array<bool, kMaxDims> " << row->field << "{};\n";
    } else {
      out << row->type << ' ' << row->field << " = " << row->otherwise << ";\n";
    }
  }
  if (written.size() != rows.size()) throw std::runtime_error("fields: not all rows are there");
}

void write_enumeration(std::ostream& out, const Row& row) {
  out << "\n/// " << row.meaning << ". Its numbers are the codes of the RTL.\nenum class "
      << row.type << " : std::uint8_t {\n";
  for (const Value& value : row.values) {
    out << "  " << constant_name(value.name) << " = " << value.code << ",\n";
  }
  out << "};\n/// Its name in scenarios; nullptr if it has none.\nconstexpr const char* name_of("
      << row.type << " value) {\n  switch (value) {\n";
  for (const Value& value : row.values) {
    out << "    case " << row.type << "::" << constant_name(value.name) << ":\n      return "
        << quoted(value.name) << ";\n";
  }
  out << "  }\n  return nullptr;\n}\n";
}

constexpr const char* kParameterType = R"(
/// A value of an enumeration: its name in scenarios, and its code in the RTL and in C++.
struct ParameterValue {
  const char* name;
  int code;
};

/// What is known of a parameter beside its meaning.
struct Parameter {
  enum class Type : std::uint8_t { kInteger, kBoolean, kChoice, kRings };
  const char* field;
  const char* rtl;  ///< its name in the RTL
  Type type;
  bool is_module;  ///< in the RTL it is the choice of a module
  int low, high;   ///< of codes; others may restrict it further
  int otherwise;   ///< the code of the default
  std::span<const ParameterValue> values;  ///< of a choice
  const char* key;                         ///< in scenarios
  const char* shape;                       ///< the form of a value, for messages
  const char* option;                      ///< nullptr: it has none
  const char* metavar;
  const char* help;
  const char* default_text;  ///< the default of scenarios
  bool rtl_default_follows;  ///< the default of the RTL follows from other parameters
  bool ideal;                ///< an ideal network has it
  // Its row in the specification.
  const char* symbol;
  const char* meaning;
  const char* range_text;
  const char* specified_default;
};
)";

std::string type_name(const Row& row) {
  return row.type == "int"     ? "kInteger"
         : row.type == "bool"  ? "kBoolean"
         : row.type == "rings" ? "kRings"
                               : "kChoice";
}

void write_parameter(std::ostream& out, const Row& row) {
  if (row.is_enumeration()) {
    out << "inline constexpr ParameterValue " << row.constant() << "Values[] = {";
    for (const Value& value : row.values) {
      out << "{" << quoted(value.name) << ", " << value.code << "}, ";
    }
    out << "};\n";
  }
  const auto [low, high] = row.is_enumeration()
                               ? std::pair{std::ranges::min(row.values, {}, &Value::code).code,
                                           std::ranges::max(row.values, {}, &Value::code).code}
                               : std::pair{row.low, row.high};
  out << "inline constexpr Parameter " << row.constant() << "{\n    .field = " << quoted(row.field)
      << ",\n    .rtl = " << quoted(row.rtl) << ",\n    .type = Parameter::Type::" << type_name(row)
      << ",\n    .is_module = " << (row.module ? "true" : "false") << ",\n    .low = " << low
      << ",\n    .high = " << high << ",\n    .otherwise = " << row.otherwise_code
      << ",\n    .values = " << (row.is_enumeration() ? row.constant() + "Values" : "{}")
      << ",\n    .key = " << quoted(row.key) << ",\n    .shape = " << quoted(row.shape)
      << ",\n    .option = " << quoted_or_null(row.option)
      << ",\n    .metavar = " << quoted(metavar(row)) << ",\n    .help = " << quoted(row.help)
      << ",\n    .default_text = "
      << quoted(row.scenario_default.text.empty() ? row.otherwise_text : row.scenario_default.text)
      << ",\n    .rtl_default_follows = " << (row.rtl_default.empty() ? "false" : "true")
      << ",\n    .ideal = " << (row.ideal ? "true" : "false")
      << ",\n    .symbol = " << quoted(row.symbol) << ",\n    .meaning = " << quoted(row.meaning)
      << ",\n    .range_text = " << quoted(codes(row))
      << ",\n    .specified_default = " << quoted(row.specified_default) << "};\n";
}

/// A template that calls `visit` for some rows.
template <typename Wanted, typename Call>
void write_visitor(std::ostream& out, const std::vector<Row>& rows, const char* comment,
                   const char* name, Wanted wanted, Call call) {
  out << "\n/// " << comment << "\ntemplate <typename Config, typename Visitor>\nconstexpr void "
      << name << "(Config& config, Visitor&& visit) {\n";
  for (const Row& row : rows) {
    if (!wanted(row)) continue;
    out << "  visit(parameters::" << row.constant() << ", config." << row.field << call(row)
        << ");\n";
  }
  out << "}\n";
}

void write_visitors(std::ostream& out, const std::vector<Row>& rows) {
  write_visitor(
      out, rows, "Calls visit(parameter, field) for every parameter.", "for_each_parameter",
      [](const Row&) { return true; }, [](const Row&) { return std::string{}; });
  write_visitor(
      out, rows, "Calls visit(parameter, field, low, high) for every number, with its range here.",
      "for_each_range", [](const Row& row) { return row.type == "int"; },
      [](const Row& row) {
        const Rule& rule = row.high_rule;
        return ", " + std::to_string(row.low) + ", " +
               (rule.model.empty() ? std::to_string(row.high) : "config." + rule.model);
      });
  write_visitor(
      out, rows,
      "Calls visit(parameter, field, value) where a scenario's default follows from other fields.",
      "for_each_derived_default",
      [](const Row& row) { return !row.scenario_default.model.empty(); },
      [](const Row& row) { return ", config." + row.scenario_default.model; });
}

void write_header(std::ostream& out, const std::vector<Row>& rows) {
  out << "// The parameters of a router (docs/internals/microarchitecture.md, section 2). "
         "Generated "
         "from\n// interface/router.toml; do not edit.\n#pragma once\n\n#include <cstdint>\n"
         "#include <span>\n\nnamespace annelid::systemc {\n";
  for (const Row& row : rows) {
    if (row.is_enumeration()) write_enumeration(out, row);
  }
  out << kParameterType << "\nnamespace parameters {\n\n";
  for (const Row& row : rows) write_parameter(out, row);
  out << "\n/// All of them, in the order of the specification.\ninline constexpr Parameter kAll[] "
         "= {";
  for (const Row& row : rows) out << row.constant() << ", ";
  out << "};\n\n}  // namespace parameters\n";
  write_visitors(out, rows);
  out << "\n}  // namespace annelid::systemc\n";
}

// ---- SystemVerilog ------------------------------------------------------------------------------

/// Whether an expression names the parameter.
bool names(const std::string& expression, const std::string& parameter) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (auto at = expression.find(parameter); at != std::string::npos;
       at = expression.find(parameter, at + 1)) {
    const auto end = at + parameter.size();
    if ((at == 0 || !is_word(expression[at - 1])) &&
        (end == expression.size() || !is_word(expression[end]))) {
      return true;
    }
  }
  return false;
}

/// The parameters of a router, each behind those that its default names.
std::vector<Row> rtl_order(const std::vector<Row>& rows) {
  std::vector<Row> waiting, ordered;
  std::ranges::copy_if(rows, std::back_inserter(waiting), [](const Row& r) { return !r.module; });
  while (!waiting.empty()) {
    const auto next = std::ranges::find_if(waiting, [&](const Row& row) {
      return std::ranges::none_of(
          waiting, [&](const Row& other) { return names(row.rtl_default, other.rtl); });
    });
    if (next == waiting.end()) throw std::runtime_error("rtl_default: defaults name each other");
    ordered.push_back(*next);
    waiting.erase(next);
  }
  return ordered;
}

const char* const kGenerated =
    "// Generated from interface/router.toml by generate_router; do not edit.\n";

/// What stands between the brackets of #( ), separated by commas.
template <typename Item>
std::string list_of(const std::vector<Row>& rows, Item item) {
  std::string text;
  for (const Row& row : rows) text += (text.empty() ? "" : ",\n") + item(row);
  return text + "\n";
}

std::string parameter_list(const std::vector<Row>& rows) {
  return std::string("// The parameters of a router, for a parameter list behind OnePort.\n") +
         kGenerated + list_of(rows, [](const Row& row) {
           const std::string value =
               row.rtl_default.empty() ? std::to_string(row.otherwise_code) : row.rtl_default;
           return "/// " + described(row) + "\nparameter int " + row.rtl + " = " + value;
         });
}

std::string pass_through(const std::vector<Row>& rows) {
  return std::string("// The parameters of a router as those of an instance.\n") + kGenerated +
         list_of(rows, [](const Row& row) { return "." + row.rtl + "(" + row.rtl + ")"; });
}

std::string range_checks(const std::vector<Row>& rows) {
  std::string text =
      std::string("// Refuses values out of their range. For parameter_check.sv.\n") + kGenerated;
  for (const Row& row : rows) {
    std::string condition, message = row.high_rule.message;
    if (row.type == "int" || row.type == "rings") {
      const std::string high =
          row.high_rule.rtl.empty() ? std::to_string(row.high) : row.high_rule.rtl;
      condition = row.rtl + " < " + std::to_string(row.low) + " || " + row.rtl + " > " + high;
      if (message.empty()) message = codes(row);
    } else {
      const std::vector<Value> values =
          row.is_enumeration() ? row.values : std::vector<Value>{{"", 0}, {"", 1}};
      for (const Value& value : values) {
        const std::string code = std::to_string(value.code);
        condition += (condition.empty() ? "" : " && ") + row.rtl + " != " + code;
        message += (message.empty() ? "" : ", ") + code;
      }
    }
    text.append("`REFUSE(").append(condition).append(",\n        \"").append(row.rtl);
    text.append(": ").append(message).append("\")\n");
  }
  return text;
}

void write_to(const std::string& folder, const char* name, const std::string& text) {
  write_file((folder + "/" + name).c_str(), text);
}

void write_all(const toml::table& table, const std::string& headers, const std::string& rtl) {
  const std::vector<Row> rows = read_rows(table);
  std::ostringstream header, fields;
  write_header(header, rows);
  write_fields(fields, rows, required_array(table, "fields"));
  write_to(headers, "router.hpp", header.str());
  write_to(headers, "router_fields.inc", fields.str());
  const std::vector<Row> ordered = rtl_order(rows);
  write_to(rtl, "router_parameters.svh", parameter_list(ordered));
  write_to(rtl, "router_pass_through.svh", pass_through(ordered));
  write_to(rtl, "router_ranges.svh", range_checks(ordered));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: generate_router ROUTER.toml OUT_DIR RTL_DIR\n";
    return 2;
  }
  try {
    write_all(toml::parse_file(argv[1]), argv[2], argv[3]);
  } catch (const toml::parse_error& error) {
    std::cerr << argv[1] << ':' << error.source().begin.line << ": " << error.description() << '\n';
    return 1;
  } catch (const std::exception& error) {
    std::cerr << argv[1] << ": " << error.what() << '\n';
    return 1;
  }
  return 0;
}
