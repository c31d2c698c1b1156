// The loader: what it takes, what it refuses and in which words, and the names of functions.
#include <elf.h>
#include <gmock/gmock.h>

#include <cstring>
#include <functional>
#include <stdexcept>

#include "testbench/core/assemble.hpp"

namespace annelid::test {
namespace {

using testing::HasSubstr;

std::vector<std::byte> program() {
  return assemble_elf("nop\nla a0, d\n.data\nd: .word 0x12345678\n.bss\n.space 64\n",
                      "--nmagic -Ttext=0 -Tdata=0x1000");
}

/// The message of the loader's error; fails if there is none.
std::string error_of(const std::vector<std::byte>& file) {
  try {
    nic::load_elf(file);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  ADD_FAILURE() << "the loader accepted the file";
  return "";
}

template <typename T>
T read(const std::vector<std::byte>& file, std::size_t offset) {
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

std::string error_after(const std::function<void(Elf32_Ehdr&)>& change) {
  auto file = program();
  auto header = read<Elf32_Ehdr>(file, 0);
  change(header);
  std::memcpy(file.data(), &header, sizeof header);
  return error_of(file);
}

/// Changes the first loadable segment.
std::string error_after(const std::function<void(Elf32_Phdr&)>& change) {
  auto file = program();
  const auto header = read<Elf32_Ehdr>(file, 0);
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const std::size_t at = header.e_phoff + i * sizeof(Elf32_Phdr);
    auto segment = read<Elf32_Phdr>(file, at);
    if (segment.p_type != PT_LOAD) continue;
    change(segment);
    std::memcpy(file.data() + at, &segment, sizeof segment);
    return error_of(file);
  }
  ADD_FAILURE() << "no segment to change";
  return "";
}

TEST(CoreElf, SegmentsStandAtTheirAddresses) {
  const nic::Image image = nic::load_elf(program());
  ASSERT_GE(image.ram.size(), 0x1004u);
  EXPECT_EQ(read<std::uint32_t>(image.ram, 0), 0x00000013u);  // nop
  EXPECT_EQ(read<std::uint32_t>(image.ram, 0x1000), 0x12345678u);
  EXPECT_EQ(read<std::uint32_t>(image.ram, 0x800), 0u);
  EXPECT_LE(image.ram.size(), nic::kRamBytes);
}

TEST(CoreElf, AFileThatEndsTooEarlyIsRefusedWhereverItEnds) {
  const auto file = program();
  for (std::size_t bytes = 0; bytes < file.size(); ++bytes) {
    ASSERT_THAT(error_of({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(bytes)}),
                HasSubstr("ends within"))
        << bytes;
  }
}

TEST(CoreElf, AnErrorNamesWhatWasFoundAndExpected) {
  EXPECT_THAT(error_after([](Elf32_Ehdr& h) { h.e_ident[0] = 'x'; }), HasSubstr("no ELF file"));
  EXPECT_THAT(error_after([](Elf32_Ehdr& h) { h.e_machine = EM_X86_64; }),
              testing::AllOf(HasSubstr("machine 62 and class 1 (x86-64)"),
                             HasSubstr("RISC-V: compile by annelid firmware build")));
  EXPECT_THAT(error_after([](Elf32_Ehdr& h) { h.e_ident[EI_CLASS] = ELFCLASS64; }),
              HasSubstr("32-bit"));
  EXPECT_THAT(error_after([](Elf32_Ehdr& h) { h.e_ident[EI_DATA] = ELFDATA2MSB; }),
              HasSubstr("little-endian"));
  EXPECT_THAT(
      error_after([](Elf32_Ehdr& h) { h.e_type = ET_REL; }),
      testing::AllOf(HasSubstr("type 1 (an object that is not linked)"), HasSubstr("-static")));
  EXPECT_THAT(error_after([](Elf32_Ehdr& h) { h.e_entry = 0x10000; }),
              testing::AllOf(HasSubstr("entry at 0x10000"), HasSubstr("-Wl,-Ttext=0,-e,0")));
  EXPECT_THAT(error_after([](Elf32_Ehdr& h) { h.e_phnum = 0; }), HasSubstr("segment"));
}

// Linkers set the flag for libraries that could have such code.
TEST(CoreElf, TheFlagOfCompressedCodeIsNoReasonToRefuseWhatHasNone) {
  auto file = program();
  auto header = read<Elf32_Ehdr>(file, 0);
  header.e_flags |= EF_RISCV_RVC;
  std::memcpy(file.data(), &header, sizeof header);
  EXPECT_EQ(read<std::uint32_t>(nic::load_elf(file).ram, 0), 0x00000013u);

  const auto with_flag = [](const std::string& text) {
    return assemble_elf(".option rvc\n" + text, "--nmagic -Ttext=0");
  };
  EXPECT_THAT(error_of(with_flag("nop\n")), HasSubstr("compressed instructions at address 0"));
  EXPECT_THAT(
      error_of(with_flag(".option norvc\nnop\n.option rvc\nnop\n"
                         ".type odd, @function\nodd: nop\n")),
      testing::AllOf(HasSubstr("compressed instructions around odd"), HasSubstr("-march=rv32im")));
}

/// A mangled name of `levels` tuples, each of three of the one before: its text grows by three.
std::string nested_name(int levels) {
  const std::string digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string name = "_Z1fSt5tupleIiiiE";
  for (int i = 0; i < levels; ++i) {
    const std::string last = std::string("S") + digits[static_cast<std::size_t>(i)] + "_";
    name += "S_I" + last + last + last + "E";
  }
  return name;
}

TEST(CoreElf, ANameThatStandsForMuchMoreTextStaysMangled) {
  const auto named = [](const std::string& name) {
    return assemble("nop\n.type " + name + ", @function\n" + name + ": nop\n.size " + name +
                    ", 4\n")
        .function_at(4);
  };
  EXPECT_THAT(named(nested_name(3)), testing::StartsWith("f(std::tuple<int, int, int>"));
  const std::string deep = nested_name(20);  // its text would have 10^10 characters
  EXPECT_EQ(named(deep), deep);
  const std::string wide(2000, 'w');
  EXPECT_EQ(named("_Z2000" + wide).size(), 1024u) << "cut off";
}

TEST(CoreElf, TheStackGuardIsWhatTheSymbolsSay) {
  const nic::Image none = assemble("nop\n");
  EXPECT_FALSE(none.in_guard(0));
  const nic::Image image = assemble(
      ".globl stack_guard_begin, stack_guard_end\n.equ stack_guard_begin, 0x1000\n"
      ".equ stack_guard_end, 0x2000\nnop\n");
  EXPECT_FALSE(image.in_guard(0xfff));
  EXPECT_TRUE(image.in_guard(0x1000));
  EXPECT_TRUE(image.in_guard(0x1fff));
  EXPECT_FALSE(image.in_guard(0x2000));
}

TEST(CoreElf, ASegmentOutsideRamIsRefused) {
  EXPECT_THAT(error_after([](Elf32_Phdr& s) { s.p_paddr = nic::kRamBytes - s.p_memsz + 1; }),
              testing::AllOf(HasSubstr("segment"), HasSubstr("RAM")));
  EXPECT_THAT(error_after([](Elf32_Phdr& s) { s.p_paddr = 0xfffffffe; }), HasSubstr("RAM"));
  EXPECT_THAT(error_after([](Elf32_Phdr& s) { s.p_memsz = nic::kRamBytes + 1; }), HasSubstr("RAM"));
  EXPECT_THAT(error_after([](Elf32_Phdr& s) { s.p_memsz = s.p_filesz - 1; }), HasSubstr("segment"));
  EXPECT_THAT(error_after([](Elf32_Phdr& s) { s.p_offset = 0xfffffff0; }),
              HasSubstr("ends within"));
}

TEST(CoreElf, AProgramMayFillRamToItsLastByte) {
  const nic::Image image = nic::load_elf(assemble_elf(".zero 262144\n", "--nmagic -Ttext=0"));
  EXPECT_EQ(image.ram.size(), nic::kRamBytes);
  EXPECT_THAT(error_of(assemble_elf(".zero 262148\n", "--nmagic -Ttext=0")), HasSubstr("RAM"));
}

TEST(CoreElf, AFunctionIsFoundByAnyAddressInIt) {
  const nic::Image image = assemble(
      "nop\n"
      ".type first, @function\nfirst: nop\nnop\n.size first, .-first\nnop\n"
      ".type _ZN7annelid4sendEi, @function\n_ZN7annelid4sendEi: nop\n.size _ZN7annelid4sendEi, 4\n"
      ".type f, @function\nf: nop\n.size f, 4\nlabel: nop\n");
  EXPECT_EQ(image.function_at(0), "_start") << "a global label, to the next name";
  EXPECT_EQ(image.function_at(4), "first");
  EXPECT_EQ(image.function_at(11), "first");
  EXPECT_EQ(image.function_at(12), "?");
  EXPECT_EQ(image.function_at(16), "annelid::send(int)");
  EXPECT_EQ(image.function_at(20), "f") << "not the type whose mangled name is f";
  EXPECT_EQ(image.function_at(24), "?");
  EXPECT_EQ(image.function_at(0xfffffffc), "?");
}

TEST(CoreElf, AProgramWithoutSymbolsStillRuns) {
  const nic::Image image = nic::load_elf(assemble_elf("nop\n", "--nmagic -s -Ttext=0"));
  EXPECT_TRUE(image.functions.empty());
  EXPECT_EQ(image.function_at(0), "?");
}

}  // namespace
}  // namespace annelid::test
