// Puts the parts of all nodes together and checks what every broadcast promises.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "firmware/collectives/broadcast.hpp"

namespace annelid::firmware {

inline Address at(int x, int y) {
  return {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), 0};
}

inline std::vector<Address> nodes_of(Size size) {
  std::vector<Address> nodes;
  for (int y = 0; y < size.y; ++y) {
    for (int x = 0; x < size.x; ++x) nodes.push_back(at(x, y));
  }
  return nodes;
}

/// A node's place in an array of all nodes.
inline std::size_t index_of(Address a, Size size) {
  return static_cast<std::size_t>(a.y) * static_cast<std::size_t>(size.x) + a.x;
}

/// Which external channels messages use in which step, by dimension order, x before y. A channel is
/// its first node and a direction.
class ChannelUse {
 public:
  explicit ChannelUse(Size size) : size_(size), steps_(4 * nodes_of(size).size()) {}

  /// Returns whether nothing else that was sent in this step, 1..31, uses a channel of this
  /// message.
  bool send(Address from, Address to, int step) {
    bool free = true;
    int x = from.x, y = from.y;
    const auto hop = [&](std::size_t direction) {
      std::uint32_t& steps = steps_[4 * index_of(at(x, y), size_) + direction];
      const std::uint32_t bit = std::uint32_t{1} << step;
      free = free && (steps & bit) == 0;
      steps |= bit;
    };
    for (; x < to.x; ++x) hop(0);
    for (; x > to.x; --x) hop(1);
    for (; y < to.y; ++y) hop(2);
    for (; y > to.y; --y) hop(3);
    return free;
  }

 private:
  Size size_;
  std::vector<std::uint32_t> steps_;  // bit s: used in step s
};

/// What check_broadcast found out about a whole broadcast.
struct BroadcastFacts {
  int steps = 0;
  long messages = 0;
  int most_sends_per_step = 0;
};

/// Fails the test where one of these does not hold: every node but the root has a parent that sends
/// to it, once, in the step in which it receives; no node sends in or before the step in which it
/// receives; sends are ordered; messages of a step share no channel.
inline BroadcastFacts check_broadcast(BroadcastRule rule, Size size, Address root) {
  SCOPED_TRACE("size " + std::to_string(size.x) + " x " + std::to_string(size.y) + ", root (" +
               std::to_string(root.x) + ", " + std::to_string(root.y) + ")");
  const auto index = [&](Address a) { return index_of(a, size); };
  struct Expected {
    Address from;
    int step = 0;
    int times = 0;
  };
  std::vector<Expected> expected(nodes_of(size).size());
  std::vector<BroadcastPlan> plans;
  BroadcastFacts facts;
  ChannelUse channels(size);
  int shared = 0;
  for (const Address node : nodes_of(size)) {
    plans.push_back(rule(node, size, root));
    const BroadcastPlan& plan = plans.back();
    BroadcastPlan::Send before{};
    int in_step = 0;
    for (const BroadcastPlan::Send& send : plan.sends()) {
      if (!size.contains(send.to)) {
        ADD_FAILURE() << "a send leaves the mesh";
        return facts;
      }
      EXPECT_GT(send.step, plan.receive_step) << "sends before it has the message";
      if (before.step != 0) {
        EXPECT_LT(std::tie(before.step, before.to.y, before.to.x),
                  std::tie(send.step, send.to.y, send.to.x));
      }
      in_step = send.step == before.step ? in_step + 1 : 1;
      facts.most_sends_per_step = std::max(facts.most_sends_per_step, in_step);
      facts.steps = std::max<int>(facts.steps, send.step);
      shared += channels.send(node, send.to, send.step) ? 0 : 1;
      Expected& e = expected[index(send.to)];
      e = {node, send.step, e.times + 1};
      before = send;
      ++facts.messages;
    }
  }
  for (const Address node : nodes_of(size)) {
    const BroadcastPlan& plan = plans[index(node)];
    const Expected& e = expected[index(node)];
    EXPECT_EQ(e.times, node == root ? 0 : 1) << "(" << +node.x << ", " << +node.y << ")";
    EXPECT_EQ(plan.parent.has_value(), node != root);
    if (plan.parent && e.times > 0) {
      EXPECT_EQ(*plan.parent, e.from);
      EXPECT_EQ(plan.receive_step, e.step);
    }
    if (::testing::Test::HasFailure()) return facts;
  }
  EXPECT_EQ(shared, 0) << "messages that share a channel with another one of their step";
  return facts;
}

}  // namespace annelid::firmware
