// What the tests of schedules share: counting conflicts, following parts, sampled roots.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>

#include "reference/contention.hpp"
#include "reference/parts.hpp"

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

/// A complete broadcast, each node reached once by a node that has the message.
inline void expect_broadcast(const Network& net, Node root, const Schedule& schedule) {
  const auto violation = broadcast_violation(net, root, schedule);
  ASSERT_FALSE(violation.has_value())
      << to_string(net) << " " << to_string(root) << ": " << *violation;
  ASSERT_EQ(schedule.messages(), static_cast<std::uint64_t>(net.nodes() - 1));
  for (const Step& step : schedule.steps) ASSERT_FALSE(step.empty()) << to_string(net);
}

inline std::vector<Node> all_nodes(const Network& net) {
  std::vector<Node> nodes;
  for (int i = 0; i < net.nodes(); ++i) nodes.push_back(node_at(net, i));
  return nodes;
}

/// Nodes by the seed of the test program (--gtest_random_seed, else 1), which a failure prints.
inline std::vector<Node> sampled_nodes(const Network& net, int count) {
  const int seed = ::testing::UnitTest::GetInstance()->random_seed();
  std::mt19937 random(static_cast<unsigned>(seed == 0 ? 1 : seed));
  std::uniform_int_distribution<int> index(0, net.nodes() - 1);
  std::vector<Node> nodes;
  for (int i = 0; i < count; ++i) nodes.push_back(node_at(net, index(random)));
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
