// Helpers for JSON that others may have written, and for JSON with texts that others have chosen.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// A small file of keys that annelid has written and reads again. Others may have changed it.
class JsonFile {
 public:
  /// Throws InputError, which names the line, if the file cannot be read, if it holds no JSON
  /// object, or if that has a key that is not one of `keys`.
  JsonFile(const std::filesystem::path& file, std::span<const std::string_view> keys);

  /// The file and the key, for errors.
  [[nodiscard]] std::string where(const std::string& key) const { return file_ + ": " + key; }
  /// The value of a key. Throws InputError if it is missing or of another type than `expected`
  /// says.
  template <typename T>
  [[nodiscard]] T get(const std::string& key, const char* expected) const;
  [[nodiscard]] std::string text(const std::string& key) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& key) const;

 private:
  std::string file_;
  nlohmann::json json_;
};

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

template <typename T>
T JsonFile::get(const std::string& key, const char* expected) const {
  const auto value = json_.find(key);
  if (value == json_.end()) throw InputError(where(key), "nothing", expected);
  try {
    return value->template get<T>();
  } catch (const nlohmann::json::exception&) {
    throw InputError(where(key), json_text(*value), expected);
  }
}

}  // namespace annelid
