// What stops the core: cause, pc and value as the privileged specification has them in mcause, mepc
// and mtval, and nothing of the trapping instruction done.
#include <gmock/gmock.h>

#include <set>

#include "testbench/core/assemble.hpp"

namespace annelid::test {
namespace {

std::string word(std::uint32_t bits) { return ".word " + std::to_string(bits) + "\n"; }

/// Runs to the trap; the core must stand still there.
nic::Trap trap_of(nic::Core& core) {
  EXPECT_EQ(core.run(kManyCycles, {}), nic::Core::State::kHalted);
  const Cycle time = core.time();
  const auto instructions = core.instructions();
  EXPECT_EQ(core.run(kManyCycles, {}), nic::Core::State::kHalted);
  EXPECT_EQ(core.time(), time);
  EXPECT_EQ(core.instructions(), instructions);
  return core.trap();
}

void expect_illegal(std::uint32_t bits) {
  nic::Core core(assemble("nop\n" + word(bits)), 0);
  const nic::Trap trap = trap_of(core);
  EXPECT_EQ(trap.cause, 2u) << std::hex << bits;
  EXPECT_EQ(trap.pc, 4u);
  EXPECT_EQ(trap.value, bits) << "mtval holds the instruction";
  EXPECT_EQ(core.time(), 1u);
  EXPECT_EQ(core.instructions(), 1u);
}

TEST(CoreTraps, AnUnknownInstructionIsIllegal) {
  for (const std::uint32_t bits : {
           0x00000000u, 0xffffffffu,
           0x00000001u,                            // a compressed nop
           0x00003003u, 0x00006003u, 0x00007003u,  // LD, LWU, funct3 7
           0x00003023u, 0x00004023u,               // SD, funct3 4
           0x00002063u, 0x00003063u,               // branches 2 and 3
           0x00001067u,                            // JALR with funct3 1
           0x0000200fu,                            // MISC-MEM 2
           0x0000101bu, 0x0000003bu,               // SLLIW, ADDW
           0x1000202fu, 0x00002007u, 0x00000053u,  // LR.W, FLW, FADD.S
           0x30200173u, 0x10200073u, 0x00200073u,  // MRET with rd, SRET, URET
           0x00000173u, 0x00008073u, 0x00108073u,  // ECALL with rd, with rs1; EBREAK with rs1
           0x10500173u, 0x10501073u,               // WFI with rd; as CSRRW
           0x00004073u,                            // SYSTEM 4
       }) {
    expect_illegal(bits);
  }
}

TEST(CoreTraps, OfTheRegisterAndShiftEncodingsOnlyThoseOfRv32imExist) {
  // Exhaustive over funct7 and funct3: ten base instructions and eight of the M extension.
  std::set<std::pair<int, int>> op, op_imm;  // funct7, funct3
  for (int funct3 = 0; funct3 < 8; ++funct3) op.insert({{0x00, funct3}, {0x01, funct3}});
  op.insert({{0x20, 0}, {0x20, 5}});
  op_imm.insert({{0x00, 1}, {0x00, 5}, {0x20, 5}});
  int legal = 0;
  for (int funct7 = 0; funct7 < 128; ++funct7) {
    for (int funct3 = 0; funct3 < 8; ++funct3) {
      for (const std::uint32_t opcode : {0x33u, 0x13u}) {
        if (opcode == 0x13 && funct3 != 1 && funct3 != 5) continue;  // no funct7
        const std::uint32_t bits = static_cast<std::uint32_t>(funct7) << 25 |
                                   static_cast<std::uint32_t>(funct3) << 12 | opcode;
        nic::Image image;
        for (int i = 0; i < 4; ++i) image.ram.push_back(static_cast<std::byte>(bits >> 8 * i));
        nic::Core core(image, 0);
        core.run(1, {});
        const bool exists = (opcode == 0x33 ? op : op_imm).contains({funct7, funct3});
        EXPECT_EQ(core.state() == nic::Core::State::kHalted, !exists) << std::hex << bits;
        legal += exists ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(legal, 18 + 3);
}

TEST(CoreTraps, EcallIsElevenAndEbreakIsThree) {
  nic::Core call(assemble("nop\necall\n"), 0);
  EXPECT_EQ(trap_of(call).cause, 11u);
  EXPECT_EQ(call.trap().pc, 4u);
  EXPECT_EQ(call.instructions(), 1u);
  nic::Core stop(assemble("nop\nnop\nebreak\n"), 0);
  EXPECT_EQ(trap_of(stop).cause, 3u);
  EXPECT_EQ(stop.trap().pc, 8u);
  EXPECT_EQ(stop.time(), 2u);
}

TEST(CoreTraps, AJumpToHalfAnInstructionTrapsAtTheJump) {
  // "The exception is reported on the branch or jump instruction" (unprivileged ISA, 2.5), which
  // then neither links nor counts.
  struct Jump {
    std::string text;
    std::uint32_t target;
  };
  for (const auto& [jump, target] : {Jump{word(0x0060056f), 14},  // jal a0, .+6
                                     Jump{word(0x00000363), 14},  // beq x0, x0, .+6
                                     Jump{"jalr a0, 6(a1)", 6}, Jump{"jalr a0, 7(a1)", 6}}) {
    nic::Core core(assemble("li a1, 0\nli a0, 5\n" + jump), 0);
    const nic::Trap trap = trap_of(core);
    EXPECT_EQ(trap.cause, 0u) << jump;
    EXPECT_EQ(trap.pc, 8u) << jump;
    EXPECT_EQ(trap.value, target) << jump;
    EXPECT_EQ(core.reg(10), 5u) << jump;
    EXPECT_EQ(core.instructions(), 2u) << jump;
    EXPECT_EQ(core.time(), 2u) << jump;
  }
}

TEST(CoreTraps, ABranchToHalfAnInstructionDoesNoHarmIfItIsNotTaken) {
  nic::Core core(assemble("nop\n" + word(0x00001363) + "ebreak\n"), 0);  // bne x0, x0, .+6
  EXPECT_EQ(trap_of(core).cause, 3u);
}

TEST(CoreTraps, AFetchOutsideRamTrapsAtItsTarget) {
  for (const std::uint32_t target : {nic::kRamBytes, 0x40000000u, kOutside, 0xfffffffcu}) {
    nic::Core core(assemble(li("a1", target) + "jalr a0, 0(a1)\n"), 0);
    const nic::Trap trap = trap_of(core);
    EXPECT_EQ(trap.cause, 1u);
    EXPECT_EQ(trap.pc, target);
    EXPECT_EQ(trap.value, target);
    EXPECT_EQ(core.reg(10), 8u) << "the jump itself was good";
    EXPECT_EQ(core.time(), 1u + 3u);
  }
}

TEST(CoreTraps, RunningOffTheEndOfRamIsAFetchFault) {
  nic::Core core(assemble(li("a1", nic::kRamBytes - 4) + "la a2, 1f\nlw a2, 0(a2)\nsw a2, 0(a1)\n"
                                                         "jr a1\n1: nop\n"),
                 0);
  const nic::Trap trap = trap_of(core);
  EXPECT_EQ(trap.cause, 1u);
  EXPECT_EQ(trap.pc, nic::kRamBytes);
}

TEST(CoreTraps, ABusFaultIsFiveForALoadAndSevenForAStore) {
  for (const bool store : {false, true}) {
    nic::Core core(assemble(li("a1", 0x20000000) + (store ? "sw a0, 12(a1)\n" : "lw a0, 12(a1)\n")),
                   0);
    ASSERT_EQ(core.run(kManyCycles, {}), nic::Core::State::kBus);
    core.fault();
    const nic::Trap trap = trap_of(core);
    EXPECT_EQ(trap.cause, store ? 7u : 5u);
    EXPECT_EQ(trap.pc, 4u);
    EXPECT_EQ(trap.value, 0x2000000cu);
    EXPECT_EQ(core.time(), 1u);
    EXPECT_EQ(core.instructions(), 1u);
  }
}

}  // namespace
}  // namespace annelid::test
