// All-to-all with blocks of different lengths on fake NICs. Parameter space: network, lengths,
// type, order of events; lists that do not fit.
#include <gtest/gtest.h>

#include <random>

#include "firmware/platform/call.hpp"
#include "testbench/firmware/support/operation_check.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

constexpr std::uint32_t kLists = 0xC0000;

/// Elements of the block from a process for another.
using Table = std::vector<std::vector<std::uint32_t>>;

Table drawn_table(std::size_t nodes, std::uint32_t most, std::mt19937& random) {
  Table table(nodes, std::vector<std::uint32_t>(nodes));
  for (auto& row : table) {
    for (std::uint32_t& count : row) count = random() % 4 == 0 ? 0 : random() % (most + 1);
  }
  return table;
}

void expect_all_to_all(FakeNetwork& network, const Table& table, reg::Type type) {
  const std::size_t n = network.nodes();
  const std::uint32_t element = 1U << log2_bytes(type);
  MemoryEffect effect;
  Messages expected;
  for (std::size_t node = 0; node < n; ++node) {
    std::vector<std::uint32_t> lists = table[node];
    std::uint32_t source = 0, target = 0;
    for (std::size_t other = 0; other < n; ++other) {
      lists.push_back(table[other][node]);
      source += table[node][other] * element;
      target += table[other][node] * element;
      if (other != node) expected.push_back({node, other, table[node][other] * element});
    }
    network.bus(node).put(kLists, lists.data(), 4 * lists.size());
    effect.source = std::max(effect.source, source);
    effect.target = std::max(effect.target, target);
  }
  effect.before = [&](std::size_t node) {
    Bytes blocks;
    for (std::size_t to = 0; to < n; ++to)
      append_block(blocks, node, to, table[node][to] * element);
    return blocks;
  };
  effect.after = [&](std::size_t node) {
    Bytes blocks;
    for (std::size_t from = 0; from < n; ++from)
      append_block(blocks, from, node, table[from][node] * element);
    return blocks;
  };
  const Records sent = expect_operation(network,
                                        {.operation = Operation::kAllToAll,
                                         .algorithm = Algorithm::kDirect,
                                         .type = type,
                                         .parameter = {kLists},
                                         .flags = 8},
                                        effect);
  EXPECT_EQ(sorted_messages(sent), expected);
  for (const FakeNetwork::Record& r : sent) EXPECT_EQ(r.step, (r.to + n - r.from) % n);
}

TEST(AllToAllOfLengths, BringsEveryBlockInItsLength) {
  std::mt19937 random(3);
  std::uint32_t seed = 0;
  for (const Size size : kSizes) {
    FakeNetwork network(size, seed++);
    for (const std::uint32_t most : {0U, 1U, 50U, 400U}) {
      for (const reg::Type type : {reg::Type::kBytes, reg::Type::kInt64}) {
        expect_all_to_all(network, drawn_table(network.nodes(), most, random), type);
        if (HasFailure()) return;
      }
    }
  }
  FakeNetwork network({7, 6, 1}, 5);  // more than are under way at a time
  expect_all_to_all(network, drawn_table(42, 20, random), reg::Type::kBytes);
}

TEST(AllToAllOfLengths, RefusesListsThatDoNotFit) {
  constexpr std::uint32_t kEnd = FakeBus::kMemoryBytes;
  TestNode node(Address{0, 0, 0}, {2, 1, 1});
  const auto lists = [&](std::array<std::uint32_t, 4> words) {
    node.bus.put(kLists, words.data(), sizeof words);
  };
  const auto answer = [&](const std::function<void(TestCall&)>& change) {
    TestCall call{.operation = Operation::kAllToAll,
                  .algorithm = Algorithm::kDirect,
                  .target = 0x1000,
                  .parameter = {kLists},
                  .flags = 8};
    change(call);
    const std::uint32_t ticket = node.bus.call(call);
    node.firmware->run();
    return node.bus.results.contains(ticket) ? static_cast<CallResult>(node.bus.results[ticket])
                                             : CallResult{999};
  };
  const auto expect_bad = [&](const char* what, const std::function<void(TestCall&)>& change) {
    EXPECT_EQ(answer(change), CallResult::kBadArgument) << what;
  };
  lists({8, 16, 8, 24});
  expect_bad("COUNT", [](TestCall& c) { c.count = 8; });
  expect_bad("a list at no multiple of 4", [](TestCall& c) { c.parameter[0] = 0xD0002; });
  expect_bad("a list behind memory", [](TestCall& c) { c.parameter[0] = kEnd - 12; });
  expect_bad("other bits", [](TestCall& c) { c.flags = 9; });
  expect_bad("other bits", [](TestCall& c) { c.flags = 1; });
  expect_bad("SOURCE", [](TestCall& c) { c.source = kEnd - 23; });
  expect_bad("TARGET", [](TestCall& c) { c.target = kEnd - 31; });
  expect_bad("SOURCE in TARGET", [](TestCall& c) { c.source = c.target + 31; });
  expect_bad("a list in TARGET", [](TestCall& c) { c.target = kLists + 12; });
  lists({0x80000000, 0x80000000, 0, 0});
  expect_bad("more than 32 bits", [](TestCall&) {});
  lists({0, 0, reg::kMaxMessageBytes / 8 + 1, 0});
  expect_bad("longer than a message", [](TestCall& c) { c.type = reg::Type::kInt64; });
  EXPECT_TRUE(node.bus.queued.empty());
  lists({8, 16, 8, 24});
  EXPECT_EQ(answer([](TestCall&) {}), CallResult{999}) << "it waits for the other process";
}

}  // namespace
}  // namespace annelid::firmware
