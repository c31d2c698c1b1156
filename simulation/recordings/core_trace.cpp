#include "simulation/recordings/core_trace.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "nic/disassemble.hpp"

namespace annelid::simulation {

CoreTrace::CoreTrace(std::ostream& out, const CoreProgram& program) : out_(out), program_(program) {
  out_ << "#    cycle node        pc function                     instruction              result"
          "          source\n";
}

void CoreTrace::write(Cycle cycle, const std::string& node, std::uint32_t pc,
                      const std::string& what, const std::string& result) {
  std::string line =
      fmt::format("{:>10} {:<5} {:08x} {:<28} {:<24} {:<15} {}", cycle, node, pc,
                  place_in(program_.image, pc), what, result, program_.lines().at(pc));
  line.erase(line.find_last_not_of(' ') + 1);
  out_ << one_line(line) << '\n';  // the names are an ELF file's
}

void CoreTrace::retired(const std::string& node, const nic::Retired& i) {
  write(i.cycle, node, i.pc, nic::rv32::disassemble(i.pc, i.word),
        i.rd == 0 ? "" : fmt::format("{}={:#010x}", nic::rv32::register_name(i.rd), i.value));
}

void CoreTrace::trapped(const std::string& node, Cycle cycle, const nic::Trap& trap) {
  write(cycle, node, trap.pc, fmt::format("-- {}", nic::cause_name(trap.cause)),
        trap.value == 0 ? "" : fmt::format("mtval={:#010x}", trap.value));
}

}  // namespace annelid::simulation
