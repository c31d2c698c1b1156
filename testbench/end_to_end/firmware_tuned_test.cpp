// Programs for the nodes that choose the algorithms of their operations: on the core and natively,
// and what choosing adds to a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>

#include "testbench/end_to_end/kit_programs.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::HasSubstr;

std::string built_natively(const Workplace& w, const std::string& source,
                           const std::string& options = "") {
  const std::string program = w.path("built.so").string();
  const Outcome o = w.annelid("firmware build --native " + source + " -o " + program + options);
  EXPECT_EQ(o.status, 0) << o.err;
  return program;
}

/// A program, and what of its file is loaded into the core's RAM: its first segment.
std::uint32_t bytes_of(const Workplace& w, const std::string& statements,
                       const std::string& options = "") {
  const std::string elf = built(w, w.file("one.c", "#include <ccl.h>\n" + statements), options);
  std::ifstream file(elf, std::ios::binary);
  const auto word_at = [&](std::uint32_t offset) {
    std::uint32_t word = 0;
    file.seekg(offset);
    file.read(reinterpret_cast<char*>(&word), sizeof word);
    return word;
  };
  constexpr std::uint32_t kProgramHeaders = 28, kFileBytes = 16;
  return word_at(word_at(kProgramHeaders) + kFileBytes);
}

// ---- Choices ------------------------------------------------------------------------------------

TEST(FirmwareTuned, OperationsOfCclTakeTheAlgorithmThatIsChosen) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "ccl_tuned.c");
  for (const char* run : {"1", "3x2 -- 2", "4x4", "4x2 --topology torus --develop"}) {
    const Outcome o = w.annelid("firmware run " + elf + " --quiet --size " + run);
    EXPECT_EQ(o.status, 0) << run << "\n" << o.out << o.err;
  }
}

TEST(FirmwareTuned, OperationsOfInterComToo) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "intercom_lengths.c");
  for (const char* run : {"2", "3x3", "4x4", "5x2 --eager-bytes 0"}) {
    const Outcome o = w.annelid("firmware run " + elf + " --quiet --size " + run);
    EXPECT_EQ(o.status, 0) << run << "\n" << o.out << o.err;
  }
}

TEST(FirmwareTuned, NativelyToo) {
  const Workplace w;
  for (const char* name : {"ccl_tuned.c", "intercom_lengths.c"}) {
    const std::string program = built_natively(w, kPrograms + name);
    for (const char* run : {"3x2", "4x4"}) {
      const Outcome o = w.annelid("firmware run --native " + program + " --quiet --size " + run);
      EXPECT_EQ(o.status, 0) << name << ' ' << run << "\n" << o.out << o.err;
    }
  }
}

TEST(FirmwareTuned, AutoServesEveryOperationOnEachGroup) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "ccl_operations.c", " --auto");
  for (const char* run : {"1 -- 1 1", "4x4 -- 3 2", "5x3 -- 2 6", "4x4 --topology torus -- 1 3"}) {
    const Outcome o = w.annelid("firmware run " + elf + " --quiet --size " + run);
    EXPECT_EQ(o.status, 0) << run << "\n" << o.out << o.err;
  }
  const std::string prepared = built(w, kPrograms + "ccl_prepared.c", " --auto");
  for (const char* run : {"1", "3x2 -- 2", "4x4"}) {
    const Outcome o = w.annelid("firmware run " + prepared + " --quiet --size " + run);
    EXPECT_EQ(o.status, 0) << run << "\n" << o.out << o.err;
  }
}

TEST(FirmwareTuned, AutoServesThemNativelyToo) {
  const Workplace w;
  const std::string program = built_natively(w, kPrograms + "ccl_operations.c", " --auto");
  for (const char* run : {"4x4 -- 3 2", "5x3 -- 2 6"}) {
    const Outcome o = w.annelid("firmware run --native " + program + " --quiet --size " + run);
    EXPECT_EQ(o.status, 0) << run << "\n" << o.out << o.err;
  }
}

TEST(FirmwareTuned, DevelopModeFindsChoicesThatDiffer) {
  const Workplace w;
  const std::string elf = built_text(w, "differ.c", R"(
#include <ccl.h>
NIC_USES(ALL_TO_ALL, RADIX)
NIC_MEMORY static unsigned out[4], in[4];
int main(void) {
  const struct nic_choice mine = nic_by_radix(mypid == 2 ? 3 : 2);
  nic_tune_next(&mine);
  return index(ALL, out, in, sizeof *out) == NIC_BAD_ARGUMENT ? 0 : 1;
}
)");
  const Outcome o = w.annelid("firmware run " + elf + " --quiet --size 2x2 --develop");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_THAT(o.err, HasSubstr("0,0: ccl: the members do not agree about their call of index\n"
                               "0,0: ccl:   checksum of the choice "));
}

// ---- What it costs a program --------------------------------------------------------------------

TEST(FirmwareTuned, AProgramHasWhatItNames) {
  const Workplace w;
  const std::string call =
      "static unsigned word;\nint main(void) { return bcast(ALL, 0, &word, sizeof word); }\n";
  const auto plain = bytes_of(w, call);
  const auto named = bytes_of(w, "NIC_USES(BROADCAST, AUTO)\n" + call);
  const auto all = bytes_of(w, call, " --auto");
  EXPECT_LT(plain + 10000, named) << "the algorithms of the tables";
  // Where code lies decides how many bytes a few of its addresses take. The smallest algorithm
  // takes some hundreds.
  EXPECT_NEAR(named, all, 64) << "those of the operations that it calls, and no others";
  const auto none = bytes_of(w, "int main(void) { return 0; }\n", " --auto");
  EXPECT_EQ(none, bytes_of(w, "int main(void) { return 0; }\n"));
}

TEST(FirmwareTuned, ABufferInRamIsCopiedInFourFifthsOfACyclePerByte) {
  const Workplace w;
  const std::string elf = built_text(w, "copy.c", R"(
#include <ccl.h>
#include <stdio.h>
enum { kBytes = 65536 };
static unsigned char in_ram[kBytes + 4];
int main(void) {
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned long long begin = nic_cycle();
    const int result = bcast(ALL, 0, in_ram + i, kBytes);
    if (result != 0) return result;
    printf("%u\n", (unsigned)(nic_cycle() - begin));
  }
  return 0;
}
)");
  const Outcome o = w.annelid("firmware run " + elf + " --quiet --size 1");
  EXPECT_EQ(o.status, 0) << o.err;
  for (const std::string& line : lines_of(o.out)) {
    // Where words cross those of RAM, each load takes a cycle more.
    const bool aligned = line == lines_of(o.out).front();
    EXPECT_LE(std::stoul(line.substr(line.find(": ") + 2)), 65536 * (aligned ? 0.8 : 1.05) + 6000);
  }
}

TEST(FirmwareTuned, FirmwareOfOnesOwnHasAutoAsItIs) {
  const Workplace w;
  const Outcome o = w.annelid("firmware build --auto --table x.inc x.cpp");
  EXPECT_EQ(o.status, 2);
  EXPECT_THAT(o.err, HasSubstr("--auto: found the option beside --table"));
}

}  // namespace
}  // namespace annelid::end_to_end
