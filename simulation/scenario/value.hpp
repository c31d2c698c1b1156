// A value of a scenario, from a TOML file or the command line.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace annelid::simulation {

struct Value {
  enum class Type : std::uint8_t { kText, kInteger, kNumber, kBoolean, kList, kTable, kOther };
  Type type = Type::kOther;
  std::string shown;  ///< the value's text in messages

  std::string text;                    ///< of kText
  std::int64_t integer = 0;            ///< of kInteger
  double number = 0;                   ///< of kInteger and kNumber
  bool boolean = false;                ///< of kBoolean
  std::vector<Value> list;             ///< of kList
  std::map<std::string, Value> table;  ///< of kTable

  [[nodiscard]] bool is_number() const { return type == Type::kInteger || type == Type::kNumber; }
  static Value of_text(std::string text);
  static Value of_integer(std::int64_t integer);
  static Value of_number(double number);
  static Value of_boolean(bool boolean);
  static Value of_list(std::vector<Value> list);
};

}  // namespace annelid::simulation
