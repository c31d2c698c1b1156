// The collectives of docs/how-to/write-a-collective.md, from the page itself: on fake NICs, built
// for the host and, on the core's model, for RV32.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include "testbench/firmware/support/fake_network.hpp"
#include "testbench/firmware/support/firmware_on_core.hpp"

namespace annelid::firmware {
namespace {

constexpr reg::Operation kAllGather{64}, kLargest{65};
constexpr reg::Algorithm kAlgorithm{1};
constexpr std::uint32_t kSource = 0x1000, kTarget = 0x2000, kScratch = 0x8000, kList = 0xC000;

nic::Image program() {
  std::ifstream file(GUIDE_ELF, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return nic::load_elf(bytes);
}

/// Both builds on the same networks: ALL, and the two halves of it that a partition makes.
class GuideTest : public ::testing::Test {
 protected:
  void on_both(Size size, std::uint32_t seed) {
    host.emplace(size, seed);
    core.emplace(size, seed, 64,
                 [this](FakeBus& bus) { return std::make_unique<FirmwareOnCore>(image, bus); });
    for (FakeNetwork* network : {&*host, &*core}) {
      network->call_all([](std::size_t i) {
        return TestCall{.operation = reg::Operation::kPartition,
                        .target = kList,
                        .scratch = kScratch,
                        .parameter = {1, static_cast<std::uint32_t>(i) % 2, 0}};
      });
    }
  }
  /// The members of node's group.
  std::vector<std::uint32_t> members(std::uint32_t node, std::uint32_t place) const {
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = place == 0 ? 0 : node % 2; i < host->nodes(); i += place + 1) {
      result.push_back(i);
    }
    return result;
  }
  void expect_equal_accesses() {
    for (std::size_t i = 0; i < host->nodes(); ++i) {
      ASSERT_EQ(core->bus(i).accesses, host->bus(i).accesses) << "node " << i;
      ASSERT_EQ(core->bus(i).memory(), host->bus(i).memory()) << "node " << i;
    }
  }

  nic::Image image = program();
  std::optional<FakeNetwork> host, core;
};

TEST_F(GuideTest, TheRingAllGatherGivesEveryMemberAllBlocksByRank) {
  for (const Size size : {Size{1, 1, 1}, Size{2, 1, 1}, Size{5, 3, 1}, Size{2, 2, 3}}) {
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
      on_both(size, seed);
      for (FakeNetwork* network : {&*host, &*core}) {
        for (const std::uint32_t place : {0U, 1U}) {
          const std::uint32_t count = 1 + seed * 3;
          const auto element = [](std::uint32_t node, std::uint32_t e) { return 100 * node + e; };
          for (std::uint32_t i = 0; i < network->nodes(); ++i) {
            for (std::uint32_t e = 0; e < count; ++e) {
              const std::uint32_t value = element(i, e);
              network->bus(i).put(kSource + 4 * e, &value, 4);
            }
          }
          const std::size_t before = network->records.size();
          network->call_all([&](std::size_t) {
            return TestCall{.operation = kAllGather,
                            .algorithm = kAlgorithm,
                            .group = place,
                            .source = kSource,
                            .target = kTarget,
                            .count = count,
                            .type = reg::Type::kUint32,
                            .tag = 7};
          });
          std::size_t messages = 0;
          for (std::uint32_t i = 0; i < network->nodes(); ++i) {
            const auto of = members(i, place);
            messages += of.size();  // one to itself, and one to the right in each step
            for (std::uint32_t r = 0; r < of.size(); ++r) {
              for (std::uint32_t e = 0; e < count; ++e) {
                ASSERT_EQ(network->bus(i).get<std::uint32_t>(kTarget + 4 * (r * count + e)),
                          element(of[r], e));
              }
            }
          }
          EXPECT_EQ(network->records.size() - before, messages);
        }
      }
      expect_equal_accesses();
    }
  }
}

TEST_F(GuideTest, TheLargestElementIsFoundWithTheFirstPlaceOfIt) {
  for (const Size size : {Size{1, 1, 1}, Size{2, 1, 1}, Size{5, 3, 1}, Size{4, 2, 2}}) {
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
      on_both(size, seed);
      for (FakeNetwork* network : {&*host, &*core}) {
        std::mt19937 random(seed);
        for (const std::uint32_t place : {0U, 1U}) {
          constexpr std::uint32_t kCount = 9;
          const auto nodes = static_cast<std::uint32_t>(network->nodes());
          std::vector<std::vector<std::uint64_t>> elements(nodes);
          for (std::uint32_t i = 0; i < nodes; ++i) {
            for (std::uint32_t e = 0; e < kCount; ++e) {
              const std::uint32_t value = static_cast<std::uint32_t>(random() % 7) - 3;  // ties
              elements[i].push_back(std::uint64_t{value} << 32 | i);
            }
            network->bus(i).put(kSource, elements[i].data(), 8 * kCount);
          }
          const std::uint32_t root = seed % (place == 0 ? nodes : std::max(1U, nodes / 2));
          network->call_all([&](std::size_t) {
            return TestCall{.operation = kLargest,
                            .algorithm = kAlgorithm,
                            .group = place,
                            .root = root,
                            .source = kSource,
                            .target = kTarget,
                            .count = kCount,
                            .type = reg::Type::kInt64,
                            .tag = 8,
                            .scratch = kScratch};
          });
          for (std::uint32_t i = 0; i < nodes; ++i) {
            const auto of = members(i, place);
            if (of[root] != i) continue;
            for (std::uint32_t e = 0; e < kCount; ++e) {
              const auto best = *std::max_element(of.begin(), of.end(), [&](auto a, auto b) {
                return static_cast<std::int64_t>(elements[a][e]) >> 32 <
                       static_cast<std::int64_t>(elements[b][e]) >> 32;
              });
              ASSERT_EQ(network->bus(i).get<std::uint64_t>(kTarget + 8 * e), elements[best][e]);
            }
          }
        }
      }
      expect_equal_accesses();
    }
  }
}

TEST_F(GuideTest, BothRefuseWhatDoesNotFitInMemory) {
  on_both({2, 1, 1}, 0);
  for (const auto operation : {kAllGather, kLargest}) {
    for (FakeNetwork* network : {&*host, &*core}) {
      const std::uint32_t ticket = network->bus(0).call({.operation = operation,
                                                         .algorithm = kAlgorithm,
                                                         .target = FakeBus::kMemoryBytes - 8,
                                                         .count = 2,
                                                         .type = reg::Type::kInt64});
      network->run();
      EXPECT_EQ(network->result(0, ticket), reg::CallResult::kBadArgument);
    }
  }
  expect_equal_accesses();
}

}  // namespace
}  // namespace annelid::firmware
