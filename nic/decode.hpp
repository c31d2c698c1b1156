// Decodes RV32IM instructions once, into the form that the core's loop uses.
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

/// A value of `rd`: the instruction writes no register, or x0. The core has a register with this
/// number, so that it need not test for the case.
inline constexpr std::uint8_t kNoRegister = 32;

/// `imm` is the immediate, sign-extended where the ISA says so. For a CSR instruction it is the
/// CSR's number, and for kIllegal the instruction word.
struct Instruction {
  Op op = Op::kUndecoded;
  std::uint8_t rd = kNoRegister, rs1 = 0, rs2 = 0;
  std::int32_t imm = 0;
};

/// Never fails: an instruction or CSR that is not in docs/internals/nic.md, section 2, becomes
/// kIllegal. `rs1` of CSRRWI, CSRRSI and CSRRCI is their operand.
Instruction decode(std::uint32_t word);

}  // namespace annelid::nic::rv32
