// A TOML file as a flat list of keys. The parser's headers are costly: one translation unit sees
// them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace annelid::cli {

struct TomlEntry {
  enum class Type : std::uint8_t { kText, kInteger, kIntegers, kOther };
  std::string key;  ///< dotted, e.g. "network.size"
  std::uint32_t line = 0;
  Type type = Type::kOther;
  std::string text;                    ///< of kText
  std::vector<std::int64_t> integers;  ///< of kInteger (one) and kIntegers
  std::string shown;                   ///< the value as a message shows it
};

/// In the order of the file. Throws InputError if the file cannot be read or is not TOML.
std::vector<TomlEntry> read_toml(const std::filesystem::path& file);

}  // namespace annelid::cli
