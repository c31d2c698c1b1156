// The disassembler against objdump, on random programs in user and machine mode.
#include "nic/disassemble.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <regex>
#include <set>

#include "testbench/core/assemble.hpp"
#include "testbench/core/random_program.hpp"

namespace annelid::test {
namespace {

struct Line {
  std::uint32_t pc, word;
  std::string text;
};

/// What objdump says of the program's code, without its names of targets.
std::vector<Line> objdump(const std::vector<std::byte>& elf) {
  const TemporaryFolder folder;
  const auto program = folder / "program.elf", text = folder / "text";
  std::ofstream(program, std::ios::binary)
      .write(reinterpret_cast<const char*>(elf.data()), static_cast<std::streamsize>(elf.size()));
  run_tool("( riscv64-unknown-elf-objdump -d -M no-aliases " + program.string() + " >" +
               text.string() + " )",
           folder);
  // "   10:\tfe0294e3          \tbne\tt0,zero,8 <_start+0x8>"
  const std::regex row(R"(\s*([0-9a-f]+):\t([0-9a-f]{8})\s*\t(\S+)\t?([^ #]*).*)");
  std::vector<Line> lines;
  std::ifstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::smatch m;
    if (!std::regex_match(line, m, row)) continue;
    const std::string operands = m[4];
    lines.push_back({static_cast<std::uint32_t>(std::stoul(m[1], nullptr, 16)),
                     static_cast<std::uint32_t>(std::stoul(m[2], nullptr, 16)),
                     operands.empty() ? m[3].str() : m[3].str() + " " + operands});
  }
  return lines;
}

TEST(Disassembler, SaysWhatObjdumpSays) {
  std::set<std::string> mnemonics;
  for (const auto kind : {RandomProgram::Kind::kUser, RandomProgram::Kind::kMachine}) {
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
      const auto elf = assemble_elf(RandomProgram(seed, kind).text(), "-Ttext=0 -Tdata=0x18000");
      for (const Line& line : objdump(elf)) {
        const std::string text = nic::rv32::disassemble(line.pc, line.word);
        mnemonics.insert(text.substr(0, text.find(' ')));
        if (text.starts_with(".word")) continue;  // objdump has other words for those
        ASSERT_EQ(text, line.text) << std::hex << line.pc;
      }
    }
  }
  // 57 and .word, without CSRRC and CSRRWI, which the next test has.
  EXPECT_EQ(mnemonics.size(), 56u);
}

TEST(Disassembler, NamesTheCsrsAndWhatTheRandomProgramsHaveNot) {
  const auto elf = assemble_elf(
      "csrr a0, mvendorid\ncsrr a0, marchid\ncsrr a0, mimpid\ncsrr a0, mhartid\ncsrr a0, misa\n"
      "csrr a0, mcountinhibit\ncsrr a0, mscratch\ncsrr a0, mtval\ncsrr a0, mcycleh\n"
      "csrr a0, minstreth\ncsrr a0, cycle\ncsrr a0, cycleh\ncsrr a0, instret\ncsrr a0, instreth\n"
      "csrr a0, mhpmcounter3\ncsrr a0, mhpmcounter31h\ncsrr a0, mhpmevent3\ncsrr a0, mhpmevent31\n"
      "csrwi mscratch, 9\ncsrrci a0, mtvec, 31\ncsrrc a0, mcause, t6\nfence rw, w\nfence.i\n",
      "-Ttext=0");
  const auto lines = objdump(elf);
  ASSERT_EQ(lines.size(), 23u);
  for (const Line& line : lines) EXPECT_EQ(nic::rv32::disassemble(line.pc, line.word), line.text);
}

TEST(Disassembler, ShowsWhatIsNoInstructionOfTheCoreAsAWord) {
  EXPECT_EQ(nic::rv32::disassemble(0, 0), ".word 0x00000000");
  EXPECT_EQ(nic::rv32::disassemble(0, 0x0000101b), ".word 0x0000101b") << "SLLIW";
}

}  // namespace
}  // namespace annelid::test
