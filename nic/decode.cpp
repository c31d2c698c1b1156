#include "nic/decode.hpp"

#include <array>

#include "nic/core_costs.hpp"
#include "nic/csr.hpp"

namespace annelid::nic::rv32 {
namespace {

constexpr std::uint32_t field(std::uint32_t word, int low, int width) {
  return word >> low & ((1u << width) - 1);
}

std::int32_t imm_i(std::uint32_t w) { return static_cast<std::int32_t>(w) >> 20; }
std::int32_t imm_s(std::uint32_t w) {
  return (static_cast<std::int32_t>(w) >> 25) * 32 + static_cast<std::int32_t>(field(w, 7, 5));
}
std::int32_t imm_b(std::uint32_t w) {
  const std::uint32_t sign = static_cast<std::uint32_t>(static_cast<std::int32_t>(w) >> 31);
  return static_cast<std::int32_t>(sign << 12 | field(w, 7, 1) << 11 | field(w, 25, 6) << 5 |
                                   field(w, 8, 4) << 1);
}
std::int32_t imm_u(std::uint32_t w) { return static_cast<std::int32_t>(w & 0xfffff000u); }
std::int32_t imm_j(std::uint32_t w) {
  const std::uint32_t sign = static_cast<std::uint32_t>(static_cast<std::int32_t>(w) >> 31);
  return static_cast<std::int32_t>(sign << 20 | field(w, 12, 8) << 12 | field(w, 20, 1) << 11 |
                                   field(w, 21, 10) << 1);
}

using enum Op;
// By funct3.
constexpr std::array<Op, 8> kBranches = {kBeq, kBne, kIllegal, kIllegal, kBlt, kBge, kBltu, kBgeu};
constexpr std::array<Op, 8> kLoads = {kLb, kLh, kLw, kIllegal, kLbu, kLhu, kIllegal, kIllegal};
constexpr std::array<Op, 8> kStores = {kSb,      kSh,      kSw,      kIllegal,
                                       kIllegal, kIllegal, kIllegal, kIllegal};
constexpr std::array<Op, 8> kImmediates = {kAddi, kSlli, kSlti, kSltiu, kXori, kSrli, kOri, kAndi};
constexpr std::array<Op, 8> kRegisters = {kAdd, kSll, kSlt, kSltu, kXor, kSrl, kOr, kAnd};
constexpr std::array<Op, 8> kMultiplies = {kMul, kMulh, kMulhsu, kMulhu, kDiv, kDivu, kRem, kRemu};
constexpr std::array<Op, 8> kCsrs = {kIllegal, kCsrrw,  kCsrrs,  kCsrrc,
                                     kIllegal, kCsrrwi, kCsrrsi, kCsrrci};

Op register_op(std::uint32_t funct3, std::uint32_t funct7) {
  if (funct7 == 0) return kRegisters[funct3];
  if (funct7 == 1) return kMultiplies[funct3];
  if (funct7 == 0x20 && funct3 == 0) return kSub;
  if (funct7 == 0x20 && funct3 == 5) return kSra;
  return kIllegal;
}

Op immediate_op(std::uint32_t funct3, std::uint32_t funct7) {
  if (funct3 == 1 && funct7 != 0) return kIllegal;
  if (funct3 == 5 && funct7 == 0x20) return kSrai;
  if (funct3 == 5 && funct7 != 0) return kIllegal;
  return kImmediates[funct3];
}

Op system_op(std::uint32_t word) {
  switch (word) {
    case 0x00000073:
      return kEcall;
    case 0x00100073:
      return kEbreak;
    case 0x10500073:
      return kWfi;
    case 0x30200073:
      return kMret;
    default:
      break;
  }
  const std::uint32_t funct3 = field(word, 12, 3);
  // Set and clear with x0 or 0 only read.
  const bool writes = (funct3 & 3) == 1 || field(word, 15, 5) != 0;
  return legal_csr(word >> 20, writes) ? kCsrs[funct3] : kIllegal;
}

static_assert(kForms * kOps <= 256, "Instruction::after holds them");

/// `written`: the register that the instruction before it writes.
std::size_t form_after(std::uint8_t written, const Instruction& i) {
  const bool reads_first = i.op >= Op::kJalr && i.op <= Op::kRemu;
  const bool reads_second = (i.op >= Op::kBeq && i.op <= Op::kBgeu) ||
                            (i.op >= Op::kSb && i.op <= Op::kSw) ||
                            (i.op >= Op::kAdd && i.op <= Op::kRemu);
  if (reads_first && i.rs1 == written) return 1;
  return reads_second && i.rs2 == written ? 2 : 0;
}

}  // namespace

Instruction decode(std::uint32_t w) {
  const std::uint32_t rd = field(w, 7, 5);
  Instruction i{kIllegal, rd == 0 ? kNoRegister : static_cast<std::uint8_t>(rd),
                static_cast<std::uint8_t>(field(w, 15, 5)),
                static_cast<std::uint8_t>(field(w, 20, 5)), 0};
  const std::uint32_t funct3 = field(w, 12, 3), funct7 = w >> 25;
  switch (field(w, 0, 7)) {
    case 0x37:
      i.op = kLui;
      i.imm = imm_u(w);
      break;
    case 0x17:
      i.op = kAuipc;
      i.imm = imm_u(w);
      break;
    case 0x6f:
      i.op = kJal;
      i.imm = imm_j(w);
      break;
    case 0x67:
      i.op = funct3 == 0 ? kJalr : kIllegal;
      i.imm = imm_i(w);
      break;
    case 0x63:
      i.rd = kNoRegister;
      i.op = kBranches[funct3];
      i.imm = imm_b(w);
      break;
    case 0x03:
      i.op = kLoads[funct3];
      i.imm = imm_i(w);
      break;
    case 0x23:
      i.rd = kNoRegister;
      i.op = kStores[funct3];
      i.imm = imm_s(w);
      break;
    case 0x13:
      i.op = immediate_op(funct3, funct7);
      i.imm = funct3 == 1 || funct3 == 5 ? i.rs2 : imm_i(w);
      break;
    case 0x33:
      i.op = register_op(funct3, funct7);
      break;
    case 0x0f:
      i.rd = kNoRegister;
      i.op = funct3 == 0 ? kFence : funct3 == 1 ? kFenceI : kIllegal;
      break;
    case 0x73:
      i.op = system_op(w);
      i.imm = static_cast<std::int32_t>(w >> 20);
      break;
    default:
      break;
  }
  if (i.op == kIllegal) i.imm = static_cast<std::int32_t>(w);
  return i;
}

void join(std::vector<Instruction>& code, std::size_t first, std::size_t last) {
  for (std::size_t at = last; at > 0 && (at > first || goes_on(code[at - 1].op)); --at) {
    Instruction& i = code[at - 1];
    if (i.op == Op::kUndecoded) continue;
    i.ahead = cost::of(i.op) + (goes_on(i.op) && at < code.size() ? code[at].ahead : 0);
  }
  for (std::size_t at = first; at <= last && at < code.size(); ++at) {
    Instruction& i = code[at];
    const bool before = at > 0 && goes_on(code[at - 1].op);
    const std::size_t form = before ? form_after(code[at - 1].rd, i) : 0;
    i.after = static_cast<std::uint8_t>(static_cast<std::size_t>(i.op) + form * kOps);
  }
}

}  // namespace annelid::nic::rv32
