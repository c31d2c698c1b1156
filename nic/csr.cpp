#include "nic/csr.hpp"

namespace annelid::nic {

const char* cause_name(std::uint32_t cause) {
  switch (cause) {
    case 0:
      return "misaligned instruction address";
    case 1:
      return "instruction access fault";
    case 2:
      return "illegal instruction";
    case 3:
      return "breakpoint";
    case 5:
      return "load access fault";
    case 7:
      return "store access fault";
    case 11:
      return "environment call";
    case 0x80000007:
      return "timer interrupt";
    case 0x8000000b:
      return "external interrupt";
    default:
      return "unknown";
  }
}

}  // namespace annelid::nic

namespace annelid::nic::rv32 {
namespace {

// Numbers of the privileged specification, table "machine-level CSR addresses".
constexpr std::uint32_t kMstatus = 0x300, kMisa = 0x301, kMie = 0x304, kMtvec = 0x305,
                        kMstatush = 0x310, kMcountinhibit = 0x320, kMscratch = 0x340, kMepc = 0x341,
                        kMcause = 0x342, kMtval = 0x343, kMcycle = 0xb00, kMinstret = 0xb02,
                        kMcycleh = 0xb80, kMinstreth = 0xb82, kCycle = 0xc00, kInstret = 0xc02,
                        kCycleh = 0xc80, kInstreth = 0xc82, kMvendorid = 0xf11, kMarchid = 0xf12,
                        kMimpid = 0xf13, kMhartid = 0xf14, kMconfigptr = 0xf15;

constexpr std::uint32_t kMieBit = 1u << 3, kMpieBit = 1u << 7, kMpp = 3u << 11;
constexpr std::uint32_t kRv32im = 0x40001100;

constexpr std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::uint32_t high(std::uint64_t value) { return low(value >> 32); }
constexpr std::uint64_t with_low(std::uint64_t value, std::uint32_t half) {
  return std::uint64_t{high(value)} << 32 | half;
}
constexpr std::uint64_t with_high(std::uint64_t value, std::uint32_t half) {
  return std::uint64_t{half} << 32 | low(value);
}

/// mhpmcounter3..31, their upper halves, and mhpmevent3..31: the core counts no events of the
/// machine's choice, so they read 0 and keep nothing.
constexpr bool is_event_counter(std::uint32_t number) {
  constexpr std::uint32_t kMhpmevent = 0x320, kMhpmcounter = 0xb00, kMhpmcounterh = 0xb80;
  const std::uint32_t first = number & ~31U;
  return number % 32 >= 3 &&
         (first == kMhpmevent || first == kMhpmcounter || first == kMhpmcounterh);
}

}  // namespace

bool legal_csr(std::uint32_t number, bool writes) {
  if (is_event_counter(number)) return true;
  switch (number) {
    case kMstatus:
    case kMisa:
    case kMie:
    case kMtvec:
    case kMstatush:
    case kMcountinhibit:
    case kMscratch:
    case kMepc:
    case kMcause:
    case kMtval:
    case kMip:
    case kMcycle:
    case kMcycleh:
    case kMinstret:
    case kMinstreth:
      return true;
    case kCycle:
    case kCycleh:
    case kInstret:
    case kInstreth:
    case kMvendorid:
    case kMarchid:
    case kMimpid:
    case kMhartid:
    case kMconfigptr:
      return !writes;  // the number's bits 11:10 are 11
    default:
      return false;
  }
}

std::uint32_t Csrs::read(std::uint32_t number, const Now& now) const {
  switch (number) {
    case kMstatus:
      return kMpp | (enabled_ ? kMieBit : 0) | (enabled_before_ ? kMpieBit : 0);
    case kMisa:
      return kRv32im;
    case kMie:
      return mie_;
    case kMtvec:
      return mtvec_;
    case kMscratch:
      return mscratch_;
    case kMepc:
      return mepc_;
    case kMcause:
      return mcause_;
    case kMtval:
      return mtval_;
    case kMip:
      return now.mip;
    case kMcycle:
    case kCycle:
      return low(now.cycle + cycle_offset_);
    case kMcycleh:
    case kCycleh:
      return high(now.cycle + cycle_offset_);
    case kMinstret:
    case kInstret:
      return low(now.instructions + instruction_offset_);
    case kMinstreth:
    case kInstreth:
      return high(now.instructions + instruction_offset_);
    case kMhartid:
      return hart_;
    default:
      return 0;
  }
}

void Csrs::write(std::uint32_t number, std::uint32_t value, const Now& now) {
  const std::uint64_t cycle = now.cycle + cycle_offset_;
  const std::uint64_t instructions = now.instructions + instruction_offset_;
  // The writing instruction retires, but is not counted.
  const std::uint64_t retired = now.instructions + 1;
  switch (number) {
    case kMstatus:
      enabled_ = (value & kMieBit) != 0;
      enabled_before_ = (value & kMpieBit) != 0;
      break;
    case kMie:
      mie_ = value & (kExternalInterrupt | kTimerInterrupt);
      break;
    case kMtvec:
      mtvec_ = value & ~3u;
      break;
    case kMscratch:
      mscratch_ = value;
      break;
    case kMepc:
      mepc_ = value & ~3u;
      break;
    case kMcause:
      mcause_ = value;
      break;
    case kMtval:
      mtval_ = value;
      break;
    case kMcycle:
      cycle_offset_ = with_low(cycle, value) - now.cycle;
      break;
    case kMcycleh:
      cycle_offset_ = with_high(cycle, value) - now.cycle;
      break;
    case kMinstret:
      instruction_offset_ = with_low(instructions, value) - retired;
      break;
    case kMinstreth:
      instruction_offset_ = with_high(instructions, value) - retired;
      break;
    default:
      break;
  }
}

void Csrs::enter(const Trap& trap) {
  mepc_ = trap.pc;
  mcause_ = trap.cause;
  mtval_ = trap.value;
  enabled_before_ = enabled_;
  enabled_ = false;
}

std::uint32_t Csrs::leave() {
  enabled_ = enabled_before_;
  enabled_before_ = true;
  return mepc_;
}

}  // namespace annelid::nic::rv32
