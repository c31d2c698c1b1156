// The allocators, without a router around them: what all of them promise, examples worked by hand,
// and random requests compared with a second reading of the specification.
#include "systemc/kernel/allocator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <set>

#include "base/random.hpp"
#include "testbench/systemc/allocation_rules.hpp"

namespace annelid::systemc {
namespace {

using Space = SlotSpace<8, 2>;  // 8 ports of up to 4 VCs
using Target = std::array<Slot, Space::kSlots>;

constexpr unsigned kPorts = 8;

constexpr unsigned highest(unsigned requests) {
  return static_cast<unsigned>(std::bit_width(requests)) - 1;
}

/// Grants with arbiters of a fixed order: the highest VC, the lowest input.
class Allocation {
 public:
  void request(unsigned input, unsigned vc, unsigned output, unsigned out_vc = 0) {
    const Slot in = Space::slot_of(input, vc);
    requests |= Space::bit(in);
    target[in] = Space::slot_of(output, out_vc);
  }
  /// Returns the outputs that the first round has granted.
  unsigned allocate(AllocatorKind kind, unsigned rounds = 1, unsigned diagonal = 0) {
    const Picks picks{
        [](Port, unsigned vcs) { return highest(vcs); },
        [](Port, unsigned inputs) { return static_cast<unsigned>(std::countr_zero(inputs)); },
        [diagonal](Port i, Port o) { return (i + o + kPorts - diagonal) % kPorts; }};
    grants = {};
    return Allocators::with(kind, [&]<class Unit>(Unit) {
      return grant_in_rounds<Unit, Space>(rounds, requests, target, picks, grants);
    });
  }
  [[nodiscard]] bool granted(unsigned input, unsigned vc) const {
    return Space::has(grants.inputs(), Space::slot_of(input, vc));
  }

  Space::Mask requests = 0;
  Target target{};
  Grants<Space> grants;
};

constexpr AllocatorKind kInputFirst = AllocatorKind::kInputFirst,
                        kOutputFirst = AllocatorKind::kOutputFirst,
                        kWavefront = AllocatorKind::kWavefront;
constexpr std::array kKinds = {kInputFirst, kOutputFirst, kWavefront};

// ---- All allocators -----------------------------------------------------------------------------

TEST(Allocators, GrantNothingWithoutARequest) {
  for (const AllocatorKind kind : kKinds) {
    Allocation allocation;
    EXPECT_EQ(allocation.allocate(kind, 4), 0u) << name_of(kind);
    EXPECT_EQ(allocation.grants.outputs, 0u) << name_of(kind);
  }
}

TEST(Allocators, GrantEachInputAndEachOutputOnceAndAllThatDoNotCompete) {
  Random random(1);
  int grants_seen = 0, lost = 0;
  for (int n = 0; n < 20000; ++n) {
    Allocation allocation;
    std::array<int, kPorts> of_input{}, for_output{};
    for (unsigned slot = 0; slot < Space::kSlots; ++slot) {
      if (random.below(6) != 0) continue;
      const unsigned output = static_cast<unsigned>(random.below(kPorts));
      allocation.request(slot / 4, slot % 4, output, static_cast<unsigned>(random.below(4)));
      ++of_input[slot / 4];
      ++for_output[output];
    }
    allocation.allocate(kKinds[random.below(3)]);
    const Grants<Space>& grants = allocation.grants;
    std::set<Port> inputs;
    for (unsigned rest = grants.outputs; rest != 0;) {
      const unsigned o = take_lowest(rest);
      const Slot from = grants.from[o];
      ASSERT_TRUE(Space::has(allocation.requests, from));
      ASSERT_EQ(grants.to[o], allocation.target[from]);
      ASSERT_EQ(Space::port_of(grants.to[o]), o);
      ASSERT_TRUE(inputs.insert(Space::port_of(from)).second);
      ++grants_seen;
    }
    for (Space::Mask rest = allocation.requests; rest != 0;) {
      const auto slot = static_cast<Slot>(take_lowest(rest));
      const Port i = Space::port_of(slot), o = Space::port_of(allocation.target[slot]);
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

std::vector<int> shuffled(Random& random, std::size_t size) {
  std::vector<int> order(size);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t k = size; k > 1; --k) {
    std::swap(order[k - 1], order[random.below(static_cast<std::uint32_t>(k))]);
  }
  return order;
}

unsigned first_of(const std::vector<int>& order, unsigned requests) {
  return static_cast<unsigned>(
      *std::ranges::find_if(order, [&](int k) { return (requests >> k & 1) != 0; }));
}

/// A switch of `ports` ports with arbiters of any order.
SwitchOrders random_orders(Random& random, unsigned ports) {
  SwitchOrders orders;
  for (unsigned p = 0; p < ports; ++p) {
    orders.of_input.push_back(shuffled(random, 4));
    orders.of_output.push_back(shuffled(random, ports));
  }
  orders.diagonal = static_cast<int>(random.below(ports));
  return orders;
}

std::vector<Request> random_requests(Random& random, unsigned ports) {
  std::vector<Request> requests;
  const std::uint32_t one_in = 1 + random.below(6);
  for (unsigned i = 0; i < ports; ++i) {
    for (int v = 0; v < 4; ++v) {
      if (random.below(one_in) != 0) continue;
      requests.push_back({static_cast<int>(i), v, static_cast<int>(random.below(ports))});
    }
  }
  return requests;
}

std::map<int, SwitchGrant> granted_by_unit(AllocatorKind kind, unsigned rounds, unsigned ports,
                                           const std::vector<Request>& requests,
                                           const SwitchOrders& orders) {
  Allocation allocation;
  for (const Request& r : requests) {
    allocation.request(static_cast<unsigned>(r.input), static_cast<unsigned>(r.vc),
                       static_cast<unsigned>(r.output));
  }
  const Picks picks{[&](Port i, unsigned vcs) { return first_of(orders.of_input[i], vcs); },
                    [&](Port o, unsigned inputs) { return first_of(orders.of_output[o], inputs); },
                    [&](Port i, Port o) {
                      return (i + o + ports - static_cast<unsigned>(orders.diagonal)) % ports;
                    }};
  Grants<Space> grants;
  const unsigned first = Allocators::with(kind, [&]<class Unit>(Unit) {
    return grant_in_rounds<Unit, Space>(rounds, allocation.requests, allocation.target, picks,
                                        grants);
  });
  std::map<int, SwitchGrant> found;
  for (unsigned rest = grants.outputs; rest != 0;) {
    const unsigned o = take_lowest(rest);
    found[static_cast<int>(o)] = {Space::port_of(grants.from[o]), Space::vc_of(grants.from[o]),
                                  (first >> o & 1) != 0};
  }
  return found;
}

TEST(Allocators, GrantWhatTheTextSays) {
  Random random(2);
  std::map<std::pair<AllocatorKind, bool>, int> seen;  // by whether the grant is final
  for (int n = 0; n < 30000; ++n) {
    const AllocatorKind kind = kKinds[random.below(3)];
    const unsigned rounds = kind == kWavefront ? 1 : 1 + random.below(4);
    const unsigned ports = 2 + random.below(kPorts - 1);
    const SwitchOrders orders = random_orders(random, ports);
    const std::vector<Request> requests = random_requests(random, ports);
    const auto expected = AllocationRules(static_cast<int>(ports), orders)
                              .grants(kind, static_cast<int>(rounds), requests);
    ASSERT_EQ(granted_by_unit(kind, rounds, ports, requests, orders), expected)
        << name_of(kind) << ", " << rounds << " rounds, " << ports << " ports";
    for (const auto& [output, grant] : expected) ++seen[{kind, grant.final}];
  }
  for (const AllocatorKind kind : kKinds) EXPECT_GT((seen[{kind, true}]), 10000) << name_of(kind);
  EXPECT_GT((seen[{kInputFirst, false}]), 1000);
  EXPECT_GT((seen[{kOutputFirst, false}]), 1000);
  EXPECT_EQ((seen[{kWavefront, false}]), 0);
}

// ---- Input-first --------------------------------------------------------------------------------

TEST(InputFirstAllocator, PicksOneVcOfEachInputAndThenOneInputOfEachOutput) {
  Allocation allocation;
  allocation.request(1, 0, 5);
  allocation.request(1, 3, 6, 1);
  allocation.request(2, 1, 6, 2);
  allocation.allocate(kInputFirst);
  EXPECT_EQ(allocation.grants.outputs, 1u << 6)
      << "input 1 asks for output 6 alone, and output 5 stays idle";
  EXPECT_EQ(allocation.grants.from[6], Space::slot_of(1, 3));
  EXPECT_EQ(allocation.grants.to[6], Space::slot_of(6, 1));
  EXPECT_EQ(allocation.grants.inputs(), Space::bit(Space::slot_of(1, 3)));
}

// Input 2 nominates its VC for output 6 and loses it to input 1. Its other VC has output 5 for
// itself, which the second round sees.
TEST(InputFirstAllocator, ASecondRoundServesAnotherVcOfAnInputThatLost) {
  Allocation allocation;
  allocation.request(1, 0, 6);
  allocation.request(2, 3, 6);
  allocation.request(2, 0, 5);
  EXPECT_EQ(allocation.allocate(kInputFirst), 1u << 6);
  EXPECT_FALSE(allocation.granted(2, 0));
  EXPECT_EQ(allocation.allocate(kInputFirst, 2), 1u << 6) << "the first round's grants are final";
  EXPECT_TRUE(allocation.granted(1, 0));
  EXPECT_TRUE(allocation.granted(2, 0));
}

// ---- Output-first -------------------------------------------------------------------------------

// Outputs 5 and 6 offer themselves to input 1, which takes 6. So output 5 grants nothing, although
// input 2 requests it; the second round gives it to input 2.
TEST(OutputFirstAllocator, AnOutputWhoseOfferIsRefusedGrantsNothing) {
  Allocation allocation;
  allocation.request(1, 0, 5);
  allocation.request(1, 3, 6);
  allocation.request(2, 1, 5, 2);
  allocation.allocate(kOutputFirst);
  EXPECT_EQ(allocation.grants.outputs, 1u << 6);
  EXPECT_TRUE(allocation.granted(1, 3));
  EXPECT_EQ(allocation.allocate(kOutputFirst, 2), 1u << 6) << "the offer of output 5 is not final";
  EXPECT_EQ(allocation.grants.outputs, 1u << 5 | 1u << 6);
  EXPECT_TRUE(allocation.granted(2, 1));
  EXPECT_EQ(allocation.grants.to[5], Space::slot_of(5, 2));
}

TEST(OutputFirstAllocator, AnInputTakesAVcWhoseOutputOffersItself) {
  Allocation allocation;
  allocation.request(1, 0, 6);
  allocation.request(2, 0, 5);
  allocation.request(2, 3, 6);  // the highest VC, but output 6 offers itself to input 1
  allocation.allocate(kOutputFirst);
  EXPECT_TRUE(allocation.granted(1, 0));
  EXPECT_TRUE(allocation.granted(2, 0));
}

// ---- Wavefront ----------------------------------------------------------------------------------

// The pairs (0,0), (0,1), (1,0) and (1,1) lie on the diagonals 0, 1, 1 and 2.
TEST(WavefrontAllocator, TheFirstDiagonalDecides) {
  const auto granted_from = [](unsigned diagonal) {
    Allocation allocation;
    for (const unsigned i : {0u, 1u}) {
      for (const unsigned o : {0u, 1u}) allocation.request(i, o, o);
    }
    allocation.allocate(kWavefront, 1, diagonal);
    EXPECT_EQ(allocation.grants.outputs, 3u) << diagonal;
    return allocation.granted(0, 0) && allocation.granted(1, 1);
  };
  EXPECT_TRUE(granted_from(0)) << "(0,0), and then (1,1)";
  EXPECT_FALSE(granted_from(1)) << "(0,1) and (1,0)";
  EXPECT_TRUE(granted_from(2)) << "(1,1), and then (0,0) on diagonal 8 mod 8";
  EXPECT_TRUE(granted_from(3)) << "the diagonals 3 to 7 are empty, and 0 comes before 1";
}

// (7,2) lies on diagonal 1, before (2,2) on 4, and (7,7) on 6.
TEST(WavefrontAllocator, TheDiagonalsWrapAroundTheSwitch) {
  Allocation allocation;
  allocation.request(7, 0, 2);
  allocation.request(7, 1, 7);
  allocation.request(2, 0, 2);
  allocation.allocate(kWavefront);
  EXPECT_EQ(allocation.grants.outputs, 1u << 2);
  EXPECT_TRUE(allocation.granted(7, 0));
  allocation.allocate(kWavefront, 1, 2);
  EXPECT_EQ(allocation.grants.outputs, 1u << 2 | 1u << 7);
  EXPECT_TRUE(allocation.granted(2, 0));
  EXPECT_TRUE(allocation.granted(7, 1));
}

TEST(WavefrontAllocator, AnInputPicksAmongItsVcsForTheOutput) {
  Allocation allocation;
  allocation.request(3, 0, 4, 2);
  allocation.request(3, 1, 4, 1);
  allocation.request(3, 2, 5, 3);
  allocation.allocate(kWavefront, 1, 7);
  EXPECT_EQ(allocation.grants.outputs, 1u << 4) << "(3,4) is on diagonal 7";
  EXPECT_EQ(allocation.grants.from[4], Space::slot_of(3, 1)) << "the highest VC that requests it";
  EXPECT_EQ(allocation.grants.to[4], Space::slot_of(4, 1));
}

TEST(WavefrontAllocator, NoRequestIsLeftWhoseInputAndOutputAreFree) {
  Random random(3);
  for (int n = 0; n < 5000; ++n) {
    Allocation allocation;
    for (const Request& r : random_requests(random, kPorts)) {
      allocation.request(static_cast<unsigned>(r.input), static_cast<unsigned>(r.vc),
                         static_cast<unsigned>(r.output));
    }
    allocation.allocate(kWavefront, 1, random.below(kPorts));
    EXPECT_EQ(without_grant<Space>(allocation.requests, allocation.target, allocation.grants), 0u);
  }
}

}  // namespace
}  // namespace annelid::systemc
