// Random RV32IM programs that end: forward branches and jumps, counted loops, loads and stores at
// any alignment within 1 KiB of data, and operands that prefer the corners of arithmetic. In
// machine mode also traps, interrupts, WFI, CSRs, and accesses outside RAM, on a Board.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace annelid::test {

class RandomProgram {
 public:
  /// A user program ends with the system call exit(0), an ECALL; one for machine mode sets mtvec to
  /// 0 and ends with an EBREAK.
  enum class Kind { kUser, kMachine };

  explicit RandomProgram(std::uint32_t seed, Kind kind = Kind::kUser);

  /// For the assembler.
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
  void emit_address(const std::string& reg, const std::string& label);
  void emit_set_up();
  void emit_machine();
  void emit_handler();

  std::mt19937 random_;
  const Kind kind_;
  std::vector<std::string> lines_, mnemonics_;
  std::string data_;
};

}  // namespace annelid::test
