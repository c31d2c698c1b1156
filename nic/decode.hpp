// RV32IM instructions, decoded once into what the core's loop switches on.
#pragma once

#include <cstdint>

namespace annelid::rv32 {

enum class Op : std::uint8_t {
  // clang-format off
  kIllegal,
  kLui, kAuipc, kJal, kJalr,
  kBeq, kBne, kBlt, kBge, kBltu, kBgeu,
  kLb, kLh, kLw, kLbu, kLhu, kSb, kSh, kSw,
  kAddi, kSlti, kSltiu, kXori, kOri, kAndi, kSlli, kSrli, kSrai,
  kAdd, kSub, kSll, kSlt, kSltu, kXor, kSrl, kSra, kOr, kAnd,
  kMul, kMulh, kMulhsu, kMulhu, kDiv, kDivu, kRem, kRemu,
  kFence, kEcall, kEbreak, kWfi, kCsrRead,
  // clang-format on
};

/// `imm` is the immediate, sign-extended where the ISA says so; for kCsrRead the CSR's number, for
/// kIllegal the instruction word.
struct Instruction {
  Op op = Op::kIllegal;
  std::uint8_t rd = 0, rs1 = 0, rs2 = 0;
  std::int32_t imm = 0;
};

/// Never fails: what RV32IM and the CSRs of docs/nic.md, section 2 do not have is kIllegal.
Instruction decode(std::uint32_t word);

}  // namespace annelid::rv32
