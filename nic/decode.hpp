// Decodes RV32IM instructions once, into the form that the core's loop uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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
/// CSR's number, and for kIllegal the instruction word. The size is a power of two, so that the
/// core finds a place in the code by a shift.
struct alignas(16) Instruction {
  Op op = Op::kUndecoded;
  std::uint8_t rd = kNoRegister, rs1 = 0, rs2 = 0;
  std::int32_t imm = 0;
  /// join() sets these two: the least cycles from here to the end of the block, and how to execute
  /// this after the word before it. That is `op`, and kOps more if its first operand is what that
  /// word has written, or twice kOps if its second is.
  std::uint32_t ahead = 0;
  std::uint8_t after = 0;
};
inline constexpr std::size_t kOps = static_cast<std::size_t>(Op::kCsrrci) + 1, kForms = 3;

/// Never fails: an instruction or CSR that is not in docs/internals/nic/core.md becomes
/// kIllegal. `rs1` of CSRRWI, CSRRSI and CSRRCI is their operand.
Instruction decode(std::uint32_t word);

/// Whether the core always executes the next instruction after it, without other work. The others
/// end a block: branches, jumps, and all that the core's inner loop does not execute.
constexpr bool goes_on(Op op) {
  return op >= Op::kLui && op <= Op::kFenceI && (op < Op::kJal || op > Op::kBgeu);
}

constexpr bool is_store(Op op) { return op >= Op::kSb && op <= Op::kSw; }
constexpr bool is_access(Op op) { return op >= Op::kLb && op <= Op::kSw; }
/// The bytes that a load or store accesses.
constexpr std::uint8_t access_bytes(Op op) {
  switch (op) {
    case Op::kLb:
    case Op::kLbu:
    case Op::kSb:
      return 1;
    case Op::kLh:
    case Op::kLhu:
    case Op::kSh:
      return 2;
    default:
      return 4;
  }
}

/// The words `first` to `last` - 1 are new. Sets what they and their neighbours know of each other:
/// `ahead`, also of the words that go on to them, and `after`. Undecoded words stay as they are.
void join(std::vector<Instruction>& code, std::size_t first, std::size_t last);

}  // namespace annelid::nic::rv32
