// JSON of files that others may have written, and JSON of texts that others have chosen.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/input_error.hpp"

namespace annelid {

/// Whether lists and objects are nested deeper than any file of ours needs. The library copies and
/// compares values recursively, so a deeper one could end the program.
[[nodiscard]] bool nested_too_deeply(std::string_view json);

/// Throws nlohmann::json::exception for what is no JSON, InputError with `where` for what is nested
/// too deeply.
[[nodiscard]] inline nlohmann::json parse_json(const std::string& text, const std::string& where) {
  if (nested_too_deeply(text)) {
    throw InputError(where, "lists in lists, more than 100 deep", "a file of annelid");
  }
  return nlohmann::json::parse(text);
}

/// A file's name need not be UTF-8, but JSON must be: other bytes become U+FFFD. `indent` is that
/// of dump().
template <typename Json>
[[nodiscard]] std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace annelid
