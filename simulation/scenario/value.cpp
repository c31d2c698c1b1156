#include "simulation/scenario/value.hpp"

#include <fmt/format.h>

#include <utility>

namespace annelid::simulation {

Value Value::of_text(std::string text) {
  Value v;
  v.type = Type::kText;
  v.shown = "\"" + text + "\"";
  v.text = std::move(text);
  return v;
}

Value Value::of_integer(std::int64_t integer) {
  Value v;
  v.type = Type::kInteger;
  v.shown = fmt::format("{}", integer);
  v.integer = integer;
  v.number = static_cast<double>(integer);
  return v;
}

Value Value::of_number(double number) {
  Value v;
  v.type = Type::kNumber;
  v.shown = fmt::format("{}", number);
  v.number = number;
  return v;
}

Value Value::of_boolean(bool boolean) {
  Value v;
  v.type = Type::kBoolean;
  v.shown = boolean ? "true" : "false";
  v.boolean = boolean;
  return v;
}

Value Value::of_list(std::vector<Value> list) {
  Value v;
  v.type = Type::kList;
  v.shown = "[";
  for (const Value& item : list) v.shown += (v.shown.size() > 1 ? ", " : "") + item.shown;
  v.shown += "]";
  v.list = std::move(list);
  return v;
}

}  // namespace annelid::simulation
