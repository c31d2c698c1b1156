// The cycles and instructions of each function.
#include "simulation/recordings/core_profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "firmware/image.hpp"

namespace annelid::simulation {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t kNop = 0x00000013, kWfi = 0x10500073;

const SourceLines kNoLines{{}};

nic::Image two_functions() {
  nic::Image image;
  image.functions = {{0, 8, "first"}, {8, 8, "second"}};
  return image;
}

TEST(CoreProfile, ChargesEachFunctionForItsInstructions) {
  const nic::Image image = two_functions();
  CoreProfile profile(image);
  CoreProfile::Node node(profile);
  node.retired({.cycle = 10, .pc = 0, .word = kNop});
  node.retired({.cycle = 13, .pc = 8, .word = kNop});
  node.retired({.cycle = 20, .pc = 4, .word = kWfi});
  node.end(100);
  EXPECT_EQ(profile.text(kNoLines),
            "percent         cycles   instructions  function\n"
            "  63.64              7              1  second\n"
            "  36.36              4              2  first\n"
            "                    11              3  all, awake\n"
            "                    79                 asleep in WFI\n");
}

TEST(CoreProfile, TakesNothingBackIfACoreIsAheadOfTheRunsEnd) {
  const nic::Image image = two_functions();
  CoreProfile profile(image);
  CoreProfile::Node node(profile);
  node.retired({.cycle = 10, .pc = 0, .word = kNop});
  node.retired({.cycle = 15, .pc = 8, .word = kNop});
  node.end(12);
  EXPECT_THAT(profile.text(kNoLines), HasSubstr("   0.00              0              1  second\n"));
  EXPECT_THAT(profile.text(kNoLines), HasSubstr("     5              2  all, awake\n"));
}

/// main (0..) calls second (8..) twice; the second time an interrupt calls a handler (16..).
std::string called_profile(ProfileBy by) {
  constexpr std::uint32_t kCall = 0x000000ef, kRet = 0x00008067, kMret = 0x30200073;
  nic::Image image;
  image.functions = {{0, 8, "main"}, {8, 8, "second"}, {16, 8, "handler"}};
  CoreProfile profile(image, by);
  CoreProfile::Node node(profile);
  node.retired({.cycle = 10, .pc = 0, .word = kCall});
  node.retired({.cycle = 13, .pc = 8, .word = kRet});
  node.retired({.cycle = 20, .pc = 4, .word = kNop});
  node.retired({.cycle = 21, .pc = 0, .word = kCall});
  node.retired({.cycle = 24, .pc = 8, .word = kNop});
  node.trapped(25, {.pc = 12, .cause = 0x8000000b, .value = 0});
  node.retired({.cycle = 28, .pc = 16, .word = kMret});
  node.retired({.cycle = 31, .pc = 12, .word = kRet});
  node.retired({.cycle = 34, .pc = 4, .word = kNop});
  node.end(35);
  return profile.text(kNoLines);
}

TEST(Profile, ByCallerChargesAFunctionToItsCaller) {
  EXPECT_EQ(called_profile(ProfileBy::kCaller),
            "percent         cycles   instructions  function  <  its caller\n"
            "  56.00             14              3  second  <  main\n"
            "  32.00              8              4  main  <  ?\n"
            "  12.00              3              1  handler  <  second\n"
            "                    25              8  all, awake\n"
            "                     0                 asleep in WFI\n");
}

TEST(Profile, FoldedHasTheWholeStack) {
  EXPECT_EQ(called_profile(ProfileBy::kFolded), "main 8\nmain;second 14\nmain;second;handler 3\n");
}

TEST(Profile, OfCallgrindHasCallsWithWhatIsBelowThem) {
  EXPECT_THAT(called_profile(ProfileBy::kCallgrind),
              ::testing::AllOf(HasSubstr("events: Cycles Instructions\nsummary: 25 8\n"),
                               HasSubstr("\nfl=?\nfn=main\nfi=?\n0 8 4\n"),
                               HasSubstr("cfn=second\ncalls=2 0\n0 17 4\n"),
                               HasSubstr("cfn=handler\ncalls=1 0\n0 3 1\n")));
}

// The linker drops many functions of the firmware, and leaves their lines at address 0.
TEST(Profile, KnowsTheLineOfEveryInstructionOfTheFirmware) {
  const std::span<const std::byte> bytes = firmware_image();
  const std::vector<std::byte> elf(bytes.begin(), bytes.end());
  const SourceLines lines(elf);
  std::size_t instructions = 0;
  for (const nic::Image::Function& f : nic::load_elf(elf).functions) {
    for (std::uint32_t pc = f.address; pc < f.address + f.bytes; pc += 4, ++instructions) {
      ASSERT_NE(lines.at(pc), "") << f.name << ", address " << pc;
    }
  }
  EXPECT_GT(instructions, 10'000u);
}

TEST(Profile, ByLineSaysWhereALineIsNotKnown) {
  EXPECT_THAT(called_profile(ProfileBy::kLine),
              HasSubstr("  56.00             14              3  ?  second\n"));
}

}  // namespace
}  // namespace annelid::simulation
