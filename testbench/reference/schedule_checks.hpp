// What the tests of schedules share: networks, rules of a broadcast, counting conflicts, following
// parts, sampled roots.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "reference/checks/contention.hpp"
#include "reference/schedule/parts.hpp"

namespace annelid::reference {

inline std::uint64_t conflicts(const Network& net, const Schedule& schedule) {
  std::uint64_t n = 0;
  for (const StepContention& step : contention(net, schedule)) n += step.conflicts.size();
  return n;
}

inline int most_sends(const Network& net, const Schedule& schedule) {
  int n = 0;
  for (const StepContention& step : contention(net, schedule)) n = std::max(n, step.max_sends);
  return n;
}

inline int ceil_log(int base, std::int64_t n) {
  int steps = 0;
  for (std::int64_t reached = 1; reached < n; reached *= base) ++steps;
  return steps;
}

/// Lines, meshes and tori of 1 to 64 nodes, of even, odd and unlike sizes.
inline const std::vector<Network> kSmallNetworks{{1, 1},
                                                 {2, 1},
                                                 {1, 9},
                                                 {5, 3},
                                                 {4, 4},
                                                 {7, 7},
                                                 {8, 8},
                                                 {3, 4, 5},
                                                 {7, 6, 1, {true, true, false}},
                                                 {2, 2, 2, {true, true, true}},
                                                 {5, 4, 3, {true, true, true}},
                                                 {6, 5, 1, {false, true, false}}};

/// Every network with sides of 1 to 4 in three dimensions, each dimension of several nodes once as
/// a line and once as a ring: 343 networks, among them all whose x or y is 1.
inline std::vector<Network> networks_of_sides_to_4() {
  std::vector<Network> networks;
  for (int rings = 0; rings < 8; ++rings) {
    for (int i = 0; i < 64; ++i) {
      const Network net{i % 4 + 1,
                        i / 4 % 4 + 1,
                        i / 16 + 1,
                        {(rings & 1) != 0, (rings & 2) != 0, (rings & 4) != 0}};
      bool real = true;
      for (std::size_t d = 0; d < 3; ++d) real &= !net.ring[d] || net.size()[d] > 1;
      if (real) networks.push_back(net);
    }
  }
  return networks;
}

/// A complete broadcast, each node reached once by a node that has the message.
inline void expect_all_reached(const Network& net, Node root, const Schedule& schedule) {
  const auto violation = broadcast_violation(net, root, schedule);
  ASSERT_FALSE(violation.has_value())
      << to_string(net) << " " << to_string(root) << ": " << *violation;
  ASSERT_EQ(schedule.messages(), static_cast<std::uint64_t>(net.nodes() - 1));
}

/// A complete broadcast, in steps that all have a message.
inline void expect_broadcast(const Network& net, Node root, const Schedule& schedule) {
  expect_all_reached(net, root, schedule);
  for (const Step& step : schedule.steps) ASSERT_FALSE(step.empty()) << to_string(net);
}

/// A complete broadcast without stepwise contention, with at most `fan_out` sends of a node in a
/// step. A step may be empty: the source may be who would have been sent to.
inline void expect_contention_free_broadcast(const Network& net, Node root,
                                             const Schedule& schedule, int fan_out) {
  const std::string where = to_string(net) + " from " + to_string(root);
  expect_all_reached(net, root, schedule);
  for (const StepContention& step : contention(net, schedule)) {
    EXPECT_TRUE(step.conflicts.empty()) << where << ", step " << step.conflicts[0].step << ": "
                                        << to_string(step.conflicts[0].first.from) << " -> "
                                        << to_string(step.conflicts[0].first.to) << " and "
                                        << to_string(step.conflicts[0].second.from) << " -> "
                                        << to_string(step.conflicts[0].second.to);
    EXPECT_LE(step.max_sends, fan_out) << where;
  }
}

inline std::vector<Node> all_nodes(const Network& net) {
  std::vector<Node> nodes;
  for (int i = 0; i < net.nodes(); ++i) nodes.push_back(node_at(net, i));
  return nodes;
}

/// ANNELID_SEED, or a random one: always printed with the samples that it gives.
inline std::uint64_t sample_seed() {
  if (const char* given = std::getenv("ANNELID_SEED")) return std::strtoull(given, nullptr, 0);
  return std::random_device{}();
}

inline std::vector<Node> sampled_nodes(const Network& net, int count) {
  const std::uint64_t seed = sample_seed();
  std::cout << to_string(net) << ": nodes sampled with ANNELID_SEED=" << seed << '\n';
  std::mt19937_64 random(seed);
  std::vector<Node> nodes;
  for (int i = 0; i < count; ++i) {
    const auto drawn = random() % static_cast<std::uint64_t>(net.nodes());
    nodes.push_back(node_at(net, static_cast<int>(drawn)));
  }
  return nodes;
}

/// All nodes of a network of up to `all` nodes; else `samples` of them, and the two corners.
inline std::vector<Node> sources_of(const Network& net, int all, int samples) {
  if (net.nodes() <= all) return all_nodes(net);
  std::vector<Node> nodes = sampled_nodes(net, samples);
  nodes.insert(nodes.end(), {node_at(net, 0), node_at(net, net.nodes() - 1)});
  return nodes;
}

/// Plays messages of parts: every sender must have what it sends before the step; at the end
/// everyone has all. `had`: the parts that a node has at the start.
inline void expect_all_parts_everywhere(const Network& net, std::uint64_t parts,
                                        const PartSchedule& schedule,
                                        const std::function<bool(Node, std::uint64_t)>& had) {
  std::vector<std::vector<bool>> has(static_cast<std::size_t>(net.nodes()));
  const auto at = [&](Node n) -> std::vector<bool>& {
    return has[static_cast<std::size_t>(index_of(net, n))];
  };
  for (Node n : all_nodes(net)) {
    for (std::uint64_t p = 0; p < parts; ++p) at(n).push_back(had(n, p));
  }
  for (const auto& step : schedule) {
    for (const PartMessage& m : step) {
      ASSERT_LT(m.first, m.end);
      for (std::uint64_t p = m.first; p < m.end; ++p) {
        ASSERT_TRUE(at(m.from)[p]) << to_string(m.from) << " has no part " << p << " to send";
      }
    }
    for (const PartMessage& m : step) {
      for (std::uint64_t p = m.first; p < m.end; ++p) at(m.to)[p] = true;
    }
  }
  for (Node n : all_nodes(net)) {
    for (std::uint64_t p = 0; p < parts; ++p) ASSERT_TRUE(at(n)[p]) << to_string(n) << " " << p;
  }
}

}  // namespace annelid::reference
