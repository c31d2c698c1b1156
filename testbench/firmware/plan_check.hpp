// Puts the parts of all nodes together and checks what every broadcast promises.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "firmware/collectives/broadcast.hpp"

namespace annelid::firmware {

inline Address at(int x, int y, int z = 0) {
  return {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), static_cast<std::uint8_t>(z)};
}

inline std::vector<Address> nodes_of(Size size) {
  std::vector<Address> nodes;
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x) nodes.push_back(at(x, y, z));
    }
  }
  return nodes;
}

/// A node's place in an array of all nodes.
inline std::size_t index_of(Address a, Size size) {
  return (static_cast<std::size_t>(a.z) * static_cast<std::size_t>(size.y) + a.y) *
             static_cast<std::size_t>(size.x) +
         a.x;
}

/// Which external channels messages use in which step, by dimension order, x, y, z. A channel is
/// its first node and a direction.
class ChannelUse {
 public:
  explicit ChannelUse(Size size) : size_(size), steps_(6 * nodes_of(size).size()) {}

  /// Returns whether nothing else that was sent in this step, 1..31, uses a channel of this
  /// message.
  bool send(Address from, Address to, int step) {
    bool free = true;
    int x = from.x, y = from.y, z = from.z;
    const auto hop = [&](std::size_t direction) {
      std::uint32_t& steps = steps_[6 * index_of(at(x, y, z), size_) + direction];
      const std::uint32_t bit = std::uint32_t{1} << step;
      free = free && (steps & bit) == 0;
      steps |= bit;
    };
    for (; x < to.x; ++x) hop(0);
    for (; x > to.x; --x) hop(1);
    for (; y < to.y; ++y) hop(2);
    for (; y > to.y; --y) hop(3);
    for (; z < to.z; ++z) hop(4);
    for (; z > to.z; --z) hop(5);
    return free;
  }

 private:
  Size size_;
  std::vector<std::uint32_t> steps_;  // bit s: used in step s
};

/// A process's whole part in a broadcast over ALL.
struct Part {
  struct Send {
    Address to;
    int step = 0;
    friend bool operator==(const Send&, const Send&) = default;
  };
  std::optional<Address> parent;
  int receive_step = 0;
  std::vector<Send> sends;
};
inline Part part_of(const BroadcastRule& rule, Address self, Size size, Address root) {
  const Topology network(self, size);
  BroadcastPlan plan;
  const Group all = Group::all(network, {});
  rule.find_parent(all, network.pid(root), plan);
  Part part{{}, plan.receive_step, {}};
  if (plan.receive_step != 0) part.parent = plan.parent;
  while (rule.next_step(all, network.pid(root), plan)) {
    EXPECT_FALSE(plan.sends().empty());
    for (const Address to : plan.sends()) part.sends.push_back({to, plan.step});
  }
  return part;
}

/// What check_broadcast found out about a whole broadcast.
struct BroadcastFacts {
  int steps = 0;
  long messages = 0;
  int most_sends_per_step = 0;
};

/// Fails the test where one of these does not hold: every node but the root has a parent that sends
/// to it, once, in the step in which it receives; no node sends in or before the step in which it
/// receives; sends are ordered; messages of a step share no channel.
inline BroadcastFacts check_broadcast(const BroadcastRule& rule, Size size, Address root) {
  SCOPED_TRACE("size " + std::to_string(size.x) + " x " + std::to_string(size.y) + " x " +
               std::to_string(size.z) + ", root (" + std::to_string(root.x) + ", " +
               std::to_string(root.y) + ", " + std::to_string(root.z) + ")");
  const auto index = [&](Address a) { return index_of(a, size); };
  struct Expected {
    Address from;
    int step = 0;
    int times = 0;
  };
  std::vector<Expected> expected(nodes_of(size).size());
  std::vector<Part> parts;
  BroadcastFacts facts;
  ChannelUse channels(size);
  int shared = 0;
  for (const Address node : nodes_of(size)) {
    parts.push_back(part_of(rule, node, size, root));
    const Part& part = parts.back();
    Part::Send before{};
    int in_step = 0;
    for (const Part::Send& send : part.sends) {
      if (!size.contains(send.to)) {
        ADD_FAILURE() << "a send leaves the mesh";
        return facts;
      }
      EXPECT_GT(send.step, part.receive_step) << "sends before it has the message";
      if (before.step != 0) {
        EXPECT_LT(std::tuple(before.step, before.to.word()), std::tuple(send.step, send.to.word()));
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
    const Part& part = parts[index(node)];
    const Expected& e = expected[index(node)];
    EXPECT_EQ(e.times, node == root ? 0 : 1) << "(" << +node.x << ", " << +node.y << ")";
    EXPECT_EQ(part.parent.has_value(), node != root);
    if (part.parent && e.times > 0) {
      EXPECT_EQ(*part.parent, e.from);
      EXPECT_EQ(part.receive_step, e.step);
    }
    if (::testing::Test::HasFailure()) return facts;
  }
  EXPECT_EQ(shared, 0) << "messages that share a channel with another one of their step";
  return facts;
}

}  // namespace annelid::firmware
