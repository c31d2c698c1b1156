// All-reduce, on fake NICs: the sum at all nodes, the messages, whatever the order of events.
// Parameter space: algorithm, size of the network, bytes of a block.
#include <gtest/gtest.h>

#include "testbench/firmware/support/operation_check.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::Operation;

/// Every node has the sum in TARGET. Gives the messages.
Records expect_sum(FakeNetwork& network, Algorithm algorithm, std::uint32_t bytes,
                   std::uint32_t scratch) {
  const std::size_t n = network.nodes();
  const std::uint32_t count = bytes / 4;
  const auto words = [&](const std::function<std::uint32_t(std::uint32_t)>& element) {
    Bytes result;
    for (std::uint32_t e = 0; e < count; ++e) {
      for (int i = 0; i < 4; ++i) result.push_back(static_cast<std::uint8_t>(element(e) >> 8 * i));
    }
    return result;
  };
  const auto element = [](std::size_t node, std::uint32_t e) {
    return static_cast<std::uint32_t>((node + 1) * 2654435761U * (e + 3));
  };
  return expect_operation(network,
                          {.operation = Operation::kAllReduce,
                           .algorithm = algorithm,
                           .count = count,
                           .type = reg::Type::kUint32,
                           .op = static_cast<std::uint32_t>(reg::Operator::kSum)},
                          {.source = 4 * count,
                           .target = 4 * count,
                           .scratch = scratch,
                           .before =
                               [&](std::size_t node) {
                                 return words([&](std::uint32_t e) { return element(node, e); });
                               },
                           .after =
                               [&](std::size_t) {
                                 return words([&](std::uint32_t e) {
                                   std::uint32_t sum = 0;
                                   for (std::size_t node = 0; node < n; ++node)
                                     sum += element(node, e);
                                   return sum;
                                 });
                               }});
}

constexpr std::uint32_t whole_words(std::uint32_t bytes) { return (bytes + 3) / 4 * 4; }

TEST(AllReduce, AlongRingsGivesEveryNodeTheSum) {
  for_each_network([&](FakeNetwork& network, Size size, std::uint32_t bytes) {
    const std::uint32_t words = whole_words(bytes);
    const Records sent = expect_sum(network, Algorithm::kRing, words, words);
    const auto around = static_cast<std::uint32_t>(size.x + size.y + size.z - 3);
    EXPECT_EQ(sent.size(), 2 * network.nodes() * around);
    const StepFacts facts = step_facts(sent, size);
    EXPECT_EQ(facts.steps, 2 * around);
    EXPECT_EQ(facts.contending, 0U) << "stepwise contention";
  });
}

TEST(AllReduce, AlongTreesGivesEveryNodeTheSum) {
  for_each_network([&](FakeNetwork& network, Size size, std::uint32_t bytes) {
    const std::size_t n = network.nodes();
    const std::uint32_t words = whole_words(bytes);
    for (const Algorithm algorithm : {Algorithm::kRecursiveDoubling, Algorithm::kEdn}) {
      if (algorithm == Algorithm::kEdn && size != Size{4, 4, 1}) continue;
      const auto scratch = static_cast<std::uint32_t>(n + 1) * ((words + 7) / 8 * 8);
      const Records sent = expect_sum(network, algorithm, words, scratch);
      EXPECT_EQ(sent.size(), 2 * (n - 1));
      const StepFacts facts = step_facts(sent, size);
      std::uint32_t steps = 0;
      for (std::size_t reached = 1; reached < n; reached *= 2) steps += 2;
      EXPECT_EQ(facts.steps, algorithm == Algorithm::kEdn ? 6 : steps);
      EXPECT_EQ(facts.contending, 0U) << "stepwise contention";
    }
  });
}

}  // namespace
}  // namespace annelid::firmware
