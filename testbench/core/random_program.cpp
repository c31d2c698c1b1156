#include "testbench/core/random_program.hpp"

#include <array>

namespace annelid::test {
namespace {

// Never a random destination: x8 points into the data, x9 counts loops, x31 is an address; in
// machine mode x29 and x30 point to the board's memory and registers.
constexpr const char* kBase = "x8";
constexpr const char* kCounter = "x9";
constexpr const char* kMemory = "x29";
constexpr const char* kRegisters = "x30";
constexpr const char* kAddress = "x31";
constexpr int kDataBytes = 1024;
constexpr int kBlocks = 150;

constexpr std::uint32_t kCornerValues[] = {
    0,          1,          2,          31,         32,         0x7fff,    0xffff,
    0x7fffffff, 0x80000000, 0x80000001, 0xffff8000, 0xfffffffe, 0xffffffff};

std::string text_of(std::int32_t value) { return std::to_string(value); }

}  // namespace

RandomProgram::RandomProgram(std::uint32_t seed, Kind kind) : random_(seed), kind_(kind) {
  emit_registers();
  if (kind == Kind::kMachine) emit_set_up();
  for (int block = 0; block < kBlocks; ++block) {
    switch (below(8)) {
      case 0:
        emit_branch();
        break;
      case 1:
        emit_jump();
        break;
      case 2:
        if (below(4) == 0) emit_loop();
        break;
      default:
        emit_simple();
    }
  }
  emit_checksum();
  if (kind == Kind::kUser) {
    emit("addi", "x10, x0, 0");
    emit("addi", "x17, x0, 93");
    emit("ecall", "");
  } else {
    emit("csrrci", "x0, mstatus, 8");
    emit("csrrw", "x0, mtvec, x0");
    emit("ebreak", "");
    emit_handler();
  }
  data_ = ".data\nsaved: .word 0\ndata:\n";
  for (int word = 0; word < kDataBytes / 4; ++word) {
    data_ += ".word " + std::to_string(static_cast<std::uint32_t>(random_())) + "\n";
  }
}

std::string RandomProgram::text() const {
  std::string all;
  for (const std::string& line : lines_) all += line + "\n";
  return all + data_;
}

std::uint32_t RandomProgram::below(std::uint32_t bound) {
  return static_cast<std::uint32_t>(random_()) % bound;
}

std::string RandomProgram::source() { return "x" + std::to_string(below(32)); }

std::string RandomProgram::destination() {
  for (;;) {
    std::string reg = source();
    if (reg == kBase || reg == kCounter || reg == kAddress) continue;
    if (kind_ == Kind::kUser || (reg != kMemory && reg != kRegisters)) return reg;
  }
}

void RandomProgram::emit(const std::string& mnemonic, const std::string& operands) {
  lines_.push_back(mnemonic + " " + operands);
  mnemonics_.push_back(mnemonic);
}

// Two instructions, whatever the value: LUI, and ADDI whose sign the LUI makes up for.
void RandomProgram::emit_constant(const std::string& reg, std::uint32_t value) {
  const std::uint32_t upper = ((value + 0x800) >> 12) & 0xfffff;
  const auto lower = static_cast<std::int32_t>(value - (upper << 12));
  emit("lui", reg + ", " + std::to_string(upper));
  emit("addi", reg + ", " + reg + ", " + text_of(lower));
}

// x2 first: it is the one register that the oracle's process starts with another value than 0.
void RandomProgram::emit_registers() {
  emit("lui", "x2, 0");
  for (int reg = 1; reg < 32; ++reg) {
    const std::string name = "x" + std::to_string(reg);
    if (name == kBase) {
      emit_address(kBase, "data");
      emit("addi", "x8, x8, " + text_of(kDataBytes / 2));
    } else {
      emit_constant(name,
                    below(2) == 0 ? any(kCornerValues) : static_cast<std::uint32_t>(random_()));
    }
  }
}

void RandomProgram::emit_arithmetic() {
  static constexpr const char* kRegister[] = {"add", "sub", "sll", "slt", "sltu",
                                              "xor", "srl", "sra", "or",  "and"};
  static constexpr const char* kMultiply[] = {"mul", "mulh", "mulhsu", "mulhu",
                                              "div", "divu", "rem",    "remu"};
  static constexpr const char* kImmediate[] = {"addi", "slti", "sltiu", "xori", "ori", "andi"};
  static constexpr const char* kShift[] = {"slli", "srli", "srai"};
  const std::string rd = destination() + ", ";
  switch (below(8)) {
    case 0:
      emit(any(kImmediate), rd + source() + ", " + text_of(static_cast<int>(below(4096)) - 2048));
      break;
    case 1:
      emit(any(kShift), rd + source() + ", " + std::to_string(below(32)));
      break;
    case 2:
      emit(below(2) == 0 ? "lui" : "auipc", rd + std::to_string(below(1u << 20)));
      break;
    case 3:
      // Corners and full words again and again, or everything would end in 0 and -1.
      emit_constant(destination(),
                    below(2) == 0 ? any(kCornerValues) : static_cast<std::uint32_t>(random_()));
      break;
    case 4:
    case 5:
      emit(any(kRegister), rd + source() + ", " + source());
      break;
    default:
      emit(any(kMultiply), rd + source() + ", " + source());
  }
}

void RandomProgram::emit_access() {
  static constexpr const char* kLoads[] = {"lb", "lh", "lw", "lbu", "lhu"};
  static constexpr const char* kStores[] = {"sb", "sh", "sw"};
  std::string base = kBase;
  int offset = static_cast<int>(below(kDataBytes - 3)) - kDataBytes / 2;
  if (below(2) == 0) {  // an address from a register: 0..511 above the base
    base = kAddress;
    offset = -static_cast<int>(below(509)) - 4;
    emit("andi", base + ", " + source() + ", 511");
    emit("add", base + ", " + base + ", " + kBase);
  }
  const std::string at = ", " + text_of(offset) + "(" + base + ")";
  if (below(2) == 0) {
    emit(any(kLoads), destination() + at);
  } else {
    emit(any(kStores), source() + at);
  }
}

void RandomProgram::emit_simple() {
  if (kind_ == Kind::kMachine && below(3) == 0) return emit_machine();
  switch (below(16)) {
    case 0:
      emit(below(2) == 0 ? "fence" : "fence.i", "");
      break;
    case 1:
    case 2:
    case 3:
    case 4:
      emit_access();
      break;
    default:
      emit_arithmetic();
  }
}

// Over one to four instructions.
void RandomProgram::emit_branch() {
  static constexpr const char* kBranches[] = {"beq", "bne", "blt", "bge", "bltu", "bgeu"};
  const std::size_t at = lines_.size();
  const std::string first = source();  // random registers are seldom equal: in a quarter the same
  emit(any(kBranches), first + ", " + (below(4) == 0 ? first : source()) + ", .+");
  const std::uint32_t skipped = 1 + below(4);
  while (lines_.size() < at + 1 + skipped) emit_simple();
  lines_[at] += std::to_string(4 * (lines_.size() - at));
}

void RandomProgram::emit_jump() {
  const std::uint32_t skipped = 1 + below(3);
  if (below(2) == 0) {
    emit("jal", destination() + ", .+" + std::to_string(4 + 4 * skipped));
  } else {
    // From the AUIPC, and by an odd offset in half the cases: JALR clears the lowest bit. The base
    // may be the link register, too.
    const std::string base = below(2) == 0 ? kAddress : "x5";
    emit("auipc", base + ", 0");
    emit("jalr", (below(2) == 0 ? base : destination()) + ", " +
                     std::to_string(8 + 4 * skipped + below(2)) + "(" + base + ")");
  }
  for (std::uint32_t i = 0; i < skipped; ++i) emit("addi", destination() + ", x0, 1");
}

void RandomProgram::emit_loop() {
  emit("addi", std::string(kCounter) + ", x0, " + std::to_string(1 + below(6)));
  const std::size_t top = lines_.size();
  for (std::uint32_t i = 2 + below(8); i > 0; --i) emit_simple();
  if (below(2) == 0) emit_branch();
  emit("addi", std::string(kCounter) + ", " + kCounter + ", -1");
  emit("bne", std::string(kCounter) + ", x0, .-" + std::to_string(4 * (lines_.size() - top)));
}

// Every byte of the data, so that no wrong store stays hidden.
void RandomProgram::emit_checksum() {
  emit("addi", std::string(kAddress) + ", " + kBase + ", " + text_of(-kDataBytes / 2));
  emit("addi", std::string(kCounter) + ", x0, " + text_of(kDataBytes / 4));
  emit("lw", std::string("x5, 0(") + kAddress + ")");
  emit("addi", std::string(kAddress) + ", " + kAddress + ", 4");
  emit("addi", std::string(kCounter) + ", " + kCounter + ", -1");
  emit("bne", std::string(kCounter) + ", x0, .-12");
}

void RandomProgram::emit_address(const std::string& reg, const std::string& label) {
  emit("lui", reg + ", %hi(" + label + ")");
  emit("addi", reg + ", " + reg + ", %lo(" + label + ")");
}

// ---- Machine mode -------------------------------------------------------------------------------

// TIMER_HIGH is 0 from here on, and TIMER is a cycle of the program.
void RandomProgram::emit_set_up() {
  emit("lui", std::string(kMemory) + ", 0x80000");
  emit("lui", std::string(kRegisters) + ", 0x40000");
  emit("sw", std::string("x0, 12(") + kRegisters + ")");
  emit("addi", std::string(kAddress) + ", x0, " + text_of(static_cast<int>(100 + below(1000))));
  emit("sw", std::string(kAddress) + ", 8(" + kRegisters + ")");
  emit_address(kAddress, "handler");
  emit("csrrw", std::string("x0, mtvec, ") + kAddress);
}

void RandomProgram::emit_machine() {
  static constexpr const char* kRead[] = {"mip", "mcycle", "minstret", "mstatus", "mie", "mepc"};
  static constexpr const char* kTraps[] = {"ecall", "ebreak", ".word 0", "lw x5, 64(x30)",
                                           "sb x5, 0(x30)"};
  static constexpr std::uint32_t kMie[] = {0, 0x80, 0x800, 0x880};
  const std::string address = kAddress, memory = std::string("(") + kMemory + ")";
  switch (below(16)) {
    case 0:
    case 1:
      emit(below(3) != 0 ? "csrrsi" : "csrrci", "x0, mstatus, 8");
      break;
    case 2:
      emit_constant(address, any(kMie));
      emit("csrrw", "x0, mie, " + address);
      break;
    case 3:  // the timer ends it at the latest
      emit_constant(address, 0x880);
      emit("csrrw", "x0, mie, " + address);
      emit("wfi", "");
      break;
    case 4:
      emit(any(kTraps), "");
      break;
    case 5:
      emit("lw", destination() + ", 0(" + kRegisters + ")");
      break;
    case 6:
      emit("andi", address + ", " + source() + ", 1");
      emit("sw", address + ", 4(" + kRegisters + ")");
      break;
    case 7:
    case 8:
    case 9:
      emit(below(2) == 0 ? "sw" : "sh",
           source() + ", " + text_of(static_cast<int>(below(1020))) + memory);
      break;
    case 10:
    case 11:
    case 12:
      emit(below(2) == 0 ? "lw" : "lh",
           destination() + ", " + text_of(static_cast<int>(below(1020))) + memory);
      break;
    default:
      emit("csrrs", destination() + ", " + any(kRead) + ", x0");
  }
}

// Stores where the program was, and in which cycle; then takes an event, or moves the timer, or
// goes on after the instruction that trapped. It changes no register.
void RandomProgram::emit_handler() {
  const std::string memory = std::string("(") + kMemory + ")";
  const std::string registers = std::string("(") + kRegisters + ")";
  lines_.push_back("handler:");
  emit("csrrw", "x0, mscratch, x31");
  emit("lui", "x31, %hi(saved)");
  emit("sw", "x5, %lo(saved)(x31)");
  for (const char* csr : {"mepc", "mtval", "mcycle", "minstret", "mip", "mcause"}) {
    emit("csrrs", std::string("x5, ") + csr + ", x0");
    emit("sw", "x5, 0" + memory);
  }
  emit("bge", "x5, x0, 2f");
  emit("andi", "x5, x5, 15");
  emit("addi", "x5, x5, -11");
  emit("bne", "x5, x0, 1f");
  emit("lw", "x5, 0" + registers);
  emit("jal", "x0, 3f");
  lines_.push_back("1:");
  emit("csrrs", "x5, mcycle, x0");
  emit("addi", "x5, x5, " + text_of(static_cast<int>(50 + below(500))));
  emit("sw", "x5, 8" + registers);
  emit("jal", "x0, 3f");
  lines_.push_back("2:");
  emit("csrrs", "x5, mepc, x0");
  emit("addi", "x5, x5, 4");
  emit("csrrw", "x0, mepc, x5");
  lines_.push_back("3:");
  emit("lw", "x5, %lo(saved)(x31)");
  emit("csrrs", "x31, mscratch, x0");
  emit("mret", "");
}

}  // namespace annelid::test
