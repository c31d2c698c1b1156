// The rows of router.toml, as generate_router reads them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interface/generator.hpp"

namespace annelid::generator {

struct Value {
  std::string name;
  std::int64_t code;
};

struct Rule {
  std::string model, rtl, text, message;  ///< empty: none
};

struct Row {
  std::string field, type, rtl, key, shape, option, help, symbol, meaning;
  std::int64_t low = 0, high = 1;
  Rule high_rule, scenario_default;
  std::string rtl_default, specified_default;
  std::vector<Value> values;  ///< of an enumeration
  std::string otherwise;      ///< the default as C++ writes it
  std::string otherwise_text;
  std::int64_t otherwise_code = 0;
  bool ideal = true, module = false;

  [[nodiscard]] bool is_enumeration() const { return !values.empty(); }
  [[nodiscard]] std::string constant() const { return constant_name(field); }
};

/// All rows, in their order, with {default} and {range} filled in. Throws std::runtime_error.
std::vector<Row> read_rows(const toml::table& table);

/// What an option takes: "N".
std::string metavar(const Row& row);
/// "1..8", or "0 round-robin, 1 matrix".
std::string codes(const Row& row);
/// "Pipeline stages: 1..4".
std::string described(const Row& row);

}  // namespace annelid::generator
