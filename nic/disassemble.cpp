#include "nic/disassemble.hpp"

#include <fmt/format.h>

#include <array>

#include "nic/decode.hpp"

namespace annelid::nic::rv32 {
namespace {

// In the order of Op.
constexpr std::array kNames = {
    // clang-format off
    "", ".word",
    "lui", "auipc", "jal", "jalr",
    "beq", "bne", "blt", "bge", "bltu", "bgeu",
    "lb", "lh", "lw", "lbu", "lhu", "sb", "sh", "sw",
    "addi", "slti", "sltiu", "xori", "ori", "andi", "slli", "srli", "srai",
    "add", "sub", "sll", "slt", "sltu", "xor", "srl", "sra", "or", "and",
    "mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu",
    "fence", "fence.i", "ecall", "ebreak", "mret", "wfi",
    "csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci",
    // clang-format on
};
static_assert(kNames.size() == static_cast<std::size_t>(Op::kCsrrci) + 1);

std::string csr_name(std::uint32_t number) {
  struct Csr {
    std::uint32_t number;
    const char* name;
  };
  static constexpr Csr kCsrs[] = {
      {0x300, "mstatus"},  {0x301, "misa"},          {0x304, "mie"},       {0x305, "mtvec"},
      {0x310, "mstatush"}, {0x320, "mcountinhibit"}, {0x340, "mscratch"},  {0x341, "mepc"},
      {0x342, "mcause"},   {0x343, "mtval"},         {0x344, "mip"},       {0xb00, "mcycle"},
      {0xb02, "minstret"}, {0xb80, "mcycleh"},       {0xb82, "minstreth"}, {0xc00, "cycle"},
      {0xc02, "instret"},  {0xc80, "cycleh"},        {0xc82, "instreth"},  {0xf11, "mvendorid"},
      {0xf12, "marchid"},  {0xf13, "mimpid"},        {0xf14, "mhartid"},   {0xf15, "mconfigptr"}};
  for (const Csr& csr : kCsrs) {
    if (csr.number == number) return csr.name;
  }
  if (number % 32 >= 3) {  // the event counters, 3 to 31
    if ((number & ~31U) == 0x320) return fmt::format("mhpmevent{}", number % 32);
    if ((number & ~31U) == 0xb00) return fmt::format("mhpmcounter{}", number % 32);
    if ((number & ~31U) == 0xb80) return fmt::format("mhpmcounter{}h", number % 32);
  }
  return fmt::format("{:#x}", number);
}

/// The sets of a FENCE: devices' input and output, memory reads and writes.
std::string fence_set(std::uint32_t bits) {
  std::string text;
  for (std::uint32_t i = 0; i < 4; ++i) {
    if ((bits >> (3 - i) & 1) != 0) text += "iorw"[i];
  }
  return text.empty() ? "unknown" : text;
}

}  // namespace

const char* register_name(int reg) {
  static constexpr std::array kRegisters = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                            "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                            "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                            "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  return kRegisters[static_cast<std::size_t>(reg) % kRegisters.size()];
}

std::string disassemble(std::uint32_t pc, std::uint32_t word) {
  const Instruction i = decode(word);
  std::string name = kNames[static_cast<std::size_t>(i.op)];
  const std::string rd = register_name(i.rd), rs1 = register_name(i.rs1),
                    rs2 = register_name(i.rs2);
  const std::uint32_t target = pc + static_cast<std::uint32_t>(i.imm);
  const auto in = [&i](Op first, Op last) { return i.op >= first && i.op <= last; };
  if (i.op == Op::kIllegal) return fmt::format(".word {:#010x}", word);
  if (in(Op::kLui, Op::kAuipc)) return fmt::format("{} {},{:#x}", name, rd, word >> 12);
  if (i.op == Op::kJal) return fmt::format("{} {},{:x}", name, rd, target);
  if (in(Op::kBeq, Op::kBgeu)) return fmt::format("{} {},{},{:x}", name, rs1, rs2, target);
  if (i.op == Op::kJalr || in(Op::kLb, Op::kLhu)) {
    return fmt::format("{} {},{}({})", name, rd, i.imm, rs1);
  }
  if (in(Op::kSb, Op::kSw)) return fmt::format("{} {},{}({})", name, rs2, i.imm, rs1);
  if (in(Op::kAddi, Op::kAndi)) return fmt::format("{} {},{},{}", name, rd, rs1, i.imm);
  if (in(Op::kSlli, Op::kSrai)) return fmt::format("{} {},{},{:#x}", name, rd, rs1, i.imm);
  if (in(Op::kAdd, Op::kRemu)) return fmt::format("{} {},{},{}", name, rd, rs1, rs2);
  if (i.op == Op::kFence) {
    return fmt::format("{} {},{}", name, fence_set(word >> 24 & 15), fence_set(word >> 20 & 15));
  }
  if (in(Op::kCsrrw, Op::kCsrrci)) {
    const std::string operand = i.op >= Op::kCsrrwi ? std::to_string(i.rs1) : rs1;
    return fmt::format("{} {},{},{}", name, rd, csr_name(static_cast<std::uint32_t>(i.imm)),
                       operand);
  }
  return name;
}

}  // namespace annelid::nic::rv32
