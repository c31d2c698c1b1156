#include "base/parse_number.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace annelid {
namespace {

TEST(ParseNumber, TakesWhatIsWhollyANumber) {
  EXPECT_EQ(parse_number<int>("-12"), -12);
  EXPECT_EQ(parse_number<std::uint64_t>("18446744073709551615"), 18446744073709551615u);
  EXPECT_EQ(parse_number<double>("2.5e3"), 2500);
  EXPECT_EQ(parse_number<std::uint32_t>("ff", 16), 255u);
}

TEST(ParseNumber, RefusesEverythingElse) {
  for (const char* text :
       {"", " 1", "1 ", "+1", "1x", "0x1", "-1", "1.5", "18446744073709551616"}) {
    EXPECT_EQ(parse_number<std::uint64_t>(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_number<double>("1.5.2"), std::nullopt);
  EXPECT_EQ(parse_number<double>("1e999"), std::nullopt);
  EXPECT_EQ(parse_number<std::uint32_t>("fg", 16), std::nullopt);
}

}  // namespace
}  // namespace annelid
