// The cycles and instructions of each function.
#include "simulation/program/core_profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace annelid::simulation {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t kNop = 0x00000013, kWfi = 0x10500073;

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
  EXPECT_EQ(profile.table(),
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
  EXPECT_THAT(profile.table(), HasSubstr("   0.00              0              1  second\n"));
  EXPECT_THAT(profile.table(), HasSubstr("     5              2  all, awake\n"));
}

}  // namespace
}  // namespace annelid::simulation
