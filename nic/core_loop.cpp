// The core's inner loop: instructions in RAM that go straight on. All else is core.cpp's.
#include <algorithm>
#include <cstring>

#include "nic/core.hpp"
#include "nic/core_costs.hpp"

namespace annelid::nic {
namespace {

using rv32::Instruction;
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
Cycle crossing(std::uint32_t address, std::uint32_t bytes) {
  return address % 4 + bytes > 4 ? cost::kCrossing : 0;
}

}  // namespace

/// Executes instructions until time_ >= limit, or up to one that needs more than registers and RAM:
/// it leaves that one untouched. The state lives in local variables, for speed.
template <bool traced>
void Core::run_straight(Cycle limit) {
  std::uint32_t* const x = x_.data();
  std::byte* const ram = ram_.get();
  const Instruction* code = code_;
  const std::uint32_t code_bytes = code_bytes_;
  std::uint32_t pc = pc_;
  Cycle time = time_;
  std::uint64_t instructions = instructions_;
  // Stores below need a closer look.
  const std::uint32_t looked_at = std::max(code_bytes, guard_end_);
  const auto leave = [&] {
    pc_ = pc;
    time_ = time;
    instructions_ = instructions;
  };

  while (time < limit) {
    if (pc >= code_bytes) return leave();
    const Instruction i = code[pc / 4];
    const std::uint32_t a = x[i.rs1], b = x[i.rs2], imm = as_unsigned(i.imm);
    std::uint32_t& d = x[i.rd];
    std::uint32_t next = pc + 4;
    Cycle cycles = 1;
    [[maybe_unused]] const std::uint32_t word = traced ? load(pc, 4) : 0;

    const auto jump = [&](std::uint32_t target) {
      next = target;
      cycles = cost::kTaken;
      return target % 4 == 0;
    };
    const auto load_as = [&](auto value) {
      const std::uint32_t address = a + imm;
      if (!in_ram(address, sizeof value)) return false;
      std::memcpy(&value, ram + address, sizeof value);
      d = as_unsigned(static_cast<std::int32_t>(value));  // extends by the sign of its type
      cycles = cost::kLoad + crossing(address, sizeof value);
      return true;
    };
    const auto store = [&](auto value) {
      const std::uint32_t address = a + imm;
      if (!in_ram(address, sizeof value)) return false;
      if (address < looked_at && address + sizeof value > guard_begin_ && address < guard_end_)
        return false;
      std::memcpy(ram + address, &value, sizeof value);
      cycles = cost::kStore + crossing(address, sizeof value);
      // A store into code is seen at once; FENCE.I has nothing left to do.
      if (address < code_bytes) {
        forget(address, sizeof value);
        code = code_;
      }
      return true;
    };

    switch (i.op) {
      // clang-format off
      case Op::kLui:   d = imm; break;
      case Op::kAuipc: d = pc + imm; break;
      case Op::kAddi:  d = a + imm; break;
      case Op::kSlti:  d = as_signed(a) < i.imm ? 1 : 0; break;
      case Op::kSltiu: d = a < imm ? 1 : 0; break;
      case Op::kXori:  d = a ^ imm; break;
      case Op::kOri:   d = a | imm; break;
      case Op::kAndi:  d = a & imm; break;
      case Op::kSlli:  d = a << imm; break;
      case Op::kSrli:  d = a >> imm; break;
      case Op::kSrai:  d = as_unsigned(as_signed(a) >> imm); break;
      case Op::kAdd:   d = a + b; break;
      case Op::kSub:   d = a - b; break;
      case Op::kSll:   d = a << (b & 31); break;
      case Op::kSlt:   d = as_signed(a) < as_signed(b) ? 1 : 0; break;
      case Op::kSltu:  d = a < b ? 1 : 0; break;
      case Op::kXor:   d = a ^ b; break;
      case Op::kSrl:   d = a >> (b & 31); break;
      case Op::kSra:   d = as_unsigned(as_signed(a) >> (b & 31)); break;
      case Op::kOr:    d = a | b; break;
      case Op::kAnd:   d = a & b; break;

      case Op::kMul:    d = a * b; cycles = cost::kMultiply; break;
      case Op::kMulh:   d = high_product(as_signed(a), as_signed(b)); cycles = cost::kMultiply; break;
      case Op::kMulhsu: d = high_product(as_signed(a), b); cycles = cost::kMultiply; break;
      case Op::kMulhu:  d = static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32); cycles = cost::kMultiply; break;
      case Op::kDiv:    d = divide(a, b); cycles = cost::kDivide; break;
      case Op::kDivu:   d = b == 0 ? 0xffffffffu : a / b; cycles = cost::kDivide; break;
      case Op::kRem:    d = remainder(a, b); cycles = cost::kDivide; break;
      case Op::kRemu:   d = b == 0 ? a : a % b; cycles = cost::kDivide; break;

      case Op::kBeq:  if (a == b && !jump(pc + imm)) return leave(); break;
      case Op::kBne:  if (a != b && !jump(pc + imm)) return leave(); break;
      case Op::kBlt:  if (as_signed(a) < as_signed(b) && !jump(pc + imm)) return leave(); break;
      case Op::kBge:  if (as_signed(a) >= as_signed(b) && !jump(pc + imm)) return leave(); break;
      case Op::kBltu: if (a < b && !jump(pc + imm)) return leave(); break;
      case Op::kBgeu: if (a >= b && !jump(pc + imm)) return leave(); break;
      case Op::kJal:  if (!jump(pc + imm)) return leave(); d = pc + 4; break;
      case Op::kJalr: if (!jump((a + imm) & ~1u)) return leave(); d = pc + 4; break;

      case Op::kLb:  if (!load_as(std::int8_t{})) return leave(); break;
      case Op::kLh:  if (!load_as(std::int16_t{})) return leave(); break;
      case Op::kLw:  if (!load_as(std::uint32_t{})) return leave(); break;
      case Op::kLbu: if (!load_as(std::uint8_t{})) return leave(); break;
      case Op::kLhu: if (!load_as(std::uint16_t{})) return leave(); break;
      case Op::kSb:  if (!store(static_cast<std::uint8_t>(b))) return leave(); break;
      case Op::kSh:  if (!store(static_cast<std::uint16_t>(b))) return leave(); break;
      case Op::kSw:  if (!store(b)) return leave(); break;

      case Op::kFence: break;
      case Op::kFenceI: cycles = cost::kTaken; break;
      default: return leave();
        // clang-format on
    }
    if constexpr (traced) tracer_->retired({time, pc, word, i.rd % rv32::kNoRegister, d});
    pc = next;
    time += cycles;
    ++instructions;
  }
  leave();
}

template void Core::run_straight<false>(Cycle);
template void Core::run_straight<true>(Cycle);

}  // namespace annelid::nic
