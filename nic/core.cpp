#include "nic/core.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "nic/core_costs.hpp"

namespace annelid::nic {
namespace {

using rv32::Instruction;
using rv32::Op;

// mcause, privileged specification, table "machine cause register values after trap".
// The ABI's registers of a system call, and Linux's number of write.
constexpr int kA0 = 10, kA7 = 17;
constexpr std::uint32_t kSystemWrite = 64;

constexpr std::uint32_t kFetchMisaligned = 0, kFetchFault = 1, kIllegalInstruction = 2,
                        kBreakpoint = 3, kLoadFault = 5, kStoreFault = 7, kEcallMachine = 11,
                        kInterrupt = 0x80000000, kExternalCause = 11, kTimerCause = 7;

std::uint32_t extend(Op op, std::uint32_t value) {
  switch (op) {
    case Op::kLb:
      return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
    case Op::kLh:
      return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
    case Op::kLbu:
      return value & 0xff;
    case Op::kLhu:
      return value & 0xffff;
    default:
      return value;
  }
}

}  // namespace

const Image::Function* Image::find_function(std::uint32_t pc) const {
  const auto after =
      std::ranges::upper_bound(functions, pc, {}, [](const Function& f) { return f.address; });
  // One may lie within another: the nearest that reaches to pc.
  for (auto f = after; f != functions.begin();) {
    --f;
    if (pc - f->address < f->bytes) return &*f;
  }
  return nullptr;
}

std::string Image::function_at(std::uint32_t pc) const {
  const Function* f = find_function(pc);
  return f == nullptr ? "?" : f->name;
}

Core::Core(const Image& image, std::uint32_t hart)
    : csrs_(hart),
      ram_(image.shared ? image.shared->ram.copy() : StartingRam(image.ram).copy()),
      shared_(image.shared),
      guard_begin_(image.guard_begin),
      guard_end_(image.guard_end) {
  if (shared_ != nullptr) show(shared_->code);
}

std::uint32_t Core::load(std::uint32_t address, std::uint32_t bytes) const {
  std::uint32_t value = 0;
  std::memcpy(&value, ram_.get() + address, bytes);
  return value;
}

// ---- Decoded words ------------------------------------------------------------------------------

/// From here on run_straight() finds its words in `code`, whose last one is no word of RAM: it
/// stops the loop, which so need not look for the end at each instruction.
void Core::show(const std::vector<Instruction>& code) {
  code_ = code.data();
  code_bytes_ = static_cast<std::uint32_t>(4 * (code.size() - 1));
  plain_stores_ = std::max(code_bytes_, guard_end_);
}

void Core::own_code(std::size_t words) {
  if (own_code_.empty() && shared_ != nullptr) own_code_ = shared_->code;
  own_code_.resize(std::max(own_code_.size(), words + 1));
  show(own_code_);
}

/// A store has changed what stands there. The cycles ahead stay, because the block that is being
/// executed has counted them.
void Core::forget(std::uint32_t address, std::uint32_t bytes) {
  const std::uint32_t last = std::min((address + bytes - 1) / 4, code_bytes_ / 4 - 1);
  own_code(0);
  for (std::uint32_t word = address / 4; word <= last; ++word) {
    own_code_[word].op = Op::kUndecoded;
    own_code_[word].after = 0;
  }
}

/// Up to the end of the block. At the first instruction behind the program, all of RAM gets places:
/// it happens once.
void Core::decode_here() {
  own_code(pc_ >= code_bytes_ ? kRamBytes / 4 : 0);
  const std::uint32_t first = pc_ / 4;
  std::uint32_t end = first;
  do {
    own_code_[end] = rv32::decode(load(4 * end, 4));
    ++end;
  } while (rv32::goes_on(own_code_[end - 1].op) && 4 * end < code_bytes_ &&
           own_code_[end].op == Op::kUndecoded);
  rv32::join(own_code_, first, end);
}

// ---- Running ------------------------------------------------------------------------------------

/// Instructions that start before this cycle can run: either no interrupt is enabled, or mip is
/// known, which is so in cycle `start` at most, and of its timer bit before cycle `timer`.
Cycle Core::horizon(Cycle limit, Cycle start, const Interrupts& interrupts) const {
  const std::uint32_t taken = csrs_.taken();
  if (taken == 0) return limit;
  const Cycle known = start + (interrupts.pending ? 1 : 0);
  if ((taken & rv32::kExternalInterrupt) != 0) return std::min(limit, known);
  return std::min(limit, std::max(known, interrupts.timer));
}

/// run_straight(), without a tracer: by blocks as long as they end in time.
inline void Core::run_quiet(Cycle end) {
  constexpr Cycle kShort = 16;  // hardly a block ends so soon
  if (time_ + kShort <= end && !run_straight<false, true>(end)) return;
  run_straight<false, false>(end);
}

BusAccess Core::access_of(const Instruction& i) const {
  const bool store = rv32::is_store(i.op);
  return {x_[i.rs1] + static_cast<std::uint32_t>(i.imm), rv32::access_bytes(i.op), store,
          store ? x_[i.rs2] : 0};
}

inline void Core::request(const Instruction& i) {
  at_bus_ = i;
  access_ = access_of(i);
  state_ = State::kBus;
}

/// Does what run_straight() could not. False: nothing, because it needs mip, which is not known.
inline bool Core::step_aside(const std::optional<std::uint32_t>& pending) {
  if (pc_ >= code_bytes_ || !rv32::is_access(code_[pc_ / 4].op)) return step_far_aside(pending);
  request(code_[pc_ / 4]);
  return true;
}

Core::State Core::run(Cycle limit, const Interrupts& interrupts) {
  limit = std::min(limit, end_);
  if (state_ != State::kRunning || time_ >= limit) return state_;
  const std::uint32_t mip = interrupts.pending.value_or(0) & csrs_.taken();
  const Cycle start = time_;
  // Next to a NIC most runs take a few cycles, and end here.
  if (mip == 0 && tracer_ == nullptr) {
    const Cycle end = horizon(limit, start, interrupts);
    run_quiet(end);
    if (time_ >= end) return State::kRunning;
    if (!step_aside(time_ == start ? interrupts.pending : std::nullopt)) return State::kRunning;
    if (state_ != State::kRunning) return state_;
  }
  return run_on(limit, start, mip, interrupts);
}

/// The rest of a run that began in cycle `start`, in which the bits `mip` interrupt it.
Core::State Core::run_on(Cycle limit, Cycle start, std::uint32_t mip,
                         const Interrupts& interrupts) {
  if (mip != 0) {
    const bool external = (mip & rv32::kExternalInterrupt) != 0;
    trap(kInterrupt | (external ? kExternalCause : kTimerCause), 0);
  }
  while (state_ == State::kRunning) {
    const Cycle end = horizon(limit, start, interrupts);
    if (tracer_ != nullptr) {
      run_straight<true, false>(end);
    } else {
      run_quiet(end);
    }
    if (time_ >= end) break;
    if (!step_aside(time_ == start ? interrupts.pending : std::nullopt)) break;
  }
  return state_;
}

/// What step_aside() does, but for loads and stores outside RAM.
bool Core::step_far_aside(const std::optional<std::uint32_t>& pending) {
  if (!in_ram(pc_, 4)) {
    trap(kFetchFault, pc_);
    return true;
  }
  if (pc_ >= code_bytes_ || code_[pc_ / 4].op == Op::kUndecoded) {
    decode_here();
    return true;
  }
  const Instruction& i = code_[pc_ / 4];
  const std::uint32_t imm = static_cast<std::uint32_t>(i.imm);
  switch (i.op) {
    // Reported at the jump, which then neither links nor counts.
    case Op::kJalr:
      trap(kFetchMisaligned, (x_[i.rs1] + imm) & ~1u);
      return true;
    case Op::kJal:
    case Op::kBeq:
    case Op::kBne:
    case Op::kBlt:
    case Op::kBge:
    case Op::kBltu:
    case Op::kBgeu:
      trap(kFetchMisaligned, pc_ + imm);
      return true;
    case Op::kEcall:
      if (csrs_.handler() == 0 && reg(kA7) == kSystemWrite) {
        state_ = State::kWrite;
      } else {
        trap(kEcallMachine, 0);
      }
      return true;
    case Op::kEbreak:
      trap(kBreakpoint, pc_);
      return true;
    case Op::kIllegal:
      trap(kIllegalInstruction, imm);
      return true;
    case Op::kMret:
      retire(cost::kTaken, rv32::kNoRegister, 0, csrs_.leave());
      return true;
    // Also if mip ends the WFI in its own cycle: then it is woken for the next, which is the same.
    case Op::kWfi:
      retire(1, rv32::kNoRegister, 0, pc_ + 4);
      state_ = State::kAsleep;
      return true;
    case Op::kCsrrw:
    case Op::kCsrrs:
    case Op::kCsrrc:
    case Op::kCsrrwi:
    case Op::kCsrrsi:
    case Op::kCsrrci:
      return access_csr(i, pending);
    default:
      assert(false && "run_straight() executes it");
      return false;
  }
}

bool Core::access_csr(const Instruction& i, const std::optional<std::uint32_t>& pending) {
  const auto number = static_cast<std::uint32_t>(i.imm);
  if (number == rv32::kMip && !pending) return false;
  const rv32::Csrs::Now now{time_, instructions_, pending.value_or(0)};
  const std::uint32_t old = csrs_.read(number, now);
  const std::uint32_t operand = i.op >= Op::kCsrrwi ? i.rs1 : x_[i.rs1];
  switch (i.op) {
    case Op::kCsrrw:
    case Op::kCsrrwi:
      csrs_.write(number, operand, now);
      break;
    case Op::kCsrrs:
    case Op::kCsrrsi:
      if (i.rs1 != 0) csrs_.write(number, old | operand, now);
      break;
    default:
      if (i.rs1 != 0) csrs_.write(number, old & ~operand, now);
  }
  retire(1, i.rd, old, pc_ + 4);
  return true;
}

void Core::retire(int cycles, std::uint32_t rd, std::uint32_t value, std::uint32_t next) {
  x_[rd] = value;
  if (tracer_ != nullptr) {
    tracer_->retired({time_, pc_, load(pc_, 4), static_cast<int>(rd % rv32::kNoRegister), value});
  }
  pc_ = next;
  time_ += static_cast<Cycle>(cycles);
  ++instructions_;
}

void Core::trap(std::uint32_t cause, std::uint32_t value) {
  trap_ = {pc_, cause, value};
  if (tracer_ != nullptr) tracer_->trapped(time_, trap_);
  if (csrs_.handler() == 0) {
    state_ = State::kHalted;
    return;
  }
  csrs_.enter(trap_);
  state_ = State::kRunning;
  pc_ = csrs_.handler();
  time_ += cost::kTrap;
}

// ---- Outside RAM --------------------------------------------------------------------------------

void Core::finish(std::uint32_t value) {
  state_ = State::kRunning;
  retire(access_.store ? cost::kStore : cost::kLoad, at_bus_.rd, extend(at_bus_.op, value),
         pc_ + 4);
}

void Core::fault() { trap(access_.store ? kStoreFault : kLoadFault, access_.address); }

void Core::finish_write(std::uint32_t result) {
  state_ = State::kRunning;
  retire(cost::kSystemCall, kA0, result, pc_ + 4);
}

void Core::wake(Cycle at) {
  time_ = at;
  state_ = State::kRunning;
}

}  // namespace annelid::nic
