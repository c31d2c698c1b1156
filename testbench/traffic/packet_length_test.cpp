#include "traffic/packet_length.hpp"

#include <gtest/gtest.h>

#include <map>

#include "systemc/network/config.hpp"

namespace annelid::traffic {
namespace {

std::map<std::uint32_t, double> drawn(const PacketLength& length) {
  Random random(3);
  std::map<std::uint32_t, double> share;
  for (int i = 0; i < 20000; ++i) share[length.draw(random)] += 1.0 / 20000;
  return share;
}

TEST(PacketLength, AFixedOneIsAlwaysTheSame) {
  const PacketLength length("8");
  EXPECT_EQ(length.mean(), 8);
  EXPECT_EQ(drawn(length).size(), 1u);
}

TEST(PacketLength, ARangeIsDrawnEqually) {
  const PacketLength length("2..5");
  EXPECT_DOUBLE_EQ(length.mean(), 3.5);
  const auto share = drawn(length);
  EXPECT_EQ(share.size(), 4u);
  for (const auto& [flits, s] : share) EXPECT_NEAR(s, 0.25, 0.015) << flits;
}

TEST(PacketLength, AListIsDrawnEqually) {
  const PacketLength length("1,4,9");
  EXPECT_NEAR(length.mean(), 14 / 3.0, 1e-12);
  EXPECT_EQ(drawn(length).size(), 3u);
}

TEST(PacketLength, WeightsNeedNotAddUpToOne) {
  const PacketLength length("1:4,9:1");
  EXPECT_NEAR(length.mean(), 0.8 + 1.8, 1e-12);
  const auto share = drawn(length);
  EXPECT_NEAR(share.at(1), 0.8, 0.015);
  EXPECT_NEAR(share.at(9), 0.2, 0.015);
}

TEST(PacketLength, NonsenseIsRefused) {
  int refused = 0;
  for (const char* text :
       {"", "0", "x", "-1", "65536", "5..2", "1..", "1:0", "1:x", "1,,2", "1:-3"}) {
    EXPECT_THROW(PacketLength length{text}, systemc::ConfigError) << text;
    ++refused;
  }
  EXPECT_EQ(refused, 11);
}

}  // namespace
}  // namespace annelid::traffic
