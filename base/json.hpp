// Helpers for JSON that others may have written, and for JSON with texts that others have chosen.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/input_error.hpp"

namespace annelid {

/// Whether lists and objects are nested deeper than any of our files needs. The library copies and
/// compares values recursively, so deeper nesting could crash the program.
[[nodiscard]] bool nested_too_deeply(std::string_view json);

/// Parses a text. Throws nlohmann::json::exception if it is not JSON, and InputError with `where`
/// if it is nested too deeply.
[[nodiscard]] inline nlohmann::json parse_json(const std::string& text, const std::string& where) {
  if (nested_too_deeply(text)) {
    throw InputError(where, "lists in lists, more than 100 deep", "a file of annelid");
  }
  return nlohmann::json::parse(text);
}

/// The value as text. JSON must be UTF-8, but a file's name need not be, so invalid bytes become
/// U+FFFD. `indent` is passed to dump().
template <typename Json>
[[nodiscard]] std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// The value, or null: a mean of nothing is no number.
template <typename Json, typename Value>
[[nodiscard]] Json value_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace annelid
