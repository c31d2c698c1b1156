// What the two build tools that read a table of this folder have in common.
#pragma once

#include <toml++/toml.h>

#include <cctype>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace annelid::generator {

/// SEND_GO, send_go and send-go become kSendGo.
inline std::string constant_name(std::string_view name) {
  std::string result = "k";
  bool start = true;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (c != '_' && c != '-') {
      result += static_cast<char>(start ? std::toupper(letter) : std::tolower(letter));
    }
    start = c == '_' || c == '-';
  }
  return result;
}

template <typename T>
T required(const toml::table& table, std::string_view key) {
  const auto value = table[key].value<T>();
  if (!value) {
    std::ostringstream where;
    where << "line " << table.source().begin.line << ": '" << key
          << "' is missing or of wrong type";
    throw std::runtime_error(where.str());
  }
  return *value;
}

inline const toml::array& required_array(const toml::table& table, std::string_view key) {
  const toml::array* array = table[key].as_array();
  if (array == nullptr) throw std::runtime_error("no [[" + std::string(key) + "]]");
  return *array;
}

inline void write_file(const char* path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + std::string(path));
}

}  // namespace annelid::generator
