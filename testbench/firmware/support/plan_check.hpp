// Puts the parts of all nodes together and checks what every broadcast promises.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "firmware/collectives/trees/tree.hpp"

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

/// What a plan depends on beside sizes and root.
struct PlanOptions {
  std::uint32_t rings = 0;      ///< bit d: dimension d is a ring
  std::uint32_t parameter = 0;  ///< PARAMETER_1
  bool reversed = false;        ///< the tree of a reduction: its messages go to the parents
};

/// Which external channels messages use in which step, by dimension order, x, y, z; in a ring the
/// shorter way, and + if both are as long. A channel is its first node and a direction.
class ChannelUse {
 public:
  explicit ChannelUse(Size size, std::uint32_t rings = 0)
      : size_(size), rings_(rings), steps_(6 * nodes_of(size).size()) {}

  /// Returns whether nothing else that was sent in this step, 1..31, uses a channel of this
  /// message.
  bool send(Address from, Address to, int step) {
    bool free = true;
    int at[3] = {from.x, from.y, from.z};
    const int end[3] = {to.x, to.y, to.z}, size[3] = {size_.x, size_.y, size_.z};
    for (std::size_t d = 0; d < 3; ++d) {
      const int forward = (end[d] - at[d] + size[d]) % size[d], backward = size[d] - forward;
      const bool ring = (rings_ >> d & 1) != 0;
      const bool plus = ring ? forward <= backward : end[d] > at[d];
      while (at[d] != end[d]) {
        const auto node = static_cast<std::size_t>((at[2] * size[1] + at[1]) * size[0] + at[0]);
        std::uint32_t& steps = steps_[6 * node + 2 * d + (plus ? 0 : 1)];
        const std::uint32_t bit = std::uint32_t{1} << step;
        free = free && (steps & bit) == 0;
        steps |= bit;
        at[d] = (at[d] + (plus ? 1 : size[d] - 1)) % size[d];
        ++hops_;
      }
    }
    return free;
  }
  /// The hops of all messages.
  [[nodiscard]] long hops() const { return hops_; }

 private:
  Size size_;
  std::uint32_t rings_;
  std::vector<std::uint32_t> steps_;  // bit s: used in step s
  long hops_ = 0;
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
inline Part part_of(const TreeRule& rule, const Frame& frame, Address node) {
  TreePlan plan;
  rule.find_parent(frame, node, plan);
  Part part{{}, plan.receive_step, {}};
  if (plan.receive_step != 0) part.parent = plan.parent;
  while (rule.next_step(frame, node, plan)) {
    EXPECT_FALSE(plan.sends().empty());
    for (const Address to : plan.sends()) part.sends.push_back({to, plan.step});
  }
  return part;
}
inline Part part_of(const TreeRule& rule, Address self, Size size, Address root,
                    const PlanOptions& options = {}) {
  const Topology network(self, size, options.rings);
  const Group all = Group::all(network, {});
  Frame frame(all, network.pid(root), options.parameter, options.reversed);
  EXPECT_TRUE(rule.fits(frame));
  return part_of(rule, frame, frame.self());
}

/// In which order a node sends the messages of a step.
enum class Sends {
  kSorted,    ///< in ascending (z, y, x) of the receivers
  kAsStated,  ///< as the algorithm says
};

/// What check_broadcast found out about a whole broadcast.
struct BroadcastFacts {
  int steps = 0;
  long messages = 0, hops = 0;
  int most_sends_per_step = 0, most_sends = 0;
  int contending = 0;  ///< messages that share a channel with an earlier one of their step
};

/// Fails the test where one of these does not hold: the rule fits; every node but the root has a
/// parent that sends to it, once, in the step in which it receives; no node sends in or before the
/// step in which it receives; sends are ordered by steps, and within them as `sends` says; the rule
/// knows how many steps there are and how large each node's tree is; messages of a step share no
/// channel, in the direction in which they go. The root is one of
/// the network, also of a reversed tree.
inline BroadcastFacts check_broadcast(const TreeRule& rule, Size size, Address root,
                                      const PlanOptions& options = {},
                                      Sends sends = Sends::kSorted) {
  SCOPED_TRACE("size " + std::to_string(size.x) + " x " + std::to_string(size.y) + " x " +
               std::to_string(size.z) + ", rings " + std::to_string(options.rings) + ", root (" +
               std::to_string(root.x) + ", " + std::to_string(root.y) + ", " +
               std::to_string(root.z) + "), parameter " + std::to_string(options.parameter) +
               (options.reversed ? ", reversed" : ""));
  const Topology network(root, size, options.rings);
  const Group all = Group::all(network, {});
  Frame frame(all, network.pid(root), options.parameter, options.reversed);
  const auto index = [&](Address a) { return index_of(a, frame.size()); };
  struct Expected {
    Address from;
    int step = 0;
    int times = 0;
  };
  const std::vector<Address> nodes = nodes_of(frame.size());
  std::vector<Expected> expected(nodes.size());
  std::vector<Part> parts;
  BroadcastFacts facts;
  EXPECT_TRUE(rule.fits(frame));
  if (::testing::Test::HasFailure()) return facts;
  ChannelUse channels(size, options.rings);
  for (const Address node : nodes) {
    parts.push_back(part_of(rule, frame, node));
    const Part& part = parts.back();
    Part::Send before{};
    int in_step = 0;
    for (const Part::Send& send : part.sends) {
      if (!frame.size().contains(send.to)) {
        ADD_FAILURE() << "a send leaves the network";
        return facts;
      }
      EXPECT_GT(send.step, part.receive_step) << "sends before it has the message";
      if (before.step != 0) {
        EXPECT_LE(before.step, send.step);
        if (sends == Sends::kSorted && before.step == send.step) {
          EXPECT_LT(before.to.word(), send.to.word());
        }
      }
      in_step = send.step == before.step ? in_step + 1 : 1;
      facts.most_sends_per_step = std::max(facts.most_sends_per_step, in_step);
      facts.steps = std::max<int>(facts.steps, send.step);
      const Address upper = frame.address(node), lower = frame.address(send.to);
      facts.contending += channels.send(options.reversed ? lower : upper,
                                        options.reversed ? upper : lower, send.step)
                              ? 0
                              : 1;
      Expected& e = expected[index(send.to)];
      e = {node, send.step, e.times + 1};
      before = send;
      ++facts.messages;
    }
    facts.most_sends = std::max(facts.most_sends, static_cast<int>(part.sends.size()));
  }
  facts.hops = channels.hops();
  std::vector<std::pair<int, std::size_t>> by_step;
  for (const Address node : nodes) {
    const Part& part = parts[index(node)];
    const Expected& e = expected[index(node)];
    by_step.emplace_back(part.receive_step, index(node));
    const bool is_root = node == frame.root();
    EXPECT_EQ(e.times, is_root ? 0 : 1)
        << "(" << +node.x << ", " << +node.y << ", " << +node.z << ") of the frame";
    EXPECT_EQ(part.parent.has_value(), !is_root);
    if (part.parent && e.times > 0) {
      EXPECT_EQ(*part.parent, e.from);
      EXPECT_EQ(part.receive_step, e.step);
    }
    if (::testing::Test::HasFailure()) return facts;
  }
  // Children before their parents: they receive later.
  std::sort(by_step.rbegin(), by_step.rend());
  std::vector<std::uint32_t> in_tree(nodes.size(), 1);
  for (const auto& [step, i] : by_step) {
    if (parts[i].parent) in_tree[index(*parts[i].parent)] += in_tree[i];
  }
  if (rule.subtree != nullptr) {
    for (const Address node : nodes) EXPECT_EQ(rule.subtree(frame, node), in_tree[index(node)]);
  }
  EXPECT_EQ(rule.steps(frame), facts.steps);
  EXPECT_LE(facts.most_sends, static_cast<int>(TreePlan::kMaxSends));
  EXPECT_EQ(facts.contending, 0) << facts.contending
                                 << " messages share a channel with another one of their step";
  return facts;
}

}  // namespace annelid::firmware
