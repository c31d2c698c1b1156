// What reads the files that people give to the program: each format by the function that the
// program reads it with.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace annelid::fuzz {

struct Target {
  std::string_view name;
  /// Reads a file. An error that the user is told is none here; anything else that it throws, a
  /// crash, and what takes too long or too much memory are mistakes of the program.
  void (*read)(const std::filesystem::path& file);
};

[[nodiscard]] std::span<const Target> targets();
/// Throws std::out_of_range.
[[nodiscard]] const Target& target(std::string_view name);

}  // namespace annelid::fuzz
