#include "nic/core.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

namespace annelid {
namespace {

using rv32::Instruction;
using rv32::Op;

// Cycle costs: docs/nic.md, section 2.
constexpr Cycle kLoadCost = 2, kMultiplyCost = 2, kTakenCost = 3, kDivideCost = 34, kBusCost = 3;

constexpr std::uint32_t kFetchMisaligned = 0, kFetchFault = 1, kIllegalInstruction = 2,
                        kBreakpoint = 3, kLoadFault = 5, kStoreFault = 7, kEcallMachine = 11;

constexpr std::int32_t as_signed(std::uint32_t v) { return static_cast<std::int32_t>(v); }
constexpr std::uint32_t as_unsigned(std::int32_t v) { return static_cast<std::uint32_t>(v); }

std::uint32_t high_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(a * b) >> 32);
}

std::uint32_t divide(Op op, std::uint32_t a, std::uint32_t b) {
  const bool overflow = a == 0x80000000u && b == 0xffffffffu;
  switch (op) {
    case Op::kDiv:
      if (b == 0) return 0xffffffffu;
      return overflow ? a : as_unsigned(as_signed(a) / as_signed(b));
    case Op::kDivu:
      return b == 0 ? 0xffffffffu : a / b;
    case Op::kRem:
      if (b == 0) return a;
      return overflow ? 0 : as_unsigned(as_signed(a) % as_signed(b));
    default:
      return b == 0 ? a : a % b;
  }
}

std::uint32_t multiply(Op op, std::uint32_t a, std::uint32_t b) {
  switch (op) {
    case Op::kMulh:
      return high_product(as_signed(a), as_signed(b));
    case Op::kMulhsu:
      return high_product(as_signed(a), std::int64_t{b});
    case Op::kMulhu:
      return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32);
    default:
      return a * b;
  }
}

bool taken(Op op, std::uint32_t a, std::uint32_t b) {
  switch (op) {
    case Op::kBeq:
      return a == b;
    case Op::kBne:
      return a != b;
    case Op::kBlt:
      return as_signed(a) < as_signed(b);
    case Op::kBge:
      return as_signed(a) >= as_signed(b);
    case Op::kBltu:
      return a < b;
    default:
      return a >= b;
  }
}

std::uint8_t access_bytes(Op op) {
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

std::uint32_t extend(Op op, std::uint32_t value) {
  switch (op) {
    case Op::kLb:
      return as_unsigned(static_cast<std::int8_t>(value));
    case Op::kLh:
      return as_unsigned(static_cast<std::int16_t>(value));
    case Op::kLbu:
      return value & 0xff;
    case Op::kLhu:
      return value & 0xffff;
    default:
      return value;
  }
}

bool in_ram(std::uint32_t address, std::uint32_t bytes) { return address <= kRamBytes - bytes; }

}  // namespace

std::string Image::function_at(std::uint32_t pc) const {
  for (const Function& f : functions) {
    if (pc >= f.address && pc - f.address < std::max(f.bytes, 1u)) return f.name;
  }
  return "?";
}

Core::Core(const Image& image, std::uint32_t hart)
    : hart_(hart), ram_(static_cast<std::byte*>(std::calloc(kRamBytes, 1))) {
  if (ram_ == nullptr) throw std::bad_alloc();
  if (image.ram.size() > kRamBytes) throw std::invalid_argument("the program exceeds the RAM");
  std::copy(image.ram.begin(), image.ram.end(), ram_.get());
  code_.resize(image.ram.size() / 4);
  for (std::uint32_t i = 0; i < code_.size(); ++i) code_[i] = rv32::decode(load(4 * i, 4));
}

std::uint32_t Core::load(std::uint32_t address, int bytes) const {
  std::uint32_t value = 0;
  std::memcpy(&value, ram_.get() + address, static_cast<std::size_t>(bytes));
  return value;
}

void Core::store(std::uint32_t address, int bytes, std::uint32_t value) {
  std::memcpy(ram_.get() + address, &value, static_cast<std::size_t>(bytes));
  // A store into code is seen at once; fence.i has nothing left to do.
  const std::uint32_t last = (address + static_cast<std::uint32_t>(bytes) - 1) / 4;
  for (std::uint32_t word = address / 4; word <= last && word < code_.size(); ++word) {
    code_[word] = rv32::decode(load(4 * word, 4));
  }
}

Instruction Core::fetch(std::uint32_t pc) const {
  return pc / 4 < code_.size() ? code_[pc / 4] : rv32::decode(load(pc, 4));
}

std::uint32_t Core::csr(std::uint32_t number) const {
  switch (number) {
    case 0xf14:
      return hart_;
    case 0xb00:
    case 0xc00:
      return static_cast<std::uint32_t>(time_);
    case 0xb80:
    case 0xc80:
      return static_cast<std::uint32_t>(time_ >> 32);
    case 0xb02:
    case 0xc02:
      return static_cast<std::uint32_t>(instructions_);
    default:
      return static_cast<std::uint32_t>(instructions_ >> 32);
  }
}

void Core::trap(std::uint32_t cause, std::uint32_t value) {
  trap_ = {pc_, cause, value};
  state_ = State::kTrapped;
}

Core::State Core::run(Cycle limit, bool event) {
  while (state_ == State::kRunning && time_ < limit) {
    if (!in_ram(pc_, 4)) {
      trap(kFetchFault, pc_);
      break;
    }
    const Instruction i = fetch(pc_);
    const std::uint32_t a = x_[i.rs1], b = x_[i.rs2], imm = as_unsigned(i.imm);
    std::uint32_t result = 0, next = pc_ + 4;
    bool writes = true;
    Cycle cost = 1;
    switch (i.op) {
      // clang-format off
      case Op::kLui:   result = imm; break;
      case Op::kAuipc: result = pc_ + imm; break;
      case Op::kAddi:  result = a + imm; break;
      case Op::kSlti:  result = as_signed(a) < i.imm ? 1 : 0; break;
      case Op::kSltiu: result = a < imm ? 1 : 0; break;
      case Op::kXori:  result = a ^ imm; break;
      case Op::kOri:   result = a | imm; break;
      case Op::kAndi:  result = a & imm; break;
      case Op::kSlli:  result = a << imm; break;
      case Op::kSrli:  result = a >> imm; break;
      case Op::kSrai:  result = as_unsigned(as_signed(a) >> imm); break;
      case Op::kAdd:   result = a + b; break;
      case Op::kSub:   result = a - b; break;
      case Op::kSll:   result = a << (b & 31); break;
      case Op::kSlt:   result = as_signed(a) < as_signed(b) ? 1 : 0; break;
      case Op::kSltu:  result = a < b ? 1 : 0; break;
      case Op::kXor:   result = a ^ b; break;
      case Op::kSrl:   result = a >> (b & 31); break;
      case Op::kSra:   result = as_unsigned(as_signed(a) >> (b & 31)); break;
      case Op::kOr:    result = a | b; break;
      case Op::kAnd:   result = a & b; break;
      // clang-format on
      case Op::kJal:
        result = next;
        next = pc_ + imm;
        cost = kTakenCost;
        break;
      case Op::kJalr:
        result = next;
        next = (a + imm) & ~1u;
        cost = kTakenCost;
        break;
      case Op::kBeq:
      case Op::kBne:
      case Op::kBlt:
      case Op::kBge:
      case Op::kBltu:
      case Op::kBgeu:
        writes = false;
        if (taken(i.op, a, b)) {
          next = pc_ + imm;
          cost = kTakenCost;
        }
        break;
      case Op::kLb:
      case Op::kLh:
      case Op::kLw:
      case Op::kLbu:
      case Op::kLhu:
      case Op::kSb:
      case Op::kSh:
      case Op::kSw: {
        const std::uint32_t address = a + imm;
        const std::uint8_t bytes = access_bytes(i.op);
        const bool is_store = i.op >= Op::kSb;
        if (!in_ram(address, bytes)) {
          at_bus_ = i;
          access_ = {address, bytes, is_store, is_store ? b : 0};
          return state_ = State::kBus;
        }
        writes = !is_store;
        if (is_store) {
          store(address, bytes, b);
        } else {
          result = extend(i.op, load(address, bytes));
          cost = kLoadCost;
        }
        break;
      }
      case Op::kMul:
      case Op::kMulh:
      case Op::kMulhsu:
      case Op::kMulhu:
        result = multiply(i.op, a, b);
        cost = kMultiplyCost;
        break;
      case Op::kDiv:
      case Op::kDivu:
      case Op::kRem:
      case Op::kRemu:
        result = divide(i.op, a, b);
        cost = kDivideCost;
        break;
      case Op::kCsrRead:
        result = csr(imm);
        break;
      case Op::kFence:
        writes = false;
        break;
      case Op::kWfi:
        writes = false;
        if (!event) state_ = State::kAsleep;
        break;
      case Op::kEcall:
        trap(kEcallMachine, 0);
        return state_;
      case Op::kEbreak:
        trap(kBreakpoint, pc_);
        return state_;
      case Op::kIllegal:
        trap(kIllegalInstruction, imm);
        return state_;
    }
    // Reported at the jump, which then neither links nor counts.
    if (next % 4 != 0) {
      trap(kFetchMisaligned, next);
      break;
    }
    if (writes && i.rd != 0) x_[i.rd] = result;
    pc_ = next;
    time_ += cost;
    ++instructions_;
  }
  return state_;
}

void Core::finish(std::uint32_t value) {
  if (!access_.store && at_bus_.rd != 0) x_[at_bus_.rd] = extend(at_bus_.op, value);
  pc_ += 4;
  time_ += kBusCost;
  ++instructions_;
  state_ = State::kRunning;
}

void Core::fault() { trap(access_.store ? kStoreFault : kLoadFault, access_.address); }

void Core::wake(Cycle at) {
  time_ = at;
  state_ = State::kRunning;
}

}  // namespace annelid
