// Programs for the core, written in assembly in the tests themselves. The GNU assembler encodes
// them, so that no test shares its idea of an encoding with the core's decoder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "nic/core.hpp"

namespace annelid::test {

/// A folder of its own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// Runs a shell command. Throws std::runtime_error with its output if it fails or does not exist.
void run_tool(const std::string& command, const TemporaryFolder& folder);

std::vector<std::byte> read_file(const std::filesystem::path& file);

/// Assembles and links `text` (RV32IM, no relaxation, label _start at its beginning) with further
/// options for the linker. Throws std::runtime_error with the tool's words.
std::vector<std::byte> assemble_elf(const std::string& text, const std::string& linker_options);

/// Assembles `text` as a program for the core: .text at address 0, .data after it.
nic::Image assemble(const std::string& text);

/// "li register, value" for any value.
std::string li(const char* reg, std::uint32_t value);

/// Node memory, which is outside RAM.
inline constexpr std::uint32_t kOutside = 0x80000000u;

/// No program here takes as long, so that one gone astray ends its test.
inline constexpr Cycle kManyCycles = 1'000'000;

/// Runs `text` to its ebreak, appended here, and returns the values it stored outside RAM, in
/// order; loads from there return a value that is not 0. Register s0 holds kOutside at the start.
/// Throws std::runtime_error if it ends in another way.
std::vector<std::uint32_t> stored_by(const std::string& text);

}  // namespace annelid::test
