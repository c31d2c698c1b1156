// The contention of InterCom's hybrids, stage by stage: the messages that cross the busiest channel
// of a simulated run, against what the reference predicts (docs/internals/algorithms/intercom.md,
// "Contention and cost").
// State space: every factorization, both templates and both orders of the dimensions, all seven
// operations, on a line of 30, a mesh of 5 x 7 and a torus of 4 x 4, all nodes and listed groups,
// both kinds of routers; blocks of different lengths.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>
#include <tuple>

#include "reference/costs/intercom_link_load.hpp"
#include "simulation/run.hpp"

namespace annelid::simulation {
namespace {

namespace intercom = reference::intercom;

/// An operation as a scenario names it, and as the paper does.
struct Named {
  const char* scenario;
  intercom::Collective paper;
};
constexpr std::array<Named, 7> kOperations = {
    Named{"broadcast", intercom::Collective::kBroadcast},
    Named{"scatter", intercom::Collective::kScatter},
    Named{"gather", intercom::Collective::kGather},
    Named{"all-gather", intercom::Collective::kCollect},
    Named{"reduce", intercom::Collective::kCombineToOne},
    Named{"all-reduce", intercom::Collective::kCombineToAll},
    Named{"reduce-scatter", intercom::Collective::kDistributedCombine}};

/// A hybrid of an operation on a network, the busiest channel of each of its stages: by the
/// reference, and in the run.
struct Stages {
  std::string letters;
  std::vector<int> predicted, measured;
  std::vector<int> steps_predicted, steps_measured;
};

/// One run, whose own checks hold too.
class HybridRun {
 public:
  HybridRun(const Named& operation, const std::vector<int>& sizes, intercom::Template form,
            intercom::Nearness nearness,
            const std::vector<std::pair<const char*, std::string>>& more) {
    const bool is_long = form == intercom::Template::kLong;
    const bool near = nearness == intercom::Nearness::kNearFirst;
    Settings settings(run_keys());
    settings.set("firmware", "native");
    settings.set("collective.operation", operation.scenario);
    settings.set("collective.algorithm", "intercom");
    settings.set("collective.logical_mesh", fmt::format("{}", fmt::join(sizes, "x")));
    settings.set("collective.template", is_long ? "long" : "short");
    settings.set("collective.dimensions", near ? "near-first" : "far-first");
    for (const auto& [key, value] : more) settings.set(key, value);
    const Scenario scenario = Scenario::from(settings);
    const Collective& c = scenario.call().collective;
    const auto members = reference::members(c.network, c.ranks);

    intercom::Call call{operation.paper, 0, {c.bytes}};
    if (has_root(operation.paper)) call.root = reference::rank_of(c.network, c.ranks, c.root);
    if (has_blocks(operation.paper)) call.counts.assign(members.size(), c.bytes);
    if (!c.lengths.empty()) call.counts = c.lengths;
    const intercom::StagedSchedule schedule =
        intercom::schedule_of(call, {intercom::LogicalMesh(sizes, nearness), form});
    const auto loads = intercom::loads_of(schedule, c.network, members);
    stages.letters = intercom::letters(schedule.stages);
    stages.predicted = intercom::stage_contention(schedule, loads);

    const RunResult result = run(scenario);
    for (const Check& check : result.checks) {
      EXPECT_NE(check.verdict, Verdict::kFailed) << check.name << ": " << check.detail;
    }
    stages.measured.assign(schedule.stages.size(), 0);
    cycles = result.cycles;
    EXPECT_EQ(result.call().steps.size(), schedule.steps.size());
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
      const auto step = result.call().steps.find(static_cast<std::uint32_t>(i + 1));
      const int busiest =
          step == result.call().steps.end() ? 0 : static_cast<int>(step->second.busiest);
      int& stage = stages.measured[schedule.steps[i].stage];
      stage = std::max(stage, busiest);
      stages.steps_measured.push_back(busiest);
      stages.steps_predicted.push_back(loads[i].messages);
    }
  }

  Stages stages;
  Cycle cycles = 0;
};

/// A network with as many ranks as `processes`.
struct Machine {
  const char* name;
  int processes;
  std::vector<std::pair<const char*, std::string>> values;
};

class HybridContention : public ::testing::TestWithParam<std::tuple<Machine, Named>> {};

TEST_P(HybridContention, IsTheReferencesInEveryStageAndStep) {
  const auto& [machine, operation] = GetParam();
  int runs = 0, shared = 0;
  for (const auto& sizes : intercom::factorizations(machine.processes)) {
    for (const auto form : {intercom::Template::kLong, intercom::Template::kShort}) {
      for (const auto nearness : {intercom::Nearness::kNearFirst, intercom::Nearness::kFarFirst}) {
        if (sizes.size() == 1 && nearness == intercom::Nearness::kFarFirst) continue;
        const Stages stages = HybridRun(operation, sizes, form, nearness, machine.values).stages;
        const std::string what = fmt::format("{} {}", fmt::join(sizes, "x"), stages.letters);
        EXPECT_EQ(stages.measured, stages.predicted) << what;
        EXPECT_EQ(stages.steps_measured, stages.steps_predicted) << what;
        ++runs;
        shared += std::ranges::max(stages.predicted) > 1 ? 1 : 0;
      }
    }
  }
  EXPECT_GE(runs, 10);
  const bool trees_alone = operation.paper == intercom::Collective::kScatter;
  if (!trees_alone) {
    EXPECT_GT(shared, 0) << "no hybrid in which messages share a channel";
  }
}

std::string name_of(const ::testing::TestParamInfo<std::tuple<Machine, Named>>& test) {
  std::string name =
      std::string(std::get<0>(test.param).name) + "_" + std::get<1>(test.param).scenario;
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    Hybrids, HybridContention,
    ::testing::Combine(
        ::testing::Values(
            Machine{"Line30", 30, {{"network.size", "30"}, {"collective.bytes", "64"}}},
            Machine{"Mesh5x7", 35, {{"network.size", "5x7"}, {"collective.bytes", "40"}}},
            Machine{"Torus4x4",
                    16,
                    {{"network.size", "4x4"},
                     {"network.topology", "torus"},
                     {"collective.bytes", "24"}}},
            Machine{
                "OnePort4x3",
                12,
                {{"network.size", "4x3"}, {"router.kind", "one-port"}, {"collective.bytes", "8"}}},
            Machine{"Scattered",
                    12,
                    {{"network.size", "5x5"},
                     {"collective.group", "0,0 4,4 1,3 2,2 3,0 4,1 0,3 2,4 3,3 1,0 1,1 4,3"},
                     {"collective.bytes", "16"}}}),
        ::testing::ValuesIn(kOperations)),
    name_of);

/// Figure 1 of the paper: 2 x 2 x 3, SSMCC, with 1, 2, 4, 2 and 1 messages on a channel.
TEST(HybridContentionOfFigure1, IsThatOfThePaper) {
  const Stages stages = HybridRun(kOperations[0], {2, 2, 3}, intercom::Template::kShort,
                                  intercom::Nearness::kNearFirst,
                                  {{"network.size", "12"}, {"collective.bytes", "32"}})
                            .stages;
  EXPECT_EQ(stages.letters, "SSMCC");
  EXPECT_EQ(stages.measured, (std::vector<int>{1, 2, 4, 2, 1}));
  EXPECT_EQ(stages.steps_measured, (std::vector<int>{1, 2, 4, 4, 2, 1}));
}

/// Blocks of different lengths share the same channels, empty ones too.
TEST(HybridContentionOfUnevenBlocks, IsTheReferencesToo) {
  for (const Named& operation : kOperations) {
    if (!has_blocks(operation.paper)) continue;
    for (const auto nearness : {intercom::Nearness::kNearFirst, intercom::Nearness::kFarFirst}) {
      const Stages stages =
          HybridRun(operation, {2, 3, 2}, intercom::Template::kLong, nearness,
                    {{"network.size", "12"}, {"collective.counts", "random:0..40"}})
              .stages;
      EXPECT_EQ(stages.steps_measured, stages.steps_predicted) << operation.scenario;
    }
  }
}

/// Columns end their collect at different times. A row's long messages do not come before that:
/// they would share the only ejection channel of a one-port node with the column's.
TEST(HybridOfLongMessages, IsAsFastWithOnePort) {
  const auto cycles = [](const char* kind) {
    return HybridRun(kOperations[0], {5, 7}, intercom::Template::kLong,
                     intercom::Nearness::kNearFirst,
                     {{"network.size", "5x7"}, {"router.kind", kind}, {"collective.bytes", "256k"}})
        .cycles;
  };
  const Cycle one_port = cycles("one-port"), all_port = cycles("all-port");
  std::printf("one-port: %llu cycles, all-port: %llu\n", static_cast<unsigned long long>(one_port),
              static_cast<unsigned long long>(all_port));
  EXPECT_LE(one_port, all_port + all_port / 100);
}

}  // namespace
}  // namespace annelid::simulation
