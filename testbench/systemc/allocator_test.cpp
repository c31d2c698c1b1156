// The allocator, without a router around it.
#include "systemc/kernel/allocator.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <set>

#include "base/random.hpp"

namespace annelid::systemc {
namespace {

using Space = SlotSpace<8, 2>;  // 8 ports of up to 4 VCs
using Target = std::array<Slot, Space::kSlots>;

/// Grants with arbiters of a fixed order: the highest VC, the lowest input.
Grants<Space> granted(Space::Mask requests, const Target& target) {
  Grants<Space> grants;
  SeparableAllocator::grant<Space>(
      requests, target,
      [](Port, unsigned vcs) { return static_cast<unsigned>(std::bit_width(vcs)) - 1; },
      [](Port, unsigned inputs) { return static_cast<unsigned>(std::countr_zero(inputs)); },
      grants);
  return grants;
}

TEST(SeparableAllocator, GrantsNothingWithoutARequest) {
  EXPECT_EQ(granted(0, Target{}).outputs, 0u);
}

TEST(SeparableAllocator, PicksOneVcOfEachInputAndThenOneInputOfEachOutput) {
  Target target{};
  const Slot a = Space::slot_of(1, 0), b = Space::slot_of(1, 3), c = Space::slot_of(2, 1);
  target[a] = Space::slot_of(5, 0);
  target[b] = Space::slot_of(6, 1);
  target[c] = Space::slot_of(6, 2);
  const Grants<Space> grants = granted(Space::bit(a) | Space::bit(b) | Space::bit(c), target);
  EXPECT_EQ(grants.outputs, 1u << 6) << "input 1 asks for output 6 alone, and output 5 stays idle";
  EXPECT_EQ(grants.from[6], b);
  EXPECT_EQ(grants.to[6], target[b]);
  EXPECT_EQ(grants.inputs(), Space::bit(b));
}

TEST(SeparableAllocator, GrantsEachInputAndEachOutputOnceAndAllThatDoNotCompete) {
  Random random(1);
  int grants_seen = 0, lost = 0;
  for (int n = 0; n < 20000; ++n) {
    Space::Mask requests = 0;
    Target target{};
    std::array<int, 8> of_input{}, for_output{};
    for (unsigned slot = 0; slot < Space::kSlots; ++slot) {
      if (random.below(6) != 0) continue;
      requests |= Space::bit(slot);
      target[slot] = Space::slot_of(static_cast<unsigned>(random.below(8)),
                                    static_cast<unsigned>(random.below(4)));
      ++of_input[Space::port_of(static_cast<Slot>(slot))];
      ++for_output[Space::port_of(target[slot])];
    }
    const Grants<Space> grants = granted(requests, target);
    std::set<Port> inputs;
    for (unsigned rest = grants.outputs; rest != 0;) {
      const unsigned o = take_lowest(rest);
      const Slot from = grants.from[o];
      ASSERT_TRUE(Space::has(requests, from));
      ASSERT_EQ(grants.to[o], target[from]);
      ASSERT_EQ(Space::port_of(grants.to[o]), o);
      ASSERT_TRUE(inputs.insert(Space::port_of(from)).second);
      ++grants_seen;
    }
    for (Space::Mask rest = requests; rest != 0;) {
      const auto slot = static_cast<Slot>(take_lowest(rest));
      const Port i = Space::port_of(slot), o = Space::port_of(target[slot]);
      const bool granted = Space::has(grants.inputs(), slot);
      if (of_input[i] == 1 && for_output[o] == 1) {
        ASSERT_TRUE(granted) << "nothing competes";
      }
      lost += granted ? 0 : 1;
    }
  }
  EXPECT_GT(grants_seen, 40000);
  EXPECT_GT(lost, 10000);
}

}  // namespace
}  // namespace annelid::systemc
