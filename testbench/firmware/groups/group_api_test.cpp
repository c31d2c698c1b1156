// Groups and the sort of partition(), as schedules use them.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "firmware/communication/sort.hpp"
#include "firmware/platform/group.hpp"
#include "testbench/firmware/support/fake_node.hpp"
#include "testbench/firmware/support/plan_check.hpp"

namespace annelid::firmware {
namespace {

TEST(GroupApi, KnowsRanksAndProcessesBothWays) {
  FakeNode fake;
  const Group all = Group::all(fake.node.topology(), fake.node.memory());
  EXPECT_EQ(all.rank(), 17U);
  EXPECT_EQ(all.rank_of(31), 31U);
  EXPECT_EQ(all.rank_of(32), Group::kNotAMember);
  EXPECT_EQ(all.address(10), at(2, 1));
  const std::uint32_t members[] = {5, 17, 2};
  fake.bus.put(64, members, sizeof members);
  const Group listed =
      Group::listed(fake.node.topology(), fake.node.memory(), {3, 5}, 42, 3, 1, 64);
  EXPECT_EQ(listed.pid(0), 5U);
  EXPECT_EQ(listed.pid(2), 2U);
  EXPECT_EQ(listed.address(1), at(1, 2));
  EXPECT_EQ(listed.rank_of(2), 2U);
  EXPECT_EQ(listed.rank_of(3), Group::kNotAMember);
  EXPECT_EQ(listed.label(), 42U);
  EXPECT_EQ(listed.id(), (Pgid{3, 5}));
  EXPECT_NE(listed.id(), all.id());
}

TEST(GroupApi, SortOrdersAnyWords) {
  FakeNode fake;
  std::mt19937 random(3);
  for (std::uint32_t n = 0; n < 70; ++n) {
    std::vector<std::uint32_t> words(n);
    for (auto& w : words) w = static_cast<std::uint32_t>(random());
    if (n % 5 == 0) std::sort(words.begin(), words.end());
    if (n > 0) fake.bus.put(400, words.data(), 4 * n);
    sort(fake.node.memory(), 400, n, [](std::uint32_t a, std::uint32_t b) { return a < b; });
    std::sort(words.begin(), words.end());
    for (std::uint32_t i = 0; i < n; ++i) {
      ASSERT_EQ(fake.bus.get<std::uint32_t>(400 + 4 * i), words[i]);
    }
  }
}

}  // namespace
}  // namespace annelid::firmware
