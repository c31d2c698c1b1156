// RV32IM instructions, decoded once into what the core's loop switches on.
#pragma once

#include <cstdint>

namespace annelid::nic::rv32 {

enum class Op : std::uint8_t {
  // clang-format off
  kUndecoded, kIllegal,
  kLui, kAuipc, kJal, kJalr,
  kBeq, kBne, kBlt, kBge, kBltu, kBgeu,
  kLb, kLh, kLw, kLbu, kLhu, kSb, kSh, kSw,
  kAddi, kSlti, kSltiu, kXori, kOri, kAndi, kSlli, kSrli, kSrai,
  kAdd, kSub, kSll, kSlt, kSltu, kXor, kSrl, kSra, kOr, kAnd,
  kMul, kMulh, kMulhsu, kMulhu, kDiv, kDivu, kRem, kRemu,
  kFence, kFenceI, kEcall, kEbreak, kMret, kWfi,
  kCsrrw, kCsrrs, kCsrrc, kCsrrwi, kCsrrsi, kCsrrci,
  // clang-format on
};

/// As `rd`: the instruction writes no register, or x0. The core has a place for it, so that it need
/// not ask.
inline constexpr std::uint8_t kNoRegister = 32;

/// `imm` is the immediate, sign-extended where the ISA says so; of a CSR instruction the CSR's
/// number, of kIllegal the instruction word.
struct Instruction {
  Op op = Op::kUndecoded;
  std::uint8_t rd = kNoRegister, rs1 = 0, rs2 = 0;
  std::int32_t imm = 0;
};

/// Never fails: what RV32IM and the CSRs of docs/internals/nic.md, section 2 do not have is
/// kIllegal. `rs1` of CSRRWI, CSRRSI and CSRRCI is their operand.
Instruction decode(std::uint32_t word);

}  // namespace annelid::nic::rv32
