#include "firmware/platform/topology.hpp"

#include <gtest/gtest.h>

namespace annelid::firmware {
namespace {

TEST(Divisor, IsExactForEveryDivisorWhereTheQuotientChanges) {
  for (std::uint32_t d = 1; d <= 256; ++d) {
    const Divisor divisor(d);
    for (std::uint32_t n = 0; n < 1U << 24; n += d) {
      ASSERT_EQ(divisor.quotient(n), n / d) << n << " / " << d;
      const std::uint32_t below = n == 0 ? 0 : n - 1;
      ASSERT_EQ(divisor.quotient(below), below / d) << below << " / " << d;
    }
    ASSERT_EQ(divisor.quotient((1U << 24) - 1), ((1U << 24) - 1) / d) << d;
  }
}

TEST(Topology, NumbersNodesWithXFirst) {
  for (const Size size : {Size{1, 1, 1}, Size{5, 1, 1}, Size{1, 7, 1}, Size{8, 4, 1}, Size{3, 4, 5},
                          Size{1, 1, 9}, Size{256, 2, 256}, Size{255, 256, 3}}) {
    const Topology network({}, size);
    std::uint32_t pid = 0;
    for (int z = 0; z < size.z; ++z) {
      for (int y = 0; y < size.y; ++y) {
        for (int x = 0; x < size.x; ++x, ++pid) {
          const Address a{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y),
                          static_cast<std::uint8_t>(z)};
          ASSERT_EQ(network.pid(a), pid);
          ASSERT_EQ(network.address(pid), a);
          ASSERT_EQ(Topology(a, size).pid(), pid);
        }
      }
    }
    EXPECT_EQ(network.nodes(), pid);
  }
}

}  // namespace
}  // namespace annelid::firmware
