// What every test of a broadcast's schedule asks, and samples of sources.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

#include "reference/contention.hpp"

namespace annelid::reference {

/// ANNELID_SEED, or one from the clock's place: always printed with the samples that it gives.
inline std::uint64_t sample_seed() {
  if (const char* given = std::getenv("ANNELID_SEED")) return std::strtoull(given, nullptr, 0);
  return std::random_device{}();
}

/// All nodes of a network of up to `all` nodes; else `samples` of them, and the two corners. Prints
/// the seed.
inline std::vector<Node> sources_of(const Network& net, int all, int samples) {
  std::vector<Node> nodes;
  if (net.nodes() <= all) {
    for (int i = 0; i < net.nodes(); ++i) nodes.push_back(node_at(net, i));
    return nodes;
  }
  const std::uint64_t seed = sample_seed();
  std::cout << to_string(net) << ": sources sampled with ANNELID_SEED=" << seed << '\n';
  std::mt19937_64 random(seed);
  nodes = {node_at(net, 0), node_at(net, net.nodes() - 1)};
  for (int i = 0; i < samples; ++i) {
    const auto drawn = random() % static_cast<std::uint64_t>(net.nodes());
    nodes.push_back(node_at(net, static_cast<int>(drawn)));
  }
  return nodes;
}

/// N - 1 messages, exactly one to each node but the root, from holders, without stepwise
/// contention, with at most `fan_out` sends of a node in a step.
inline void expect_contention_free_broadcast(const Network& net, Node root,
                                             const Schedule& schedule, int fan_out) {
  const std::string where = to_string(net) + " from " + to_string(root);
  EXPECT_EQ(schedule.messages(), static_cast<std::uint64_t>(net.nodes() - 1)) << where;
  const auto violation = broadcast_violation(net, root, schedule);
  EXPECT_FALSE(violation.has_value()) << where << ": " << *violation;
  for (const StepContention& step : contention(net, schedule)) {
    EXPECT_TRUE(step.conflicts.empty()) << where << ", step " << step.conflicts[0].step << ": "
                                        << to_string(step.conflicts[0].first.from) << " -> "
                                        << to_string(step.conflicts[0].first.to) << " and "
                                        << to_string(step.conflicts[0].second.from) << " -> "
                                        << to_string(step.conflicts[0].second.to);
    EXPECT_LE(step.max_sends, fan_out) << where;
  }
}

}  // namespace annelid::reference
