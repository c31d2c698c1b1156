// The account of a run's cycles: every algorithm on small networks, with and without start-up, on
// cores and natively. Every cycle of the run belongs to exactly one stretch.
#include "simulation/results/account.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/input_error.hpp"
#include "reference/catalogue.hpp"
#include "simulation/run.hpp"

namespace annelid::simulation {
namespace {

using Values = std::vector<std::pair<const char*, const char*>>;

Settings with(const Values& values) {
  Settings settings(run_keys());
  for (const auto& [key, value] : values) settings.set(key, value);
  return settings;
}

RunResult accounted(const Settings& settings) {
  RunOptions options;
  options.account = true;
  return run(Scenario::from(settings), options);
}

void expect_every_cycle_once(const RunResult& result) {
  const Account& account = result.account;
  ASSERT_FALSE(account.stretches.empty());
  EXPECT_EQ(account.total(), result.cycles);
  Cycle at = account.stretches.front().begin, sum = 0;
  for (const Stretch& s : account.stretches) {
    ASSERT_EQ(s.begin, at) << "a gap, or a cycle twice";
    ASSERT_GT(s.cycles, 0U);
    EXPECT_EQ(s.cause == Cause::kWaits, !s.for_whom.empty());
    at += s.cycles;
  }
  for (std::size_t i = 0; i < kCauses; ++i) sum += account.total(static_cast<Cause>(i));
  EXPECT_EQ(sum, result.cycles);
}

struct Machine {
  const char* name;
  Values values;
};
class EveryAlgorithm : public ::testing::TestWithParam<Machine> {};

TEST_P(EveryAlgorithm, HasEachCycleOfItsRunInOneStretch) {
  int runs = 0;
  for (const reference::Algorithm& algorithm : reference::algorithms()) {
    SCOPED_TRACE(std::string(name_of(algorithm.operation)) + " " + std::string(algorithm.name));
    Settings settings = with(GetParam().values);
    settings.set("collective.operation", std::string(name_of(algorithm.operation)));
    settings.set("collective.algorithm", std::string(algorithm.name));
    if (algorithm.operation != reference::Operation::kBarrier) {
      settings.set("collective.bytes", "768");
    }
    try {
      (void)Scenario::from(settings);
    } catch (const InputError&) {
      continue;  // not on this network
    }
    ++runs;
    expect_every_cycle_once(accounted(settings));
  }
  EXPECT_GT(runs, 20);
}

INSTANTIATE_TEST_SUITE_P(
    On, EveryAlgorithm,
    ::testing::Values(Machine{"Mesh", {{"network.size", "4x4"}, {"firmware", "native"}}},
                      Machine{"MeshOnCores", {{"network.size", "4x4"}, {"nic.alpha", "30"}}},
                      Machine{"Torus",
                              {{"network.size", "4x4"},
                               {"network.topology", "torus"},
                               {"firmware", "native"},
                               {"nic.alpha", "100"},
                               {"nic.gamma", "7"},
                               {"collective.skew", "500"}}},
                      Machine{"OnePort",
                              {{"network.size", "4x4"},
                               {"router.kind", "one-port"},
                               {"router.stages", "3"},
                               {"firmware", "native"}}},
                      Machine{"Ideal",
                              {{"network.size", "7"},
                               {"network.topology", "ideal"},
                               {"router.kind", "one-port"},
                               {"firmware", "native"}}}),
    [](const auto& test) { return test.param.name; });

// 7 cycles beside start-up, flits and gamma: to the channel, h + 1 = 2 on the path, one to take the
// tail in, one until the completion shows and the call ends, and the call's last cycle.
TEST(Account, OfOneMessageIsTheDocumentedTable) {
  Settings settings = with({{"network.size", "2"},
                            {"firmware", "native"},
                            {"collective.operation", "broadcast"},
                            {"collective.algorithm", "recursive-doubling"},
                            {"collective.bytes", "64"},
                            {"nic.alpha", "20"},
                            {"nic.gamma", "5"}});
  const Account account = accounted(settings).account;
  EXPECT_EQ(account.total(Cause::kStartUp), 25U);
  EXPECT_EQ(account.total(Cause::kFlits), 10U);
  EXPECT_EQ(account.total(Cause::kHops), 4U);
  EXPECT_EQ(account.total(Cause::kCopies), 0U);
  EXPECT_EQ(account.total(Cause::kCombining), 0U);
  EXPECT_EQ(account.total(Cause::kWaits), 0U);
  EXPECT_EQ(account.total(Cause::kFirmware), 1U);
}

// Each of the three processes on the way takes in an offer, of two flits, before the message's end.
TEST(Account, OfALinearReductionHasCombiningAtEveryProcess) {
  Settings settings = with({{"network.size", "5"},
                            {"network.topology", "ideal"},
                            {"router.kind", "one-port"},
                            {"router.control_vc", "true"},
                            {"firmware", "native"},
                            {"collective.operation", "reduce"},
                            {"collective.algorithm", "linear-pipeline"},
                            {"collective.packets", "4"},
                            {"collective.bytes", "2048"},
                            {"nic.alpha", "1000"}});
  const Account account = accounted(settings).account;
  EXPECT_EQ(account.total(Cause::kCombining), 4U * 4);
  EXPECT_EQ(account.total(Cause::kStartUp), 7U * 1000);
  EXPECT_EQ(account.total(Cause::kFlits), 7U * 66);
  EXPECT_EQ(account.total(Cause::kWaits), 3U * 2);
  EXPECT_EQ(account.total(Cause::kCopies), 0U);
}

// In a line of four nodes, the last message of node 3 waits at node 2 for the whole message of 66
// flits that node 2 sends to the same node at the same time.
TEST(Account, OfAMessageThatWaitsNamesTheMessageInItsWay) {
  Settings settings = with({{"network.size", "4"},
                            {"firmware", "native"},
                            {"collective.operation", "all-to-all"},
                            {"collective.algorithm", "direct"},
                            {"collective.bytes", "512"}});
  const Account account = accounted(settings).account;
  const auto wait = std::ranges::find_if(
      account.stretches, [](const Stretch& s) { return s.for_whom.ends_with("in its way"); });
  ASSERT_NE(wait, account.stretches.end());
  EXPECT_EQ(wait->for_whom, "the message from 2 to 0 (step 2) in its way");
  EXPECT_EQ(wait->node, 3U);
  EXPECT_EQ(wait->cycles, 66U);
}

// In a line of five nodes, the last message of node 0 goes behind the one before, in its buffers.
TEST(Account, OfAMessageBehindAnotherNamesTheMessageAheadOfIt) {
  Settings settings = with({{"network.size", "5"},
                            {"firmware", "native"},
                            {"collective.operation", "all-to-all"},
                            {"collective.algorithm", "direct"},
                            {"collective.bytes", "512"}});
  const Account account = accounted(settings).account;
  EXPECT_TRUE(std::ranges::any_of(account.stretches, [](const Stretch& s) {
    return s.node == 4 && s.cycles == 6 &&
           s.for_whom == "the message from 0 to 3 (step 3) ahead of it";
  }));
}

}  // namespace
}  // namespace annelid::simulation
