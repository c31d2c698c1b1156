// The core's inner loop: instructions in RAM that go straight on. All else is core.cpp's.
#include <algorithm>
#include <bit>
#include <cstddef>
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

/// Whether an access takes two words of RAM.
constexpr bool crosses(std::uint32_t address, std::size_t bytes) { return address % 4 + bytes > 4; }

/// Whether an access is in RAM and aligned. The rotation makes one comparison of both: it moves the
/// bits that must be 0 to the top.
template <std::size_t kBytes>
constexpr bool is_plain(std::uint32_t address) {
  return std::rotr(address, std::countr_zero(kBytes)) < kRamBytes / kBytes;
}

}  // namespace

// The loop is threaded code: each instruction ends with a jump of its own to the work of the next
// one. That takes fewer instructions than one switch for all, and the processor predicts the jumps
// better. It needs addresses of labels, which GCC and Clang have. Nothing is counted twice: `left`
// is both the clock and the limit, and `before` counts at jumps alone.
//
// Most instructions use what the one before them has written. It would take the host's processor
// many cycles to write that to memory and to read it again, so there it comes from `last`. Each
// instruction has three forms: both operands from registers, the first or the second from `last`.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

// What the work of an instruction can use; the compiler drops what it does not.
#define OPERANDS(first, second)                                                  \
  [[maybe_unused]] const std::uint32_t a = (first), b = (second);                \
  [[maybe_unused]] const std::uint32_t imm = as_unsigned(i->imm), pc = pc_of(i); \
  [[maybe_unused]] const std::uint32_t word = traced ? load(pc, 4) : 0;          \
  [[maybe_unused]] const std::uint8_t rd = i->rd

#define FORMS(name, ...)            \
  name : {                          \
    OPERANDS(x[i->rs1], x[i->rs2]); \
    __VA_ARGS__                     \
  }                                 \
  name##AfterFirst : {              \
    OPERANDS(last, x[i->rs2]);      \
    __VA_ARGS__                     \
  }                                 \
  name##AfterSecond : {             \
    OPERANDS(x[i->rs1], last);      \
    __VA_ARGS__                     \
  }

// `more` cycles are those beyond cost::of(), which a block has already spent.
#define RETIRE(name, more)                                                                   \
  if constexpr (traced) tracer_->retired({limit - left, pc, word, rd % kNoRegister, x[rd]}); \
  left -= (more) + (by_blocks ? 0 : std::int64_t{cost::of(Op::name)})

#define CONTINUE                              \
  if (!by_blocks && left <= 0) goto near_end; \
  goto* kLabels[i->after]

// The work of an instruction that goes straight on is done.
#define NEXT(name) \
  RETIRE(name, 0); \
  ++i;             \
  CONTINUE

// A block begins, behind any other instruction.
#define ENTER                                             \
  if (by_blocks && (left -= i->ahead) < 0) goto near_end; \
  if (!by_blocks && left <= 0) goto near_end;             \
  goto* kLabels[static_cast<std::size_t>(i->op)]

// A misaligned target is left to step_aside(): the jump neither links nor counts.
#define JUMP(name, target, link)                        \
  const std::uint32_t to = target;                      \
  if (to % 4 != 0) goto leave;                          \
  link;                                                 \
  RETIRE(name, cost::kTaken - int{cost::of(Op::name)}); \
  before += 1 + (i - code) - std::int64_t{to / 4};      \
  if (to >= code_bytes_) {                              \
    leave_at(to);                                       \
    return false;                                       \
  }                                                     \
  i = code + to / 4;                                    \
  ENTER;

#define OP(name, result) FORMS(name, last = result; x[rd] = last; NEXT(name);)

#define BRANCH(name, condition) \
  FORMS(name, if (condition){JUMP(name, pc + imm, )} RETIRE(name, 0); ++i; ENTER;)

// An access that takes two words takes a cycle more, so a block may end too late.
#define NEXT_ACCESS(name)                     \
  RETIRE(name, 0);                            \
  ++i;                                        \
  if (crosses(address, sizeof value)) {       \
    left -= cost::kCrossing;                  \
    if (by_blocks && left < 0) goto near_end; \
  }                                           \
  CONTINUE

// The value is extended by the type's sign.
#define GET                                             \
  std::memcpy(&value, ram + address, sizeof value);     \
  last = as_unsigned(static_cast<std::int32_t>(value)); \
  x[rd] = last

#define LOAD(name, type)                                       \
  FORMS(                                                       \
      name, const std::uint32_t address = a + imm; type value; \
      if (is_plain<sizeof value>(address)) [[likely]] {        \
        GET;                                                   \
        NEXT(name);                                            \
      } if (!in_ram(address, sizeof value)) goto outside;      \
      GET; NEXT_ACCESS(name);)

// A store into code is seen at once.
#define STORE(name, type)                                                                   \
  FORMS(                                                                                    \
      name, const std::uint32_t address = a + imm; const type value = static_cast<type>(b); \
      if (is_plain<sizeof value>(address) && address >= plain_stores_) [[likely]] {         \
        std::memcpy(ram + address, &value, sizeof value);                                   \
        NEXT(name);                                                                         \
      } if (!in_ram(address, sizeof value)) goto outside;                                   \
      if (address < guard_end_ && address + sizeof value > guard_begin_) goto leave;        \
      std::memcpy(ram + address, &value, sizeof value); if (address < code_bytes_) {        \
        forget(address, sizeof value);                                                      \
        code = code_;                                                                       \
        i = code + pc / 4;                                                                  \
      } NEXT_ACCESS(name);)

// As rv32::Op.
#define LABELS(form)                                                                               \
  &&leave, &&leave, &&kLui##form, &&kAuipc##form, &&kJal##form, &&kJalr##form, &&kBeq##form,       \
      &&kBne##form, &&kBlt##form, &&kBge##form, &&kBltu##form, &&kBgeu##form, &&kLb##form,         \
      &&kLh##form, &&kLw##form, &&kLbu##form, &&kLhu##form, &&kSb##form, &&kSh##form, &&kSw##form, \
      &&kAddi##form, &&kSlti##form, &&kSltiu##form, &&kXori##form, &&kOri##form, &&kAndi##form,    \
      &&kSlli##form, &&kSrli##form, &&kSrai##form, &&kAdd##form, &&kSub##form, &&kSll##form,       \
      &&kSlt##form, &&kSltu##form, &&kXor##form, &&kSrl##form, &&kSra##form, &&kOr##form,          \
      &&kAnd##form, &&kMul##form, &&kMulh##form, &&kMulhsu##form, &&kMulhu##form, &&kDiv##form,    \
      &&kDivu##form, &&kRem##form, &&kRemu##form, &&kFence##form, &&kFenceI##form, &&leave,        \
      &&leave, &&leave, &&leave, &&leave, &&leave, &&leave, &&leave, &&leave, &&leave

/// Executes instructions until time_ >= limit, or up to one that needs more than registers, RAM and
/// private words: it leaves that one untouched. The state lives in local variables, for speed.
/// By blocks, it counts the cycles of a block when it begins, and stops before one that might not
/// end in time. Then it returns true.
template <bool traced, bool by_blocks>
bool Core::run_straight(Cycle limit) {
  static constexpr const void* kLabels[] = {LABELS(), LABELS(AfterFirst), LABELS(AfterSecond)};
  static_assert(std::size(kLabels) == rv32::kForms * rv32::kOps);
  if (time_ >= limit || pc_ >= code_bytes_) return false;

  std::uint32_t* const x = x_.data();
  std::uint32_t last = 0;  // what the instruction before this one has written
  std::byte* const ram = ram_.get();
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
  ENTER;

  // clang-format off
  OP(kLui, imm)
  OP(kAuipc, pc + imm)
  OP(kAddi, a + imm)
  OP(kSlti, as_signed(a) < as_signed(imm) ? 1 : 0)
  OP(kSltiu, a < imm ? 1 : 0)
  OP(kXori, a ^ imm)
  OP(kOri, a | imm)
  OP(kAndi, a & imm)
  OP(kSlli, a << imm)
  OP(kSrli, a >> imm)
  OP(kSrai, as_unsigned(as_signed(a) >> imm))
  OP(kAdd, a + b)
  OP(kSub, a - b)
  OP(kSll, a << (b & 31))
  OP(kSlt, as_signed(a) < as_signed(b) ? 1 : 0)
  OP(kSltu, a < b ? 1 : 0)
  OP(kXor, a ^ b)
  OP(kSrl, a >> (b & 31))
  OP(kSra, as_unsigned(as_signed(a) >> (b & 31)))
  OP(kOr, a | b)
  OP(kAnd, a & b)

  OP(kMul, a * b)
  OP(kMulh, high_product(as_signed(a), as_signed(b)))
  OP(kMulhsu, high_product(as_signed(a), b))
  OP(kMulhu, static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32))
  OP(kDiv, divide(a, b))
  OP(kDivu, b == 0 ? 0xffffffffu : a / b)
  OP(kRem, remainder(a, b))
  OP(kRemu, b == 0 ? a : a % b)

  BRANCH(kBeq, a == b)
  BRANCH(kBne, a != b)
  BRANCH(kBlt, as_signed(a) < as_signed(b))
  BRANCH(kBge, as_signed(a) >= as_signed(b))
  BRANCH(kBltu, a < b)
  BRANCH(kBgeu, a >= b)
  FORMS(kJal, JUMP(kJal, pc + imm, x[rd] = pc + 4))
  FORMS(kJalr, JUMP(kJalr, (a + imm) & ~1u, x[rd] = pc + 4))

  LOAD(kLb, std::int8_t)
  LOAD(kLh, std::int16_t)
  LOAD(kLw, std::uint32_t)
  LOAD(kLbu, std::uint8_t)
  LOAD(kLhu, std::uint16_t)
  STORE(kSb, std::uint8_t)
  STORE(kSh, std::uint16_t)
  STORE(kSw, std::uint32_t)

  OP(kFence, last)   // writes no register
  OP(kFenceI, last)  // stores have done its work
  // clang-format on

outside : {  // the first load or store that is not in RAM
  const std::uint32_t at = x[i->rs1] + as_unsigned(i->imm) - private_.address;
  if (at % 4 != 0 || at / 4 >= private_.words.size()) goto leave;
  const PrivateWords::Word word = private_.words[at / 4];
  std::uint32_t& value = private_.values[at / 4];
  if (i->op == Op::kLw && word.loads) {
    last = x[i->rd] = value;
  } else if (i->op == Op::kSw && word.stores != 0) {
    value = x[i->rs2] & word.stores;
  } else {
    goto leave;
  }
  if constexpr (traced) {
    const std::uint32_t pc = pc_of(i);
    tracer_->retired({limit - left, pc, load(pc, 4), i->rd % kNoRegister, x[i->rd]});
  }
  left -= by_blocks ? 0 : std::int64_t{cost::of(i->op)};
  ++i;
  CONTINUE;
}
leave:
  if (by_blocks) left += i->ahead;
  leave_at(pc_of(i));
  return false;
near_end:
  if (by_blocks) left += i->ahead;
  leave_at(pc_of(i));
  return true;
}
#undef LABELS
#undef STORE
#undef LOAD
#undef BRANCH
#undef OP
#undef GET
#undef JUMP
#undef NEXT_ACCESS
#undef NEXT
#undef ENTER
#undef CONTINUE
#undef RETIRE
#undef FORMS
#undef OPERANDS
#pragma GCC diagnostic pop

template bool Core::run_straight<false, true>(Cycle);
template bool Core::run_straight<false, false>(Cycle);
template bool Core::run_straight<true, false>(Cycle);

}  // namespace annelid::nic
