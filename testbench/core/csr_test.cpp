// The CSRs: which of the 4096 exist, which bits of them can be written, what the counters count.
#include <gmock/gmock.h>

#include <array>
#include <fstream>
#include <map>
#include <regex>

#include "testbench/core/assemble.hpp"

namespace annelid::test {
namespace {

using testing::ElementsAre;

/// Number and access of each CSR in the table of docs/internals/nic/core.md.
std::map<std::uint32_t, std::string> documented_csrs() {
  std::ifstream file(ANNELID_SOURCE_DIR "/docs/internals/nic/core.md");
  const std::regex row(R"(\| (`m.*|`cycle.*) \| (ro|rw) \| .*)");
  const std::regex number(R"(0x([0-9A-F]{3})(?:\.\.0x([0-9A-F]{3}))?)");
  std::map<std::uint32_t, std::string> csrs;
  for (std::string line; std::getline(file, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    const std::string names = match[1];
    for (std::sregex_iterator i(names.begin(), names.end(), number), end; i != end; ++i) {
      const auto first = std::stoul((*i)[1], nullptr, 16);
      const auto last = (*i)[2].matched ? std::stoul((*i)[2], nullptr, 16) : first;
      for (auto csr = first; csr <= last; ++csr) csrs[static_cast<std::uint32_t>(csr)] = match[2];
    }
  }
  return csrs;
}

/// Whether this word as the only instruction is legal; a core that it halts is left untouched.
bool legal(std::uint32_t word) {
  nic::Image image;
  for (int i = 0; i < 4; ++i) image.ram.push_back(static_cast<std::byte>(word >> 8 * i));
  nic::Core core(image, 0);
  if (core.run(1, {}) != nic::Core::State::kHalted) {
    EXPECT_EQ(core.instructions(), 1u);
    return true;
  }
  EXPECT_EQ(core.trap().cause, 2u);
  EXPECT_EQ(core.trap().value, word);
  return false;
}

TEST(CoreCsr, OfThe4096NumbersThoseOfTheDocumentExistAndOnlyTheirWritableOnesAreWritten) {
  const auto csrs = documented_csrs();
  EXPECT_EQ(csrs.size(), 24u + 3 * 29);
  // funct3 1, 2, 3: CSRRW, CSRRS, CSRRC; 5, 6, 7: with an immediate. x5 holds 0, but names a
  // register: set and clear with it count as writes.
  for (std::uint32_t number = 0; number < 4096; ++number) {
    const bool exists = csrs.contains(number);
    const bool writable = exists && number >> 10 != 3;
    for (const std::uint32_t rd : {0u, 7u}) {
      for (const std::uint32_t funct3 : {1u, 2u, 3u, 5u, 6u, 7u}) {
        for (const std::uint32_t source : {0u, 5u}) {
          const bool writes = funct3 % 4 == 1 || source != 0;
          const std::uint32_t word = number << 20 | source << 15 | funct3 << 12 | rd << 7 | 0x73;
          ASSERT_EQ(legal(word), writes ? writable : exists) << std::hex << word;
        }
      }
    }
  }
}

TEST(CoreCsr, WhatIsWrittenIsCutToTheBitsOfTheDocument) {
  struct Csr {
    const char* name;
    std::uint32_t reset, zeros, ones;  // what is read at the start, after writing 0, after ~0
  };
  constexpr Csr kCsrs[] = {{"mstatus", 0x1800, 0x1800, 0x1888},
                           {"misa", 0x40001100, 0x40001100, 0x40001100},
                           {"mie", 0, 0, 0x880},
                           {"mtvec", 0, 0, 0xfffffffc},
                           {"0x310", 0, 0, 0},  // mstatush
                           {"0x320", 0, 0, 0},  // mcountinhibit
                           {"mhpmevent3", 0, 0, 0},
                           {"mhpmevent31", 0, 0, 0},
                           {"mhpmcounter3", 0, 0, 0},
                           {"mhpmcounter31", 0, 0, 0},
                           {"mhpmcounter3h", 0, 0, 0},
                           {"mhpmcounter31h", 0, 0, 0},
                           {"mscratch", 0, 0, 0xffffffff},
                           {"mepc", 0, 0, 0xfffffffc},
                           {"mcause", 0, 0, 0xffffffff},
                           {"mtval", 0, 0, 0xffffffff},
                           {"mip", 0, 0, 0}};
  for (const auto& [name, reset, zeros, ones] : kCsrs) {
    const std::string csr = name;
    EXPECT_THAT(stored_by("csrr a0, " + csr + "\nsw a0, 0(s0)\nli a1, -1\ncsrw " + csr +
                          ", a1\ncsrrw a2, " + csr + ", x0\ncsrrs a3, " + csr + ", a1\ncsrrc a4, " +
                          csr + ", a1\ncsrr a5, " + csr +
                          "\nsw a2, 0(s0)\nsw a3, 0(s0)\nsw a4, 0(s0)\nsw a5, 0(s0)\n"
                          "csrw mtvec, x0"),
                ElementsAre(reset, ones, zeros, ones, zeros))
        << name;
  }
  EXPECT_THAT(stored_by("csrr a0, mvendorid\nsw a0, 0(s0)\ncsrr a0, marchid\nsw a0, 0(s0)\n"
                        "csrr a0, mimpid\nsw a0, 0(s0)\ncsrr a0, 0xf15\nsw a0, 0(s0)\n"),
              ElementsAre(0, 0, 0, 0));
}

TEST(CoreCsr, SetAndClearChangeTheBitsOfTheirOperandAlone) {
  EXPECT_THAT(stored_by("li a0, 0x0ff0\ncsrw mscratch, a0\nli a1, 0x5500\n"
                        "csrrs a2, mscratch, a1\nsw a2, 0(s0)\n"
                        "csrrc a2, mscratch, a1\nsw a2, 0(s0)\n"
                        "csrrsi a2, mscratch, 21\nsw a2, 0(s0)\n"
                        "csrrci a2, mscratch, 5\nsw a2, 0(s0)\n"
                        "csrrwi a2, mscratch, 31\nsw a2, 0(s0)\n"
                        "csrrw a1, mscratch, a1\nsw a1, 0(s0)\n"
                        "csrr a2, mscratch\nsw a2, 0(s0)\n"),
              ElementsAre(0x0ff0, 0x5ff0, 0x0af0, 0x0af5, 0x0af0, 31, 0x5500));
}

TEST(CoreCsr, CountersShowTheCycleAndTheInstructionsBeforeTheReader) {
  nic::Core core(assemble("div x0, x0, x0\n"         // cycles 0..33
                          "csrr a0, mcycle\n"        // 34
                          "csrr a1, cycle\n"         // 35
                          "csrr a2, minstret\n"      // 3 before it
                          "csrr a3, instret\n"       // 4
                          "csrrs a4, mhartid, x0\n"  //
                          "csrrc a5, mhartid, x0\n"  //
                          "csrrsi a6, mhartid, 0\n"  //
                          "csrrci a7, mhartid, 0\n"  //
                          "wfi\n"                    //
                          "csrr s2, mcycleh\ncsrr s3, cycleh\ncsrr s4, mcycle\n"
                          "csrr s5, minstreth\ncsrr s6, instreth\nebreak\n"),
                 77);
  ASSERT_EQ(core.run(kManyCycles, {}), nic::Core::State::kAsleep);
  core.wake((Cycle{5} << 32) + 9);
  ASSERT_EQ(core.run(core.time() + kManyCycles, {}), nic::Core::State::kHalted);
  EXPECT_EQ(core.trap().cause, 3u);
  EXPECT_EQ(core.reg(10), 34u);
  EXPECT_EQ(core.reg(11), 35u);
  EXPECT_EQ(core.reg(12), 3u);
  EXPECT_EQ(core.reg(13), 4u);
  for (int i = 14; i <= 17; ++i) EXPECT_EQ(core.reg(i), 77u);
  EXPECT_EQ(core.reg(18), 5u);
  EXPECT_EQ(core.reg(19), 5u);
  EXPECT_EQ(core.reg(20), 11u);  // the third after the wake in cycle 9
  EXPECT_EQ(core.reg(21), 0u);
  EXPECT_EQ(core.reg(22), 0u);
}

TEST(CoreCsr, AWrittenCycleCounterCountsOnFromTheWriter) {
  // The DIV takes the 34 cycles after the write; the shadow shows the same counter.
  EXPECT_THAT(stored_by("li a0, 1000\ncsrw mcycle, a0\ndiv x0, x0, x0\ncsrr a1, mcycle\n"
                        "csrr a2, cycle\nsw a1, 0(s0)\nsw a2, 0(s0)\n"),
              ElementsAre(1000 + 35, 1000 + 36));
  // A write of one half leaves the other, and the sum carries from the low into the high one.
  EXPECT_THAT(stored_by("li a0, 7\ncsrw mcycleh, a0\nli a0, -2\ncsrw mcycle, a0\n"
                        "csrr a1, mcycleh\ncsrr a2, mcycle\ncsrr a3, mcycleh\ncsrr a4, cycleh\n"
                        "sw a1, 0(s0)\nsw a2, 0(s0)\nsw a3, 0(s0)\nsw a4, 0(s0)\n"),
              ElementsAre(7, 0, 8, 8));
}

TEST(CoreCsr, AWrittenInstructionCounterCountsTheInstructionsAfterTheWriter) {
  EXPECT_THAT(stored_by("li a0, 500\ncsrw minstret, a0\ncsrr a1, minstret\nnop\ncsrr a2, instret\n"
                        "sw a1, 0(s0)\nsw a2, 0(s0)\n"),
              ElementsAre(500, 502));
  EXPECT_THAT(stored_by("li a0, 9\ncsrw minstreth, a0\nli a0, -1\ncsrw minstret, a0\n"
                        "csrr a1, minstreth\ncsrr a2, minstreth\ncsrr a3, instreth\n"
                        "sw a1, 0(s0)\nsw a2, 0(s0)\nsw a3, 0(s0)\n"),
              ElementsAre(9, 10, 10));
}

}  // namespace
}  // namespace annelid::test
