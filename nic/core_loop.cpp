// The core's inner loop: instructions in RAM that go straight on. All else is core.cpp's.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "nic/core.hpp"
#include "nic/core_costs.hpp"

namespace annelid::nic {
namespace {

using rv32::Instruction;
using rv32::kNoRegister;
using rv32::Op;

constexpr std::int32_t as_signed(std::uint32_t v) { return static_cast<std::int32_t>(v); }
constexpr std::uint32_t as_unsigned(std::int32_t v) { return static_cast<std::uint32_t>(v); }

std::uint32_t high_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(a * b) >> 32);
}

// The manual's table "semantics for division by zero and division overflow".
std::uint32_t divide(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return 0xffffffffu;
  if (a == 0x80000000u && b == 0xffffffffu) return a;
  return as_unsigned(as_signed(a) / as_signed(b));
}
std::uint32_t remainder(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return a;
  if (a == 0x80000000u && b == 0xffffffffu) return 0;
  return as_unsigned(as_signed(a) % as_signed(b));
}

/// 1 for an access that takes two words of RAM.
std::int64_t crossing(std::uint32_t address, std::size_t bytes) {
  return address % 4 + bytes > 4 ? cost::kCrossing : 0;
}

}  // namespace

// The loop is threaded code: each instruction ends with a jump of its own to the work of the next
// one. That takes fewer instructions than one switch for all, and the processor predicts the jumps
// better. It needs addresses of labels, which GCC and Clang have. Nothing is counted twice: `left`
// is both the clock and the limit, and `before` counts at jumps alone.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

// What the work of an instruction can use; the compiler drops what it does not.
#define OPERANDS                                                                 \
  [[maybe_unused]] const std::uint32_t a = x[i->rs1], b = x[i->rs2];             \
  [[maybe_unused]] const std::uint32_t imm = as_unsigned(i->imm), pc = pc_of(i); \
  [[maybe_unused]] const std::uint32_t word = traced ? load(pc, 4) : 0;          \
  [[maybe_unused]] const std::uint8_t rd = i->rd;                                \
  [[maybe_unused]] std::uint32_t& d = x[rd]

#define RETIRE(cycles)                                                                   \
  if constexpr (traced) tracer_->retired({limit - left, pc, word, rd % kNoRegister, d}); \
  left -= (cycles)

#define CONTINUE             \
  if (left <= 0) goto leave; \
  goto* kLabels[static_cast<std::size_t>(i->op)]

#define NEXT(cycles) \
  RETIRE(cycles);    \
  ++i;               \
  CONTINUE

// A misaligned target is left to step_aside(): the jump neither links nor counts.
#define JUMP(target, link)                         \
  const std::uint32_t to = target;                 \
  if (to % 4 != 0) goto leave;                     \
  link;                                            \
  RETIRE(cost::kTaken);                            \
  before += 1 + (i - code) - std::int64_t{to / 4}; \
  if (to >= code_bytes_) return leave_at(to);      \
  i = code + to / 4;                               \
  CONTINUE

#define OP(name, cycles, work) \
  name : {                     \
    OPERANDS;                  \
    work;                      \
    NEXT(cycles);              \
  }

#define BRANCH(name, condition) \
  name : {                      \
    OPERANDS;                   \
    if (condition) {            \
      JUMP(pc + imm, );         \
    }                           \
    NEXT(1);                    \
  }

#define LOAD(name, type)                                                                \
  name : {                                                                              \
    OPERANDS;                                                                           \
    const std::uint32_t address = a + imm;                                              \
    type value;                                                                         \
    if (!in_ram(address, sizeof value)) goto leave;                                     \
    std::memcpy(&value, ram_.get() + address, sizeof value);                            \
    d = as_unsigned(static_cast<std::int32_t>(value)); /* extends by the type's sign */ \
    NEXT(cost::kLoad + crossing(address, sizeof value));                                \
  }

// A store into code is seen at once.
#define STORE(name, type)                                                          \
  name : {                                                                         \
    OPERANDS;                                                                      \
    const std::uint32_t address = a + imm;                                         \
    const type value = static_cast<type>(b);                                       \
    if (!in_ram(address, sizeof value)) goto leave;                                \
    if (address < guard_end_ && address + sizeof value > guard_begin_) goto leave; \
    std::memcpy(ram_.get() + address, &value, sizeof value);                       \
    if (address < code_bytes_) {                                                   \
      forget(address, sizeof value);                                               \
      code = code_;                                                                \
      i = code + pc / 4;                                                           \
    }                                                                              \
    NEXT(cost::kStore + crossing(address, sizeof value));                          \
  }

/// Executes instructions until time_ >= limit, or up to one that needs more than registers and RAM:
/// it leaves that one untouched. The state lives in local variables, for speed.
template <bool traced>
void Core::run_straight(Cycle limit) {
  static constexpr const void* kLabels[] = {
      // clang-format off
      &&leave, &&leave,
      &&kLui, &&kAuipc, &&kJal, &&kJalr,
      &&kBeq, &&kBne, &&kBlt, &&kBge, &&kBltu, &&kBgeu,
      &&kLb, &&kLh, &&kLw, &&kLbu, &&kLhu, &&kSb, &&kSh, &&kSw,
      &&kAddi, &&kSlti, &&kSltiu, &&kXori, &&kOri, &&kAndi, &&kSlli, &&kSrli, &&kSrai,
      &&kAdd, &&kSub, &&kSll, &&kSlt, &&kSltu, &&kXor, &&kSrl, &&kSra, &&kOr, &&kAnd,
      &&kMul, &&kMulh, &&kMulhsu, &&kMulhu, &&kDiv, &&kDivu, &&kRem, &&kRemu,
      &&kFence, &&kFenceI, &&leave, &&leave, &&leave, &&leave,
      &&leave, &&leave, &&leave, &&leave, &&leave, &&leave,
      // clang-format on
  };  // as rv32::Op
  static_assert(std::size(kLabels) == static_cast<std::size_t>(Op::kCsrrci) + 1);
  if (time_ >= limit || pc_ >= code_bytes_) return;

  std::uint32_t* const x = x_.data();
  const Instruction* code = code_;
  const Instruction* i = code + pc_ / 4;
  const auto pc_of = [&code](const Instruction* at) {
    return static_cast<std::uint32_t>(4 * (at - code));
  };
  std::int64_t left = static_cast<std::int64_t>(limit - time_);  // cycles before the limit
  // How many instructions were executed, without those from the start of `code` to i.
  std::int64_t before = static_cast<std::int64_t>(instructions_) - (i - code);
  const auto leave_at = [&](std::uint32_t pc) {
    pc_ = pc;
    time_ = limit - static_cast<Cycle>(left);
    instructions_ = static_cast<std::uint64_t>(before + pc / 4);
  };
  CONTINUE;

  // clang-format off
  OP(kLui,   1, d = imm)
  OP(kAuipc, 1, d = pc + imm)
  OP(kAddi,  1, d = a + imm)
  OP(kSlti,  1, d = as_signed(a) < as_signed(imm) ? 1 : 0)
  OP(kSltiu, 1, d = a < imm ? 1 : 0)
  OP(kXori,  1, d = a ^ imm)
  OP(kOri,   1, d = a | imm)
  OP(kAndi,  1, d = a & imm)
  OP(kSlli,  1, d = a << imm)
  OP(kSrli,  1, d = a >> imm)
  OP(kSrai,  1, d = as_unsigned(as_signed(a) >> imm))
  OP(kAdd,   1, d = a + b)
  OP(kSub,   1, d = a - b)
  OP(kSll,   1, d = a << (b & 31))
  OP(kSlt,   1, d = as_signed(a) < as_signed(b) ? 1 : 0)
  OP(kSltu,  1, d = a < b ? 1 : 0)
  OP(kXor,   1, d = a ^ b)
  OP(kSrl,   1, d = a >> (b & 31))
  OP(kSra,   1, d = as_unsigned(as_signed(a) >> (b & 31)))
  OP(kOr,    1, d = a | b)
  OP(kAnd,   1, d = a & b)

  OP(kMul,    cost::kMultiply, d = a * b)
  OP(kMulh,   cost::kMultiply, d = high_product(as_signed(a), as_signed(b)))
  OP(kMulhsu, cost::kMultiply, d = high_product(as_signed(a), b))
  OP(kMulhu,  cost::kMultiply, d = static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32))
  OP(kDiv,    cost::kDivide, d = divide(a, b))
  OP(kDivu,   cost::kDivide, d = b == 0 ? 0xffffffffu : a / b)
  OP(kRem,    cost::kDivide, d = remainder(a, b))
  OP(kRemu,   cost::kDivide, d = b == 0 ? a : a % b)

  BRANCH(kBeq,  a == b)
  BRANCH(kBne,  a != b)
  BRANCH(kBlt,  as_signed(a) < as_signed(b))
  BRANCH(kBge,  as_signed(a) >= as_signed(b))
  BRANCH(kBltu, a < b)
  BRANCH(kBgeu, a >= b)
  kJal:  { OPERANDS; JUMP(pc + imm, d = pc + 4); }
  kJalr: { OPERANDS; JUMP((a + imm) & ~1u, d = pc + 4); }

  LOAD(kLb, std::int8_t)
  LOAD(kLh, std::int16_t)
  LOAD(kLw, std::uint32_t)
  LOAD(kLbu, std::uint8_t)
  LOAD(kLhu, std::uint16_t)
  STORE(kSb, std::uint8_t)
  STORE(kSh, std::uint16_t)
  STORE(kSw, std::uint32_t)

  OP(kFence,  1, )
  OP(kFenceI, cost::kTaken, )  // stores have done its work
  // clang-format on

leave:
  leave_at(pc_of(i));
}
#undef STORE
#undef LOAD
#undef BRANCH
#undef OP
#undef JUMP
#undef NEXT
#undef CONTINUE
#undef RETIRE
#undef OPERANDS
#pragma GCC diagnostic pop

template void Core::run_straight<false>(Cycle);
template void Core::run_straight<true>(Cycle);

}  // namespace annelid::nic
