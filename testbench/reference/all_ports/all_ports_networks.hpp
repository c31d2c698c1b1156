// Networks and contents for the tests of algorithms that use all ports.
#pragma once

#include <utility>
#include <vector>

#include "reference/schedule/arithmetic.hpp"
#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference {

/// Lines, rings, meshes, tori and mixed ones in up to so many dimensions, also along z alone.
inline std::vector<Network> all_ports_networks(int dimensions) {
  std::vector<Network> networks{{1, 1}};
  for (int n = 2; n <= 9; ++n) {
    for (const bool ring : {false, true}) {
      networks.push_back({n, 1, 1, {ring, false, false}});
      networks.push_back({1, 1, n, {false, false, ring}});
    }
  }
  if (dimensions < 2) return networks;
  for (const auto& [u, v] : std::vector<std::pair<int, int>>{{2, 2},
                                                             {2, 3},
                                                             {3, 2},
                                                             {3, 3},
                                                             {4, 3},
                                                             {4, 4},
                                                             {5, 3},
                                                             {2, 5},
                                                             {6, 4},
                                                             {7, 5},
                                                             {9, 7}}) {
    for (const bool first : {false, true}) {
      for (const bool second : {false, true}) {
        networks.push_back({u, v, 1, {first, second, false}});
        if (u * v <= 15) networks.push_back({u, 1, v, {first, false, second}});
        if (u * v <= 15) networks.push_back({1, u, v, {false, first, second}});
      }
    }
  }
  if (dimensions < 3) return networks;
  for (const std::array<bool, 3> ring :
       {std::array{false, false, false}, std::array{true, true, true},
        std::array{true, false, true}}) {
    for (const std::array<int, 3> size :
         {std::array{2, 2, 2}, std::array{3, 4, 2}, std::array{3, 3, 3}, std::array{4, 3, 5}}) {
      networks.push_back({size[0], size[1], size[2], ring});
    }
  }
  return networks;
}

/// A block of int32 for each node, and their sum.
inline std::pair<std::vector<std::vector<std::byte>>, std::vector<std::byte>> blocks_and_sum(
    const Network& net, std::size_t bytes) {
  std::vector<std::vector<std::byte>> blocks;
  std::vector<std::byte> sum(bytes);
  std::mt19937 random(7);
  for (int n = 0; n < net.nodes(); ++n) {
    auto& block = blocks.emplace_back();
    for (std::size_t i = 0; i < bytes; ++i) block.push_back(static_cast<std::byte>(random()));
    combine(Operator::kSum, ElementType::kInt32, sum, block);
  }
  return {blocks, sum};
}

}  // namespace annelid::reference
