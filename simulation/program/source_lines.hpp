// Maps an instruction's address to its source file and line, from DWARF's line table, read with
// libdw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace annelid::simulation {

class SourceLines {
 public:
  /// `elf` is a file that load_elf() accepts. Without debug information (-g), or where it is
  /// compressed (-gz), there are no lines.
  explicit SourceLines(std::vector<std::byte> elf);

  [[nodiscard]] bool empty() const { return lines_.empty(); }
  /// Returns "src/main.c:12". The path is relative to the working folder if the file lies in it.
  /// Returns "" if the line is unknown.
  [[nodiscard]] std::string at(std::uint32_t pc) const;

 private:
  /// Covers the addresses from this one up to the next entry's.
  struct Line {
    std::uint32_t address = 0;
    std::size_t file = 0;  ///< kNoFile: the end of a sequence
    int line = 0;
    bool at_zero = false;  ///< of code at address 0 that is not assembler
  };
  static constexpr std::size_t kNoFile = ~std::size_t{0};

  std::vector<Line> lines_;  ///< by address
  std::vector<std::string> files_;
};

}  // namespace annelid::simulation
