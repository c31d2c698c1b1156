// All-to-all by the digits of distances, on fake NICs: the bytes at all nodes, each message with
// its step and its blocks, what is refused. The tests write every distance in digits; the firmware
// counts runs. Parameter space: members, radices, bytes of a block, order of events, listed groups.
#include <gtest/gtest.h>

#include <cstring>

#include "testbench/firmware/support/operation_check.hpp"
#include "testbench/firmware/support/ranked_check.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

/// A radix for each place. The last one is that of all further places too.
using Radices = std::vector<std::uint32_t>;

std::uint32_t radix_at(const Radices& radices, std::size_t place) {
  return radices[std::min(place, radices.size() - 1)];
}
std::uint32_t digit(std::uint32_t distance, std::uint32_t place, const Radices& radices) {
  for (std::uint32_t below = 0; below < place; ++below) distance /= radix_at(radices, below);
  return distance % radix_at(radices, place);
}

/// PARAMETER_1 and PARAMETER_0.
struct RadixWords {
  std::uint32_t parameter_1 = 0, parameter_0 = 0;
};
RadixWords words_of(const Radices& radices) {
  RadixWords words;
  for (std::size_t place = 0; place < radices.size(); ++place) {
    (place < 2 ? words.parameter_1 : words.parameter_0) |= radices[place] << 16 * (place % 2);
  }
  return words;
}

/// A message as docs/internals/algorithms/collect-and-exchange.md defines it.
struct RadixMessage {
  std::uint32_t step = 0;
  std::size_t from = 0, to = 0;  // ranks
  Bytes bytes;
  auto operator<=>(const RadixMessage&) const = default;
};
std::ostream& operator<<(std::ostream& out, const RadixMessage& m) {
  return out << "step " << m.step << ": " << m.from << " to " << m.to << ", " << m.bytes.size()
             << " bytes";
}

/// The messages of all steps, by step and sender. `block` appends what one rank has for another.
using AppendBlock = std::function<void(Bytes&, std::size_t from, std::size_t to)>;
std::vector<RadixMessage> defined_messages(std::uint32_t n, const Radices& radices,
                                           const AppendBlock& block) {
  std::vector<RadixMessage> all;
  std::uint32_t step = 0;
  for (std::uint32_t place = 0, power = 1; power < n; power *= radix_at(radices, place++)) {
    for (std::uint32_t z = 1; z < radix_at(radices, place) && z * power < n; ++z) {
      ++step;
      for (std::uint32_t rank = 0; rank < n; ++rank) {
        RadixMessage m{step, rank, (rank + z * power) % n, {}};
        for (std::uint32_t d = 0; d < n; ++d) {
          if (digit(d, place, radices) != z) continue;
          // Its lower digits have been travelled already.
          const std::uint32_t origin = (rank + n - d % power) % n;
          block(m.bytes, origin, (origin + d) % n);
        }
        all.push_back(std::move(m));
      }
    }
  }
  return all;
}

/// All members call, members[r] as rank r; then every byte and every message is right.
void expect_all_to_all(FakeNetwork& network, const std::vector<std::size_t>& members,
                       const RadixWords& words, const Radices& radices, std::uint32_t bytes,
                       std::uint32_t group = 0) {
  const auto n = static_cast<std::uint32_t>(members.size());
  SCOPED_TRACE(::testing::Message()
               << n << " members, PARAMETER_1 " << words.parameter_1 << ", PARAMETER_0 "
               << words.parameter_0 << ", " << bytes << " bytes");
  const auto rank_of = [&](std::size_t node) {
    return static_cast<std::size_t>(std::find(members.begin(), members.end(), node) -
                                    members.begin());
  };
  const AppendBlock block = [&](Bytes& to_end, std::size_t from, std::size_t to) {
    append_block(to_end, from, to, bytes);
  };
  std::vector<RadixMessage> found;
  network.on_delivery = [&](const FakeNetwork::Record& r, const std::vector<std::byte>& sent) {
    if (r.from == r.to) return;
    RadixMessage m{r.step, rank_of(r.from), rank_of(r.to), Bytes(sent.size())};
    if (!sent.empty()) std::memcpy(m.bytes.data(), sent.data(), sent.size());
    found.push_back(std::move(m));
  };
  expect_operation(network,
                   {.operation = Operation::kAllToAll,
                    .algorithm = Algorithm::kRadix,
                    .group = group,
                    .count = bytes,
                    .tag = 3,
                    .parameter = {words.parameter_0, words.parameter_1}},
                   {.source = n * bytes,
                    .target = n * bytes,
                    .scratch = radices[0] >= n ? 0 : 2 * n * bytes,
                    .before =
                        [&](std::size_t node) {
                          Bytes blocks;
                          for (std::size_t to = 0; to < n; ++to) block(blocks, rank_of(node), to);
                          return blocks;
                        },
                    .after =
                        [&](std::size_t node) {
                          Bytes blocks;
                          if (rank_of(node) == n) return blocks;
                          for (std::size_t from = 0; from < n; ++from)
                            block(blocks, from, rank_of(node));
                          return blocks;
                        },
                    .called = [&](std::size_t node) { return rank_of(node) < n; }});
  network.on_delivery = {};
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, defined_messages(n, radices, block));
}
void expect_all_to_all(FakeNetwork& network, const std::vector<std::size_t>& members,
                       std::uint32_t radix, std::uint32_t bytes, std::uint32_t group = 0) {
  expect_all_to_all(network, members, {radix, 0}, {radix == 0 ? 2 : radix}, bytes, group);
}
void expect_mixed(FakeNetwork& network, const std::vector<std::size_t>& members,
                  const Radices& radices, std::uint32_t bytes, std::uint32_t group = 0) {
  expect_all_to_all(network, members, words_of(radices), radices, bytes, group);
}

std::vector<std::size_t> first_nodes(std::size_t n) {
  std::vector<std::size_t> members(n);
  for (std::size_t i = 0; i < n; ++i) members[i] = i;
  return members;
}

TEST(RadixAllToAll, SendsWhatItsDigitsSayForEveryRadix) {
  std::uint32_t seed = 0;
  for (const int n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 17}) {
    std::vector<std::uint32_t> radices = {0, 0xFFFF};
    for (int radix = 2; radix <= n + 1; ++radix)
      radices.push_back(static_cast<std::uint32_t>(radix));
    for (const std::uint32_t radix : radices) {
      FakeNetwork network({n, 1, 1}, seed++);
      for (const std::uint32_t bytes : {n % 2 == 0 ? 0U : 1U, n % 2 == 0 ? 17U : 8U}) {
        expect_all_to_all(network, first_nodes(network.nodes()), radix, bytes);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(RadixAllToAll, SendsWhatItsDigitsSayForMixedRadices) {
  std::uint32_t seed = 1;
  for (const int n : {1, 2, 5, 6, 12, 13, 24, 25}) {
    for (const Radices& radices :
         {Radices{3, 2}, Radices{2, 3}, Radices{2, 3, 2}, Radices{3, 4, 2}, Radices{2, 2, 3, 2},
          Radices{5, 2, 2, 2}, Radices{2, 65535}, Radices{65535, 2, 3, 4}}) {
      FakeNetwork network({n, 1, 1}, seed++);
      expect_mixed(network, first_nodes(network.nodes()), radices, seed % 2 == 0 ? 8 : 5);
      if (HasFailure()) return;
    }
  }
}

TEST(RadixAllToAll, RepeatsTheLastOfMixedRadices) {
  FakeNetwork network({40, 1, 1}, 7);
  for (const Radices& radices : {Radices{3, 2}, Radices{4, 3, 2}, Radices{2, 3, 2, 2}}) {
    expect_mixed(network, first_nodes(40), radices, 8);
  }
}

TEST(RadixAllToAll, SendsAndCopiesRunsOfAnyLength) {
  for (const std::uint32_t radix : {2U, 3U, 7U}) {
    FakeNetwork network({5, 3, 1}, radix);
    for (const std::uint32_t bytes : {4U, 12U, 64U, 127U, 128U, 129U, 400U}) {
      expect_all_to_all(network, first_nodes(15), radix, bytes);
    }
  }
}

TEST(RadixAllToAll, FortyNodesKeepNoMoreUnderWayThanTheirArenaHolds) {
  for (const std::uint32_t radix : {2U, 7U, 21U, 41U, 42U}) {
    FakeNetwork network({7, 6, 1}, 5);
    for (const std::uint32_t bytes : {8U, 9U}) {
      expect_all_to_all(network, first_nodes(42), radix, bytes);
    }
  }
}

TEST(RadixAllToAll, RunsInListedGroups) {
  FakeNetwork network({4, 3, 1}, 3);
  const std::vector<std::size_t> members = {7, 2, 11, 0, 5, 10, 3};
  list_group(network, members);
  for (const std::uint32_t radix : {0U, 3U, 6U, 7U}) {
    for (const std::uint32_t bytes : {16U, 17U}) {
      expect_all_to_all(network, members, radix, bytes, kListedGroup);
    }
  }
  expect_mixed(network, members, {3, 2}, 16, kListedGroup);
}

TEST(RadixAllToAll, RefusesWhatDoesNotFit) {
  TestNode node(Address{0, 0, 0}, {3, 2, 1});
  const TestCall good{.operation = Operation::kAllToAll,
                      .algorithm = Algorithm::kRadix,
                      .source = 0x100,
                      .target = 0x200,
                      .count = 8,
                      .tag = 1,
                      .scratch = 0x300,
                      .parameter = {0, 5}};
  constexpr std::uint32_t kEnd = FakeBus::kMemoryBytes;
  const auto expect_bad = [&](const char* why, const std::function<void(TestCall&)>& change) {
    TestCall bad = good;
    change(bad);
    EXPECT_EQ(answer_of(node, bad), CallResult::kBadArgument) << why;
  };
  expect_bad("radix 1", [](TestCall& c) { c.parameter[1] = 1; });
  expect_bad("radix 1 of place 1", [](TestCall& c) { c.parameter[1] = 1 << 16 | 3; });
  expect_bad("radix 1 of place 2", [](TestCall& c) { c.parameter = {1, 3 << 16 | 3}; });
  expect_bad("radix 1 of place 3", [](TestCall& c) { c.parameter = {1 << 16 | 3, 3 << 16 | 3}; });
  expect_bad("a radix after 0, place 1", [](TestCall& c) { c.parameter[1] = 3 << 16; });
  expect_bad("a radix after 0, place 2", [](TestCall& c) { c.parameter = {2, 0}; });
  expect_bad("a radix after 0 at place 1", [](TestCall& c) { c.parameter = {2, 3}; });
  expect_bad("a radix after 0 at place 2", [](TestCall& c) {
    c.parameter = {2 << 16, 2 << 16 | 3};
  });
  expect_bad("SOURCE in TARGET", [](TestCall& c) { c.source = 0x200 + 47; });
  expect_bad("SOURCE in SCRATCH", [](TestCall& c) { c.source = 0x300 + 95; });
  expect_bad("TARGET in SCRATCH", [](TestCall& c) { c.target = 0x300 + 95; });
  expect_bad("TARGET before SCRATCH", [](TestCall& c) { c.target = 0x300 - 47; });
  expect_bad("SOURCE", [](TestCall& c) { c.source = kEnd - 47; });
  expect_bad("TARGET", [](TestCall& c) { c.target = kEnd - 47; });
  expect_bad("SCRATCH", [](TestCall& c) { c.scratch = kEnd - 95; });
  expect_bad("blocks of 16 MiB together", [](TestCall& c) { c.count = (16U << 20) / 6 + 1; });
  expect_bad("no memory", [](TestCall& c) {
    c.source = 0x80000000;
    c.count = 0x20000000;
    c.type = reg::Type::kInt64;
  });
  EXPECT_TRUE(node.bus.queued.empty());

  TestNode alone(Address{0, 0, 0}, {1, 1, 1});
  TestCall one = good;
  one.parameter[1] = 1;
  EXPECT_EQ(answer_of(alone, one), CallResult::kBadArgument) << "radix 1 of one node";
  EXPECT_TRUE(alone.bus.queued.empty());
}

TEST(RadixAllToAll, NeedsNoScratchWhereEveryBlockGoesDirectly) {
  FakeNetwork network({3, 2, 1}, 3);
  for (const std::uint32_t radix : {6U, 7U}) {
    network.call_all([&](std::size_t) {
      return TestCall{.operation = Operation::kAllToAll,
                      .algorithm = Algorithm::kRadix,
                      .target = 0x1000,
                      .count = 100,
                      .tag = 1,
                      .scratch = FakeBus::kMemoryBytes,
                      .parameter = {0, radix}};
    });
  }
  EXPECT_EQ(network.unmatched(), 0U);
}

}  // namespace
}  // namespace annelid::firmware
