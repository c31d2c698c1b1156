// An operation, called at every node of a network of fake NICs: the bytes that it must leave at
// each node, and those that it must leave alone.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "testbench/firmware/fake_network.hpp"

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
  std::function<Bytes(std::size_t node)> before, after;      // SOURCE; TARGET
  std::function<Bytes(std::size_t node)> source_after = {};  // SOURCE, if it changes
};

/// A message of a schedule, as records are compared.
struct ScheduledMessage {
  std::size_t from = 0, to = 0;
  std::uint32_t bytes = 0;
  auto operator<=>(const ScheduledMessage&) const = default;
};
/// Those from `first` on, without those of a node to itself, sorted.
inline std::vector<ScheduledMessage> messages_since(const FakeNetwork& network, std::size_t first) {
  std::vector<ScheduledMessage> result;
  for (std::size_t i = first; i < network.records.size(); ++i) {
    const FakeNetwork::Record& r = network.records[i];
    if (r.from != r.to) result.push_back({r.from, r.to, r.bytes});
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// Makes the call at all nodes with buffers at places that are not aligned, and looks at every byte
/// of memory around them. Gives the messages that were sent.
inline std::vector<ScheduledMessage> expect_operation(FakeNetwork& network, TestCall call,
                                                      const MemoryEffect& effect) {
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
  network.call_all([&](std::size_t) { return call; });
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
  return messages_since(network, first);
}

}  // namespace annelid::firmware
