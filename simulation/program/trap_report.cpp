#include "simulation/program/trap_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nic/disassemble.hpp"

namespace annelid::simulation {
namespace {

constexpr std::size_t kCallersShown = 16;
constexpr std::uint32_t kIllegal = 2, kStoreFault = 7;

/// What the cause alone does not say; "" if it says all.
std::string more_about(const nic::Image& image, const nic::Trap& trap) {
  if (trap.cause == kStoreFault && image.in_guard(trap.value)) {
    return fmt::format(
        ": stack overflow: a write below the stack's limit, {:#x}, which only a stack that has "
        "grown too far does",
        image.guard_end);
  }
  if (trap.cause == kIllegal && (trap.value & 3U) != 3) {
    return ": compressed or no code; compile with -march=rv32im";
  }
  return "";
}

}  // namespace

std::string describe_trap(const CoreProgram& program, const nic::Trap& trap) {
  return fmt::format("{} (mcause {}, mtval {:#x}) at {}{}", nic::cause_name(trap.cause), trap.cause,
                     trap.value, describe_place(program, trap.pc), more_about(program.image, trap));
}

std::string describe_core(const CoreProgram& program, const nic::Core& core, std::uint32_t pc) {
  std::string text = "\n  registers";
  for (int i = 1; i < 32; ++i) {
    if (i % 4 == 1) text += "\n   ";
    text += fmt::format(" {:>4} {:08x}", nic::rv32::register_name(i), core.reg(i));
  }
  const CallFrames::Trace trace = program.frames().unwind(core, pc);
  text += "\n  callers";
  for (std::size_t i = 1; i < std::min(trace.pcs.size(), kCallersShown + 1); ++i) {
    text += "\n    " + describe_place(program, trace.pcs[i]);
  }
  if (trace.pcs.size() > kCallersShown + 1) text += "\n    and more";
  if (trace.pcs.size() == 1 && !trace.complete) {
    text += fmt::format(
        "\n    not known, as there is no frame information here (compile with -g); "
        "ra points to {}",
        describe_place(program, core.reg(1)));
  } else if (trace.pcs.size() == 1) {
    text += "\n    none";
  }
  return text;
}

}  // namespace annelid::simulation
