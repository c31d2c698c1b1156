// Meshes for the tests of combs.
#pragma once

#include <vector>

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// One node; lines; even, odd and unlike sizes; planes in any two dimensions; up to 256 nodes.
inline std::vector<Network> comb_networks() {
  std::vector<Network> networks{{1, 1}};
  for (int n = 2; n <= 9; ++n) networks.insert(networks.end(), {{n, 1}, {1, n}, {1, 1, n}});
  for (int u = 2; u <= 7; ++u) {
    for (int v = 2; v <= 7; ++v) networks.insert(networks.end(), {{u, v}, {u, 1, v}, {1, u, v}});
  }
  for (const Network& net : std::vector<Network>{{8, 8},
                                                 {16, 16},
                                                 {9, 16},
                                                 {2, 2, 2},
                                                 {3, 3, 3},
                                                 {4, 4, 4},
                                                 {2, 3, 4},
                                                 {5, 3, 2},
                                                 {3, 2, 7},
                                                 {8, 8, 4}}) {
    networks.push_back(net);
  }
  return networks;
}

}  // namespace annelid::reference
