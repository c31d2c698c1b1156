// All-reduce along comb trees on fake NICs: the bytes, the order of operands, and which channels
// carry how much, whatever the order of events. Parameter space: network, bytes, packets.
#include <gtest/gtest.h>

#include <map>

#include "testbench/firmware/support/operation_check.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

constexpr Size kShapes[] = {{2, 1, 1}, {7, 1, 1}, {1, 4, 1}, {2, 2, 1}, {4, 4, 1}, {5, 7, 1},
                            {6, 3, 1}, {1, 3, 4}, {2, 3, 2}, {3, 3, 3}, {4, 2, 3}};

Bytes words(std::uint32_t bytes, const std::function<std::uint32_t(std::uint32_t)>& value) {
  Bytes result;
  for (std::uint32_t e = 0; e < bytes / 4; ++e) {
    for (int i = 0; i < 4; ++i) result.push_back(static_cast<std::uint8_t>(value(e) >> 8 * i));
  }
  return result;
}
std::uint32_t element(std::size_t node, std::uint32_t e) {
  return static_cast<std::uint32_t>((node + 1) * 2654435761U * (e + 3));
}

TestCall combs_call(std::uint32_t bytes, std::uint32_t packets) {
  return {.operation = Operation::kAllReduce,
          .algorithm = Algorithm::kCombs,
          .count = bytes / 4,
          .type = reg::Type::kUint32,
          .op = static_cast<std::uint32_t>(reg::Operator::kSum),
          .parameter = {0, packets}};
}

/// Calls it at all nodes. Gives the messages.
Records reduce(FakeNetwork& network, std::uint32_t bytes, std::uint32_t packets) {
  const auto combined = [&](std::uint32_t e) {
    std::uint32_t sum = 0;
    for (std::size_t node = 0; node < network.nodes(); ++node) sum += element(node, e);
    return sum;
  };
  return expect_operation(network, combs_call(bytes, packets),
                          {.source = bytes,
                           .target = bytes,
                           .scratch = 8 * ((bytes + 7) / 8 * 8),
                           .before =
                               [&](std::size_t node) {
                                 return words(bytes,
                                              [node](std::uint32_t e) { return element(node, e); });
                               },
                           .after = [&](std::size_t) { return words(bytes, combined); }});
}

std::size_t edges_of(Size s) {
  const auto lines = [](int length, int others) {
    return static_cast<std::size_t>((length - 1) * others);
  };
  return lines(s.x, s.y * s.z) + lines(s.y, s.x * s.z) + lines(s.z, s.x * s.y);
}
bool are_neighbours(Size size, std::size_t a, std::size_t b) {
  const std::vector<Address> nodes = nodes_of(size);
  return std::abs(nodes[a].x - nodes[b].x) + std::abs(nodes[a].y - nodes[b].y) +
             std::abs(nodes[a].z - nodes[b].z) ==
         1;
}

TEST(Combs, ReduceToAll) {
  std::uint32_t seed = 0;
  for (const Size size : kShapes) {
    for (const std::uint32_t bytes : {0U, 4U, 52U, 1000U, 4004U}) {
      for (const std::uint32_t packets : {0U, 1U, 3U, 40U}) {
        SCOPED_TRACE(::testing::Message() << size.x << " x " << size.y << " x " << size.z << ", "
                                          << bytes << " bytes, " << packets << " packets");
        FakeNetwork network(size, seed++);
        for (const FakeNetwork::Record& r : reduce(network, bytes, packets)) {
          ASSERT_TRUE(are_neighbours(size, r.from, r.to)) << r.from << " to " << r.to;
          ASSERT_GT(r.bytes, 0U);
        }
        if (HasFailure()) return;
      }
    }
  }
}

// Each word of the vector crosses 2(N - 1) channels, and all channels carry the same.
TEST(Combs, AllChannelsCarryTheSame) {
  for (const Size size : kShapes) {
    FakeNetwork network(size, 5);
    const std::size_t edges = edges_of(size), nodes = network.nodes();
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> words_of;
    const auto bytes = static_cast<std::uint32_t>(8 * 2 * edges);  // two words for each edge
    for (const FakeNetwork::Record& r : reduce(network, bytes, 2))
      words_of[{r.from, r.to}] += r.bytes / 8;
    ASSERT_EQ(words_of.size(), 2 * edges);
    for (const auto& [channel, words] : words_of) {
      EXPECT_EQ(words, 2 * (nodes - 1)) << channel.first << " to " << channel.second << " on "
                                        << size.x << " x " << size.y << " x " << size.z;
    }
  }
}

TEST(Combs, MessagesOfAChannelComeInTheOrderOfTheirSteps) {
  FakeNetwork network({5, 4, 1}, 3);
  std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> step;
  for (const FakeNetwork::Record& r : reduce(network, 8000, 5)) {
    std::uint32_t& last = step[{r.from, r.to}];
    EXPECT_LE(last, r.step) << r.from << " to " << r.to;
    last = r.step;
  }
}

TEST(Combs, Refuses) {
  const auto refuse = [](FakeNetwork& network, const TestCall& call, CallResult result) {
    for (std::size_t node = 0; node < network.nodes(); ++node) {
      const std::uint32_t ticket = network.bus(node).call(call);
      network.run();
      EXPECT_EQ(network.result(node, ticket), result);
    }
    EXPECT_TRUE(network.records.empty());
  };
  TestCall call = combs_call(64, 0);
  call.target = 256;
  call.scratch = 512;
  FakeNetwork one({1, 1, 1}, 0);
  refuse(one, call, CallResult::kDoesNotFit);
  FakeNetwork square({3, 3, 1}, 0);
  call.parameter[2] = 9 << 8;
  refuse(square, call, CallResult::kBadArgument);
  call.parameter[2] = 0;
  call.op = static_cast<std::uint32_t>(reg::CoreOperator::kAffine);
  refuse(square, call, CallResult::kBadArgument);
}

}  // namespace
}  // namespace annelid::firmware
