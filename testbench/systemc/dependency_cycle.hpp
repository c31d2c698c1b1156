// Whether channels that wait on each other are a cycle of the channel-dependency graph.
#pragma once

#include <gmock/gmock.h>

#include <vector>

#include "systemc/network/channel_dependencies.hpp"

namespace annelid::systemc {

/// Each channel's packet may ask for the next one, and the last one's for the first.
inline void expect_dependency_cycle(const NetworkConfig& config,
                                    const std::vector<ChannelClass>& cycle) {
  const ChannelDependencies graph(config);
  ASSERT_THAT(cycle, ::testing::Not(::testing::IsEmpty()));
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    std::vector<ChannelDependencies::Vertex> next;
    graph.successors(graph.vertex(cycle[i]), next);
    EXPECT_THAT(next, ::testing::Contains(graph.vertex(cycle[(i + 1) % cycle.size()]))) << i;
  }
}

}  // namespace annelid::systemc
