// All-gather by recursive exchange on fake NICs: the bytes at all nodes, each message with its step
// and its blocks, what is refused. Parameter space: members, bytes of a block, order of events,
// listed groups.
#include <gtest/gtest.h>

#include <cstring>

#include "testbench/firmware/support/operation_check.hpp"
#include "testbench/firmware/support/ranked_check.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

/// All members call, members[r] as rank r; then every byte and every message is right.
void expect_exchange(FakeNetwork& network, const std::vector<std::size_t>& members,
                     std::uint32_t bytes, std::uint32_t group = 0) {
  SCOPED_TRACE(::testing::Message() << members.size() << " members, " << bytes << " bytes");
  const std::size_t n = members.size();
  std::map<std::size_t, std::size_t> rank_of;
  for (std::size_t r = 0; r < n; ++r) rank_of[members[r]] = r;
  using Sent = std::tuple<std::uint32_t, std::size_t, std::size_t, Bytes>;  // step, from, to
  std::vector<Sent> found, expected;
  network.on_delivery = [&](const FakeNetwork::Record& r, const std::vector<std::byte>& sent) {
    if (r.from == r.to) return;
    Bytes copied(sent.size());
    if (!sent.empty()) std::memcpy(copied.data(), sent.data(), sent.size());
    found.emplace_back(r.step, rank_of.at(r.from), rank_of.at(r.to), copied);
  };
  expect_operation(network,
                   {.operation = Operation::kAllGather,
                    .algorithm = Algorithm::kExchange,
                    .group = group,
                    .count = bytes,
                    .tag = 3},
                   {.source = bytes,
                    .target = static_cast<std::uint32_t>(n) * bytes,
                    .scratch = 0,
                    .before =
                        [&](std::size_t node) {
                          Bytes block;
                          if (rank_of.contains(node)) append_block(block, rank_of[node], 0, bytes);
                          return block;
                        },
                    .after =
                        [&](std::size_t node) {
                          Bytes blocks;
                          if (!rank_of.contains(node)) return blocks;
                          for (std::size_t r = 0; r < n; ++r) append_block(blocks, r, 0, bytes);
                          return blocks;
                        },
                    .called = [&](std::size_t node) { return rank_of.contains(node); }});
  network.on_delivery = {};
  std::uint32_t step = 0;
  for (std::size_t d = 1; d < n; d *= 2) {
    ++step;
    for (std::size_t r = 0; r < n; ++r) {
      Bytes blocks;
      for (std::size_t s = 0; s < n; ++s)
        if (s / d == r / d) append_block(blocks, s, 0, bytes);
      const bool upper = r / d % 2 != 0;
      expected.emplace_back(step, r, upper ? r - d : r + d, blocks);
    }
  }
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_TRUE(found == expected) << found.size() << " messages";
}

TEST(ExchangeAllGather, SendsWhatThePageSays) {
  std::uint32_t seed = 0;
  for (const Size size : {Size{1, 1, 1}, Size{2, 1, 1}, Size{2, 2, 1}, Size{1, 8, 1}, Size{4, 2, 2},
                          Size{8, 4, 1}, Size{8, 8, 1}}) {
    FakeNetwork network(size, seed++ % 6);  // the largest one in rounds
    for (const std::uint32_t bytes : {0U, 1U, 8U, 127U, 129U, 1000U}) {
      expect_exchange(network, embedded(size, Embedding::kRows), bytes);
      if (::testing::Test::HasFailure()) return;
    }
  }
}
TEST(ExchangeAllGather, HasMoreStepsThanReceivesPostedAhead) {
  FakeNetwork network({32, 16, 1});
  expect_exchange(network, embedded({32, 16, 1}, Embedding::kRows), 3);
}
TEST(ExchangeAllGather, RunsInListedGroups) {
  FakeNetwork network({4, 3, 1}, 3);
  const std::vector<std::size_t> members = {7, 2, 11, 0, 5, 10, 3, 4};
  list_group(network, members);
  for (const std::uint32_t bytes : {16U, 17U, 300U})
    expect_exchange(network, members, bytes, kListedGroup);
}
TEST(ExchangeAllGather, RefusesWhatDoesNotFit) {
  TestNode node(Address{0, 0, 0}, {4, 2, 1});
  const TestCall good{.operation = Operation::kAllGather,
                      .algorithm = Algorithm::kExchange,
                      .source = 0x100,
                      .target = 0x200,
                      .count = 8,
                      .tag = 1};
  constexpr std::uint32_t kEnd = FakeBus::kMemoryBytes;
  const auto expect_bad = [&](const char* why, const std::function<void(TestCall&)>& change) {
    TestCall bad = good;
    change(bad);
    EXPECT_EQ(answer_of(node, bad), CallResult::kBadArgument) << why;
  };
  expect_bad("SOURCE in TARGET", [](TestCall& c) { c.source = 0x200 + 63; });
  expect_bad("TARGET in SOURCE", [](TestCall& c) { c.target = 0x107; });
  expect_bad("SOURCE", [](TestCall& c) { c.source = kEnd - 7; });
  expect_bad("TARGET", [](TestCall& c) { c.target = kEnd - 63; });
  expect_bad("blocks of 16 MiB together", [](TestCall& c) { c.count = (16U << 20) / 8 + 1; });
  for (const Size size : {Size{3, 1, 1}, Size{3, 2, 1}, Size{3, 4, 1}}) {
    TestNode other(Address{0, 0, 0}, size);
    EXPECT_EQ(answer_of(other, good), CallResult::kDoesNotFit) << size.x * size.y << " nodes";
    EXPECT_TRUE(other.bus.queued.empty());
  }
  EXPECT_TRUE(node.bus.queued.empty());
}

}  // namespace
}  // namespace annelid::firmware
