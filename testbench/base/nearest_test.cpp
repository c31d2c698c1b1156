#include "base/nearest.hpp"

#include <gtest/gtest.h>

#include <array>

namespace annelid {
namespace {

constexpr std::array<std::string_view, 6> kKnown = {"run",     "tune",     "traffic",
                                                    "network", "timeline", "network.size"};

TEST(Nearest, FindsTheWordBehindEachKindOfMistake) {
  EXPECT_EQ(nearest("runn", kKnown), "run") << "a letter too many";
  EXPECT_EQ(nearest("trafic", kKnown), "traffic") << "a letter too few";
  EXPECT_EQ(nearest("tone", kKnown), "tune") << "another letter";
  EXPECT_EQ(nearest("newtork", kKnown), "network") << "two letters exchanged";
  EXPECT_EQ(nearest("tuen", kKnown), "tune") << "the same in a word that may have one change";
  EXPECT_EQ(nearest("rn", kKnown), "run") << "a short word";
  EXPECT_EQ(nearest("network.siez", kKnown), "network.size");
}

TEST(Nearest, FindsNothingForAWordLikeNoOther) {
  EXPECT_EQ(nearest("xyzzy", kKnown), "");
  EXPECT_EQ(nearest("r", kKnown), "");
  EXPECT_EQ(nearest("", kKnown), "");
  EXPECT_EQ(nearest("work", kKnown), "") << "three changes";
  EXPECT_EQ(nearest(std::string(100'000, 'r'), kKnown), "");
}

TEST(Nearest, TakesTheWordWithTheFewestChanges) {
  EXPECT_EQ(nearest("networks", kKnown), "network");
  EXPECT_EQ(did_you_mean("tun", kKnown), " (did you mean \"run\"?)") << "the first of two as near";
  EXPECT_EQ(did_you_mean("timelines", kKnown), " (did you mean \"timeline\"?)");
  EXPECT_EQ(did_you_mean("xyzzy", kKnown), "");
}

}  // namespace
}  // namespace annelid
