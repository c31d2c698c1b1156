#include "testbench/core/qemu_trace.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "testbench/core/assemble.hpp"

namespace annelid::test {
namespace {

// " x4/tp    00000000 x5/t0 ...": names end at their slash, the values are hexadecimal.
void parse_registers(const std::string& line, QemuStep& step, int& seen) {
  std::istringstream in(line);
  std::string name;
  std::uint32_t value = 0;
  while (in >> name >> std::hex >> value) {
    const int reg = std::stoi(name.substr(1, name.find('/') - 1));
    if (name[0] != 'x' || reg != seen++) throw std::runtime_error("QEMU's log: " + line);
    step.x.at(static_cast<std::size_t>(reg)) = value;
  }
}

}  // namespace

std::vector<QemuStep> qemu_trace(const std::vector<std::byte>& elf, std::size_t most) {
  const TemporaryFolder folder;
  const auto program = folder / "program.elf", log = folder / "log";
  std::ofstream(program, std::ios::binary)
      .write(reinterpret_cast<const char*>(elf.data()), static_cast<std::streamsize>(elf.size()));
  run_tool("chmod +x " + program.string(), folder);
  // The log goes through a pipe, whose end ends QEMU; the program's own output is dropped.
  run_tool("( qemu-riscv32 -singlestep -d cpu,nochain -D /dev/fd/3 " + program.string() +
               " 3>&1 >" + (folder / "written").string() + " | awk '/^ pc / && ++n > " +
               std::to_string(most) + " { exit } { print }' >" + log.string() + " )",
           folder);

  std::vector<QemuStep> trace;
  int seen = 32;
  std::ifstream in(log);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(" pc ")) {
      if (seen != 32) throw std::runtime_error("QEMU's log: a step of too few registers");
      seen = 0;
      trace.emplace_back().pc = static_cast<std::uint32_t>(std::stoul(line.substr(4), nullptr, 16));
    } else if (line.starts_with(" x") && !trace.empty()) {
      parse_registers(line, trace.back(), seen);
    }
  }
  if (trace.empty() || seen != 32) throw std::runtime_error("QEMU's log is empty or cut off");
  return trace;
}

}  // namespace annelid::test
