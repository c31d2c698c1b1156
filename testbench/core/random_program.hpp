// Random RV32IM programs that end: forward branches and jumps, counted loops, loads and stores at
// any alignment within 1 KiB of data, and operands that prefer the corners of arithmetic.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace annelid::test {

class RandomProgram {
 public:
  explicit RandomProgram(std::uint32_t seed);

  /// For the assembler; ends with the system call exit(0), an ECALL.
  [[nodiscard]] std::string text() const;
  /// The mnemonic of each instruction, in the order of addresses, four bytes each.
  [[nodiscard]] const std::vector<std::string>& mnemonics() const { return mnemonics_; }

 private:
  std::uint32_t below(std::uint32_t bound);
  template <typename T, std::size_t n>
  const T& any(const T (&choices)[n]) {
    return choices[below(n)];
  }
  std::string source();
  std::string destination();
  void emit(const std::string& mnemonic, const std::string& operands);
  void emit_constant(const std::string& reg, std::uint32_t value);
  void emit_registers();
  void emit_arithmetic();
  void emit_access();
  void emit_simple();
  void emit_branch();
  void emit_jump();
  void emit_loop();
  void emit_checksum();

  std::mt19937 random_;
  std::vector<std::string> lines_, mnemonics_;
  std::string data_;
};

}  // namespace annelid::test
