// Loads and stores: sign extension, misaligned addresses, the edge of RAM, the bus, and code that
// changes itself. Expected values are composed byte by byte.
#include <gmock/gmock.h>

#include <array>

#include "testbench/core/assemble.hpp"
#include "testbench/core/board.hpp"

namespace annelid::test {
namespace {

struct Width {
  const char* name;
  int bytes;
  bool sign;
};
constexpr Width kLoads[] = {
    {"lb", 1, true}, {"lbu", 1, false}, {"lh", 2, true}, {"lhu", 2, false}, {"lw", 4, false}};
constexpr Width kStores[] = {{"sb", 1, false}, {"sh", 2, false}, {"sw", 4, false}};

/// Little endian; a signed narrow value counts its top bit as minus two to its place.
std::uint32_t loaded(const std::uint8_t* at, const Width& width) {
  std::int64_t value = 0;
  for (int i = width.bytes - 1; i >= 0; --i) value = value * 256 + at[i];
  const std::int64_t range = std::int64_t{1} << (8 * width.bytes);
  if (width.sign && value >= range / 2) value -= range;
  return static_cast<std::uint32_t>(value);
}

TEST(CoreMemory, LoadsExtendAndReachEveryByteAddress) {
  constexpr std::array<std::uint8_t, 12> kBytes = {0x80, 0x7f, 0xff, 0x00, 0x01, 0x80,
                                                   0xfe, 0x7f, 0x80, 0x80, 0x00, 0xff};
  std::string text = "la a1, bytes\n", data = ".data\nbytes: .byte 0";
  for (const auto byte : kBytes) data += ", " + std::to_string(byte);
  std::vector<std::uint32_t> expected;
  for (const Width& width : kLoads) {
    for (int offset = 0; offset + width.bytes <= 12; ++offset) {
      text +=
          std::string(width.name) + " a0, " + std::to_string(offset + 1) + "(a1)\nsw a0, 0(s0)\n";
      expected.push_back(loaded(kBytes.data() + offset, width));
    }
  }
  EXPECT_EQ(stored_by(text + "ebreak\n" + data + "\n.text"), expected);
}

TEST(CoreMemory, StoresIntoTheStackGuardTrapAndChangeNothing) {
  const std::string guard =
      ".globl stack_guard_begin, stack_guard_end\n.equ stack_guard_begin, 0x1000\n"
      ".equ stack_guard_end, 0x2000\n";
  struct Store {
    const char* op;
    std::uint32_t address;
    bool traps;
  };
  for (const auto& [op, address, traps] :
       {Store{"sb", 0xfff, false}, Store{"sh", 0xfff, true}, Store{"sw", 0xffd, true},
        Store{"sw", 0xffc, false}, Store{"sb", 0x1000, true}, Store{"sw", 0x1ffc, true},
        Store{"sb", 0x1fff, true}, Store{"sb", 0x2000, false}, Store{"sw", 0x2000, false}}) {
    // Loads are free everywhere.
    const nic::Image image = assemble(guard + "li a0, -1\n" + li("a1", address) + op +
                                      " a0, 0(a1)\nlw a2, 0(a1)\nebreak\n");
    Board board;
    board.run(image, 100);
    ASSERT_TRUE(board.trap()) << op << address;
    EXPECT_EQ(board.trap()->cause, traps ? 7u : 3u) << op << address;
    EXPECT_TRUE(!traps || board.trap()->value == address) << op;
  }
}

TEST(CoreMemory, StoresChangeTheirBytesAndNoOthers) {
  for (const Width& width : kStores) {
    for (int offset = 0; offset <= 8; ++offset) {
      std::array<std::uint8_t, 12> bytes;
      bytes.fill(0xa5);
      constexpr std::uint8_t kValue[] = {0x11, 0x22, 0x33, 0x44};
      std::copy_n(kValue, width.bytes, bytes.begin() + offset);
      constexpr Width kWord = {"lw", 4, false};
      const std::vector<std::uint32_t> expected = {
          loaded(&bytes[0], kWord), loaded(&bytes[4], kWord), loaded(&bytes[8], kWord)};
      // Negative offsets, too: S-type immediates are split in two fields.
      const std::string text = "la a1, bytes\naddi a1, a1, 100\n" + li("a0", 0x44332211) +
                               width.name + " a0, " + std::to_string(offset - 100) + "(a1)\n" +
                               "lw a2, -100(a1)\nsw a2, 0(s0)\nlw a2, -96(a1)\nsw a2, 0(s0)\n"
                               "lw a2, -92(a1)\nsw a2, 0(s0)\nebreak\n"
                               ".data\nbytes: .fill 12, 1, 0xa5\n.text";
      EXPECT_EQ(stored_by(text), expected) << width.name << " at " << offset;
    }
  }
}

TEST(CoreMemory, TheLastWordOfRamIsRamAndOneThatSticksOutIsNot) {
  nic::Core core(assemble(li("a0", nic::kRamBytes) +
                          "lw a1, -4(a0)\nlb a1, -1(a0)\nsw a0, -4(a0)\nsb a0, -1(a0)\n"
                          "lw a1, -3(a0)\nsh a0, -1(a0)\nlb a1, 0(a0)\n"),
                 0);
  const std::array<std::pair<std::uint32_t, int>, 3> outside = {
      {{nic::kRamBytes - 3, 4}, {nic::kRamBytes - 1, 2}, {nic::kRamBytes, 1}}};
  std::uint32_t pc = 5 * 4;
  for (const auto& [address, bytes] : outside) {
    ASSERT_EQ(core.run(kManyCycles, {}), nic::Core::State::kBus);
    EXPECT_EQ(core.pc(), pc);
    EXPECT_EQ(core.access().address, address);
    EXPECT_EQ(core.access().bytes, bytes);
    core.finish(0);
    pc += 4;
  }
}

TEST(CoreMemory, AnAddressWrapsAround) {
  EXPECT_THAT(stored_by("li a0, -4\nlw a1, 8(a0)\nsw a1, 0(s0)\n"  // address 4: the first li
                        "lw a1, 4(x0)\nsw a1, 0(s0)\n"),
              testing::ElementsAre(0xffc00513u, 0xffc00513u));  // addi a0, x0, -4
}

TEST(CoreMemory, ABusLoadExtendsWhatTheBusReturns) {
  for (const Width& width : kLoads) {
    nic::Core core(assemble(li("a1", kOutside) + width.name + " a0, 5(a1)\nebreak\n"), 0);
    ASSERT_EQ(core.run(kManyCycles, {}), nic::Core::State::kBus);
    EXPECT_EQ(core.access().address, kOutside + 5);
    EXPECT_EQ(core.access().bytes, width.bytes);
    EXPECT_FALSE(core.access().store);
    constexpr std::uint8_t kBytes[] = {0x85, 0x96, 0xa7, 0xb8};
    core.finish(loaded(kBytes, {"", width.bytes, false}));
    EXPECT_EQ(static_cast<std::uint32_t>(core.reg(10)), loaded(kBytes, width)) << width.name;
    EXPECT_EQ(core.state(), nic::Core::State::kRunning);
    EXPECT_EQ(core.pc(), 8u);
  }
}

TEST(CoreMemory, ABusStoreShowsAddressWidthAndValue) {
  for (const Width& width : kStores) {
    nic::Core core(
        assemble(li("a1", kOutside) + li("a0", 0x12345678) + width.name + " a0, -1(a1)\n"), 0);
    ASSERT_EQ(core.run(kManyCycles, {}), nic::Core::State::kBus);
    EXPECT_EQ(core.access().address, kOutside - 1);
    EXPECT_EQ(core.access().bytes, width.bytes);
    EXPECT_TRUE(core.access().store);
    const std::uint32_t mask = width.bytes == 4 ? ~0u : (1u << 8 * width.bytes) - 1;
    EXPECT_EQ(core.access().value & mask, 0x12345678u & mask);
    const std::uint32_t before = core.reg(10);
    core.finish(99);
    EXPECT_EQ(core.reg(10), before);
  }
}

TEST(CoreMemory, AStoreIntoTheNextInstructionIsExecuted) {
  // Each patch turns "li a2, 1" into "li a2, 2", whose immediate is in bits 31:20. The last one is
  // a misaligned word that also gives the instruction after it another destination.
  struct Patch {
    const char* text;
    std::uint32_t result;
  };
  for (const auto& [text, result] :
       {Patch{"lw a0, 0(a4)\nsw a0, 0(a1)\n", 2}, Patch{"li a0, 0x20\nsh a0, 2(a1)\n", 2},
        Patch{"li a0, 0x20\nsb a0, 2(a1)\n", 2}, Patch{"li a0, 0x20\nsb a0, 2(a1)\nfence.i\n", 2},
        Patch{"lw a0, 2(a4)\nsw a0, 2(a1)\n", 5}}) {
    EXPECT_THAT(stored_by("la a1, 1f\nla a4, 2f\n" + std::string(text) +
                          "1: li a2, 1\naddi x0, x0, 5\nsw a2, 0(s0)\nebreak\n"
                          "2: li a2, 2\naddi a2, x0, 7\n"),
                testing::ElementsAre(result))
        << text;
  }
}

TEST(CoreMemory, AnInstructionThatRanBeforeCanBeChanged) {
  // Three rounds of one loop body, whose immediate is raised by one after each.
  EXPECT_THAT(stored_by("li a3, 3\nla a1, 1f\n1: li a2, 7\nsw a2, 0(s0)\nlw a0, 0(a1)\n"
                        "lui a4, 0x100\nadd a0, a0, a4\nsw a0, 0(a1)\naddi a3, a3, -1\n"
                        "bnez a3, 1b\n"),
              testing::ElementsAre(7u, 8u, 9u));
}

TEST(CoreMemory, AnInstructionIsChangedIntoOneThatTheNextDoesNotDependOn) {
  // The word before the ADDI writes a2, in the second round a4, and then a2 again.
  EXPECT_THAT(stored_by("li a3, 3\nla a1, 1f\nla t0, 2f\n0: li a2, 1\n1: li a2, 7\naddi a5, a2, 0\n"
                        "sw a5, 0(s0)\nlw a0, 0(a1)\nlw t1, 0(t0)\nsw a0, 0(t0)\nsw t1, 0(a1)\n"
                        "addi a3, a3, -1\nbnez a3, 0b\nebreak\n2: li a4, 7\n"),
              testing::ElementsAre(7u, 1u, 7u));
}

TEST(CoreMemory, AJumpToAnInstructionDoesNotExecuteTheOneBefore) {
  // Both operands, first by a jump, then straight on.
  EXPECT_THAT(stored_by("li a2, 1\nli a4, 10\nli a3, 2\nj 1f\n0: li a2, 2\n1: addi a5, a2, 0\n"
                        "sw a5, 0(s0)\nj 2f\n3: li a4, 20\n2: sub a5, a2, a4\nsw a5, 0(s0)\n"
                        "addi a3, a3, -1\nbeqz a3, 4f\nli a2, 5\nj 3b\n4: ebreak\n"),
              testing::ElementsAre(1u, 1u - 10, 5u - 20));
}

TEST(CoreMemory, CodeRunsAlsoWhereTheProgramHadNone) {
  EXPECT_THAT(stored_by("lui a5, 0x1f\nla a1, 1f\nlw a0, 0(a1)\nsw a0, 0(a5)\nlw a0, 4(a1)\n"
                        "sw a0, 4(a5)\njalr a5\nsw a2, 0(s0)\nebreak\n1: li a2, 42\nret\n"),
              testing::ElementsAre(42u));
}

}  // namespace
}  // namespace annelid::test
