// An operation, called at every node of a network of fake NICs: the bytes that it must leave at
// each node, and those that it must leave alone.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "testbench/firmware/support/fake_network.hpp"

namespace annelid::firmware {

using Bytes = std::vector<std::uint8_t>;

/// Byte i of the block that `from` has for `to`, or, with one block for all, for node 0.
inline std::uint8_t block_byte(std::size_t from, std::size_t to, std::size_t i) {
  return static_cast<std::uint8_t>((from * 131 + to * 31 + i * 7 + 1) * 2654435761U >> 13);
}
inline void append_block(Bytes& bytes, std::size_t from, std::size_t to, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) bytes.push_back(block_byte(from, to, i));
}

/// What an operation does to node memory: how long SOURCE, TARGET and SCRATCH are, and what they
/// hold. A node that has no SOURCE or no TARGET has no bytes there.
struct MemoryEffect {
  std::uint32_t source = 0, target = 0, scratch = 0;         // bytes, the most of all nodes
  std::function<Bytes(std::size_t node)> before;             // SOURCE
  std::function<Bytes(std::size_t node)> after = {};         // TARGET
  std::function<Bytes(std::size_t node)> source_after = {};  // SOURCE, if it changes
  std::function<bool(std::size_t node)> called = {};         // where it is called; else at all
};

/// Messages of a schedule, without those of a node to itself.
using Records = std::vector<FakeNetwork::Record>;

/// Makes the call at all nodes with buffers at places that are not aligned, and looks at every byte
/// of memory around them. Gives the messages that were sent.
inline Records expect_operation(FakeNetwork& network, TestCall call, const MemoryEffect& effect) {
  constexpr std::uint32_t kGap = 24;
  constexpr std::uint8_t kUnused = 0xA5;
  call.source = kGap + 3;
  call.target = call.source + effect.source + kGap + 2;
  call.scratch = (call.target + effect.target + kGap) / 8 * 8 + 8;
  const std::uint32_t end = call.scratch + effect.scratch + kGap;
  const auto put = [](Bytes& memory, std::uint32_t at, const Bytes& bytes) {
    ASSERT_LE(at + bytes.size(), memory.size());
    std::copy(bytes.begin(), bytes.end(), memory.begin() + at);
  };
  std::vector<Bytes> expected(network.nodes(), Bytes(end, kUnused));
  for (std::size_t i = 0; i < network.nodes(); ++i) {
    put(expected[i], call.source, effect.before(i));
    network.bus(i).put(0, expected[i].data(), end);
    if (effect.source_after) put(expected[i], call.source, effect.source_after(i));
    if (effect.after) put(expected[i], call.target, effect.after(i));
  }
  const std::size_t first = network.records.size();
  network.call_some([&](std::size_t node) { return !effect.called || effect.called(node); },
                    [&](std::size_t) { return call; });
  EXPECT_EQ(network.unmatched(), 0U);
  for (std::size_t i = 0; i < network.nodes(); ++i) {
    const auto* memory = reinterpret_cast<const std::uint8_t*>(network.bus(i).at(0, end));
    for (std::uint32_t at = 0; at < end; ++at) {
      if (at >= call.scratch && at < call.scratch + effect.scratch) continue;
      if (memory[at] == expected[i][at]) continue;
      ADD_FAILURE() << "node " << i << " of " << network.nodes() << ", byte " << at
                    << ": SOURCE is at " << call.source << ", TARGET at " << call.target
                    << ", SCRATCH at " << call.scratch;
      return {};
    }
  }
  Records sent(network.records.begin() + static_cast<std::ptrdiff_t>(first), network.records.end());
  std::erase_if(sent, [](const FakeNetwork::Record& r) { return r.from == r.to; });
  return sent;
}

/// As messages are compared.
struct ScheduledMessage {
  std::size_t from = 0, to = 0;
  std::uint32_t bytes = 0;
  auto operator<=>(const ScheduledMessage&) const = default;
};
using Messages = std::vector<ScheduledMessage>;
inline Messages sorted_messages(const Records& records) {
  Messages result;
  for (const FakeNetwork::Record& r : records) result.push_back({r.from, r.to, r.bytes});
  std::sort(result.begin(), result.end());
  return result;
}

/// What the steps of messages say, and which of them share a channel of a mesh.
struct StepFacts {
  std::uint32_t steps = 0;       ///< the last one
  std::uint32_t most_sends = 0;  ///< of a node in a step
  std::size_t contending = 0;    ///< messages that find a channel taken by their own step
};
inline StepFacts step_facts(const Records& records, Size size) {
  StepFacts facts;
  std::set<std::tuple<std::uint32_t, std::size_t, int>> taken;
  std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> sends;
  const std::vector<Address> nodes = nodes_of(size);
  for (const FakeNetwork::Record& r : records) {
    facts.steps = std::max(facts.steps, r.step);
    facts.most_sends = std::max(facts.most_sends, ++sends[{r.from, r.step}]);
    Address at = nodes[r.from];
    bool free = true;
    const auto walk = [&](std::uint8_t& from, std::uint8_t to, int dimension) {
      while (from != to) {
        const int direction = 2 * dimension + (from < to ? 0 : 1);
        free &= taken.emplace(r.step, index_of(at, size), direction).second;
        from = static_cast<std::uint8_t>(from < to ? from + 1 : from - 1);
      }
    };
    walk(at.x, nodes[r.to].x, 0);
    walk(at.y, nodes[r.to].y, 1);
    walk(at.z, nodes[r.to].z, 2);
    facts.contending += free ? 0 : 1;
  }
  return facts;
}

// The networks and blocks of the tests.
inline const std::vector<Size> kSizes = {{1, 1, 1}, {2, 1, 1}, {1, 3, 1}, {5, 1, 1}, {2, 2, 1},
                                         {3, 2, 1}, {4, 4, 1}, {2, 2, 2}, {1, 3, 4}, {5, 3, 1}};
inline const std::vector<std::uint32_t> kBytes = {0, 1, 7, 8, 64, 1000};

/// Every size of network and block, each with an order of events of its own.
inline void for_each_network(
    const std::function<void(FakeNetwork&, Size, std::uint32_t bytes)>& check) {
  std::uint32_t seed = 0;  // 0 is round robin
  for (const Size size : kSizes) {
    for (std::uint32_t round = 0; round < 3; ++round) {
      FakeNetwork network(size, seed++);
      for (const std::uint32_t bytes : kBytes) {
        SCOPED_TRACE(::testing::Message() << size.x << " x " << size.y << " x " << size.z << ", "
                                          << bytes << " bytes, seed " << seed - 1);
        check(network, size, bytes);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

}  // namespace annelid::firmware
