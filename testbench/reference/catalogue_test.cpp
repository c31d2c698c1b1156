// Every algorithm of the catalogue on every network that it says it supports: its schedule is
// built, stays in the network, and keeps the promise of no stepwise contention. What is not
// promised is measured and printed. State space: 16 meshes and tori of 1 to 192 nodes, three roots;
// and every network with sides of 1 to 4 in three dimensions, one root each.
#include "reference/catalogue.hpp"

#include <iostream>

#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference {
namespace {

const std::vector<Network> kNetworks{
    {1, 1},
    {2, 1},
    {1, 9},
    {5, 3},
    {4, 4},
    {8, 8},
    {7, 7},
    {4, 4, 5},
    {4, 4, 12},
    {3, 4, 5},
    {8, 8, 1, {true, true, false}},
    {7, 6, 1, {true, true, false}},
    {2, 2, 2, {true, true, true}},
    {4, 4, 8, {true, true, true}},
    {8, 8, 3, {true, true, false}},
    {6, 5, 1, {false, true, false}},
};

void expect_kept_promises(const Algorithm& algorithm, const Network& net, Node root) {
  const std::string call = std::string(name_of(algorithm.operation)) + " " +
                           std::string(algorithm.name) + " on " + to_string(net) + " from " +
                           to_string(root);
  const Schedule schedule = algorithm.schedule({net, root, 100, 0});
  for (const Step& step : schedule.steps) {
    for (const Message& m : step) {
      ASSERT_TRUE(contains(net, m.from) && contains(net, m.to)) << call;
      ASSERT_NE(m.from, m.to) << call;
    }
  }
  if (!algorithm.contention_free(net)) return;
  ASSERT_EQ(conflicts(net, schedule), 0u) << call;
}

TEST(Catalogue, SchedulesStayInTheNetworkAndKeepTheirPromiseOfNoContention) {
  int built = 0;
  for (const Algorithm& algorithm : algorithms()) {
    for (const Network& net : kNetworks) {
      if (!algorithm.supports(net)) continue;
      if (algorithm.takes_ranks != nullptr && !algorithm.takes_ranks(net.nodes())) continue;
      for (Node root :
           {node_at(net, 0), node_at(net, net.nodes() / 3), node_at(net, net.nodes() - 1)}) {
        expect_kept_promises(algorithm, net, root);
        ++built;
      }
    }
  }
  EXPECT_GT(built, 300);
}

TEST(Catalogue, SchedulesStayInEveryNetworkWithSidesTo4) {
  const std::vector<Network> networks = networks_of_sides_to_4();
  int built = 0;
  for (const Algorithm& algorithm : algorithms()) {
    for (const Network& net : networks) {
      if (!algorithm.supports(net)) continue;
      if (algorithm.takes_ranks != nullptr && !algorithm.takes_ranks(net.nodes())) continue;
      expect_kept_promises(algorithm, net, node_at(net, (7 * ++built) % net.nodes()));
    }
  }
  EXPECT_GT(built, 20'000);
}

TEST(Catalogue, EachAlgorithmIsFoundByOperationAndNameWithItsOwnCode) {
  std::set<std::pair<Operation, int>> codes;
  for (const Algorithm& a : algorithms()) {
    EXPECT_EQ(find_algorithm(a.operation, a.name), &a);
    EXPECT_TRUE(codes.insert({a.operation, a.code}).second) << a.name;
    EXPECT_FALSE(a.sizes.empty());
  }
  EXPECT_EQ(find_algorithm(Operation::kBarrier, "edn"), nullptr);
}

TEST(Catalogue, UnsupportedNetworksAreRefusedByTheSchedule) {
  for (const Algorithm& a : algorithms()) {
    for (const Network& net : {Network{300, 1}, Network{3, 5}, Network{65, 64}}) {
      if (net.x <= 256 && a.supports(net)) continue;
      EXPECT_THROW(a.schedule({net, {}, 8, 0}), std::invalid_argument)
          << name_of(a.operation) << " " << a.name << " " << to_string(net);
    }
  }
}

TEST(StepwiseContention, OfAlgorithmsWithoutAPromiseIsMeasured) {
  const Network mesh{8, 8}, torus{8, 8, 1, {true, true, false}};
  for (const Algorithm& a : algorithms()) {
    for (const Network& net : {mesh, torus}) {
      if (!a.supports(net) || a.contention_free(net)) continue;
      std::uint64_t pairs = 0;
      int load = 0;
      for (const StepContention& step : contention(net, a.schedule({net, {2, 1}, 100, 0}))) {
        pairs += step.conflicts.size();
        load = std::max(load, step.max_load);
      }
      std::cout << "[measured ] " << name_of(a.operation) << " " << a.name << " on "
                << to_string(net) << ": " << pairs << " conflicts, at most " << load
                << " messages on a channel in a step\n";
    }
  }
}

}  // namespace
}  // namespace annelid::reference
