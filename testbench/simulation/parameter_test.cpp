// Which algorithms take PARAMETER_1.
// State space: every algorithm of the reference, on the first of three networks on which its
// schedule follows it.
#include <gtest/gtest.h>

#include <vector>

#include "reference/catalogue.hpp"
#include "simulation/scenario/rank_keys.hpp"

namespace annelid::simulation {
namespace {

/// Whether its schedule, with as many processes as there may be, follows PARAMETER_1.
bool follows_parameter(const reference::Algorithm& algorithm, const reference::Network& network) {
  // Disjoint trees have packets of 700 words at least.
  reference::Request request{network, {}, algorithm.name == "disjoint-trees" ? 65536U : 4096U};
  const reference::Schedule open = algorithm.schedule(request);
  request.parameter = algorithm.name == "radix" ? 3 : 1;  // there is no radix 1
  return algorithm.schedule(request).steps != open.steps;
}

TEST(Parameter, IsTakenByTheAlgorithmsWhoseScheduleFollowsIt) {
  const std::vector<reference::Network> networks = {
      {16, 16}, {13, 1}, {4, 4, 45, {true, true, true}}};
  for (const reference::Algorithm& a : reference::algorithms()) {
    if (a.operation == reference::Operation::kShift) continue;  // it has steps of its own
    bool follows = false;
    for (const reference::Network& network : networks) {
      if (!follows && a.serves(network)) follows = follows_parameter(a, network);
    }
    EXPECT_EQ(follows, takes_parameter(a)) << a.name << " " << name_of(a.operation);
  }
}

}  // namespace
}  // namespace annelid::simulation
