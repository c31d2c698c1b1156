// Nodes with fake NICs, at which each call is prepared first, and then started twice.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "testbench/firmware/support/list_player.hpp"

namespace annelid::firmware {

/// Where these tests keep what PREPARE needs. What a call names itself is below.
struct PreparedAreas {
  static constexpr std::uint32_t kBuffers = 0x30000;  // the end of what a call names
  static constexpr std::uint32_t kWords = kBuffers, kAnswer = 0x30100, kList = 0x30200;
  static constexpr std::uint32_t kRoom = 0x10000;
};

/// PREPARE of the call whose words are in memory.
inline TestCall prepare_call(std::uint32_t room = PreparedAreas::kRoom) {
  return {.operation = reg::Operation::kPrepare,
          .source = PreparedAreas::kWords,
          .target = PreparedAreas::kAnswer,
          .count = room,
          .scratch = PreparedAreas::kList};
}
inline TestCall call_of_handle(reg::Operation operation, std::uint32_t handle) {
  return {.operation = operation, .parameter = {handle}};
}

class PreparedNetwork : public FakeNetwork {
 public:
  explicit PreparedNetwork(Size size, std::uint32_t seed = 1, std::uint32_t rings = 0,
                           const MakeFirmware& make = {})
      : FakeNetwork(size, 0, 0, make, rings), size_(size), seed_(seed) {}

  /// What PREPARE answers at a node.
  reg::CallResult prepare(std::size_t node, const TestCall& call,
                          std::uint32_t room = PreparedAreas::kRoom) {
    FakeBus& b = bus(node);
    const auto words = call.words();
    b.put(PreparedAreas::kWords, words.data(), sizeof words);
    const std::uint32_t ticket = b.call(prepare_call(room));
    (*this)[node].firmware->run();
    return result(node, ticket);
  }
  reg::CallResult free(std::size_t node, std::uint32_t handle) {
    const std::uint32_t ticket = bus(node).call(call_of_handle(reg::Operation::kFree, handle));
    (*this)[node].firmware->run();
    return result(node, ticket);
  }
  std::uint32_t answer(std::size_t node, std::uint32_t word = 0) {
    return bus(node).get<std::uint32_t>(PreparedAreas::kAnswer + 4 * word);
  }

  /// Prepares the call, starts it twice with the same bytes in memory, and frees it. `records` gets
  /// the messages of the second start.
  void call_some(const std::function<bool(std::size_t)>& calls,
                 const std::function<TestCall(std::size_t)>& call) override {
    if (makes_groups(call(0).operation)) return FakeNetwork::call_some(calls, call);
    const Memories before = memories();
    std::map<std::size_t, std::uint32_t> scratch;  // by node that is called
    for (std::size_t i = 0; i < nodes(); ++i) {
      if (!calls(i)) continue;
      scratch[i] = call(i).scratch;
      const std::size_t queued = bus(i).queued.size();
      ASSERT_EQ(prepare(i, call(i)), reg::CallResult::kSuccess) << "node " << i;
      EXPECT_EQ(bus(i).queued.size(), queued) << "node " << i << " sends while it prepares";
      EXPECT_EQ(changes(before[i], i, scratch[i]), 0U) << "node " << i;
    }
    Memories first;
    for (std::uint32_t start = 0; start < 2; ++start) {
      for (std::size_t i = 0; i < nodes(); ++i) bus(i).put(0, before[i].data(), before[i].size());
      std::map<std::size_t, PlayedList> lists = kept_lists(scratch);
      ListPlayer player(*this, size_, lists, ++seed_);
      const std::vector<Record> played = player.play();
      if (start == 0) {
        first = memories();
      } else {
        for (const auto& [node, end] : scratch) {
          EXPECT_EQ(changes(first[node], node, end), 0U) << "node " << node << " started again";
        }
        records.insert(records.end(), played.begin(), played.end());
      }
    }
    for (const auto& [node, unused] : scratch) {
      EXPECT_EQ(free(node, answer(node)), reg::CallResult::kSuccess);
      EXPECT_TRUE(bus(node).lists.empty());
    }
  }

 private:
  using Memories = std::vector<std::vector<std::byte>>;

  static bool makes_groups(reg::Operation operation) {
    return operation == reg::Operation::kGroup || operation == reg::Operation::kPartition;
  }
  /// The bytes of the call's buffers.
  Memories memories() {
    Memories result;
    for (std::size_t i = 0; i < nodes(); ++i) {
      const std::byte* bytes = bus(i).at(0, PreparedAreas::kBuffers);
      result.emplace_back(bytes, bytes + PreparedAreas::kBuffers);
    }
    return result;
  }
  /// How many of the bytes below `end` are no longer as they were.
  std::size_t changes(const std::vector<std::byte>& before, std::size_t node, std::uint32_t end) {
    const std::byte* now = bus(node).at(0, end);
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < end; ++i) count += now[i] != before[i] ? 1 : 0;
    return count;
  }
  std::map<std::size_t, PlayedList> kept_lists(const std::map<std::size_t, std::uint32_t>& of) {
    std::map<std::size_t, PlayedList> lists;
    for (const auto& [node, unused] : of) {
      EXPECT_EQ(bus(node).lists.size(), 1U);
      const FakeBus::List& list = bus(node).lists.begin()->second;
      EXPECT_EQ(list.handle, answer(node));
      EXPECT_EQ(list.offset, PreparedAreas::kList);
      EXPECT_EQ(((list.counts >> 16) + (list.counts & 0xFFFF)) * 32, answer(node, 1));
      lists.emplace(node, PlayedList(bus(node), list.offset, list.counts));
    }
    return lists;
  }

  Size size_;
  std::uint32_t seed_;
};

}  // namespace annelid::firmware
