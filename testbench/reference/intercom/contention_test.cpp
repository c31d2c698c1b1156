// Messages and bytes on the busiest channel (Barnett and others 1994, Section 6): the product of
// the sizes on linear arrays, rows and columns on meshes, and an independent count of all channels.
// State space: all factorizations of 1 to 48 ranks; meshes, tori and random groups.
#include "reference/checks/contention.hpp"

#include <map>

#include "reference/costs/intercom_link_load.hpp"
#include "testbench/reference/intercom/calls.hpp"
#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference::intercom {
namespace {

std::vector<StepLoad> loads_on_line(const StagedSchedule& schedule) {
  const Network line = linear_array(schedule.ranks);
  return loads_of(schedule, line, by_rows(line));
}

int product(const std::vector<int>& sizes, std::size_t first, std::size_t end) {
  int result = 1;
  for (std::size_t i = first; i < end; ++i) result *= sizes[i];
  return result;
}

/// Calls check(call, sizes, schedule) for all collectives and hybrids with this nearness.
template <typename Check>
void for_all_schedules(int p, Nearness nearness, Check check) {
  for (Collective collective : kCollectives) {
    for (const auto& sizes : factorizations(p)) {
      for (Template form : kTemplates) {
        const Call call = even_call(collective, p, (2 * p) / 3, 16);
        check(call, sizes, schedule_of(call, {LogicalMesh(sizes, nearness), form}));
      }
    }
  }
}

TEST(IntercomContention, NearDimensionsFirstPutTheProductOfTheSizesOnAChannelInEveryStep) {
  int stages = 0;
  for (int p = 2; p <= 48; ++p) {
    for_all_schedules(
        p, Nearness::kNearFirst,
        [&](const Call& call, const std::vector<int>& sizes, const StagedSchedule& schedule) {
          const auto loads = loads_on_line(schedule);
          for (std::size_t i = 0; i < loads.size(); ++i) {
            const std::size_t d = schedule.stages[schedule.steps[i].stage].dimension;
            ASSERT_EQ(loads[i].messages, product(sizes, 0, d))
                << name_of(call.collective) << " on " << p << ", step " << i + 1;
          }
          stages += static_cast<int>(schedule.stages.size());
        });
  }
  EXPECT_GT(stages, 10000);
}

TEST(IntercomContention, FarDimensionsFirstShareChannelsInBucketStagesAlone) {
  for (int p = 2; p <= 48; ++p) {
    for_all_schedules(
        p, Nearness::kFarFirst,
        [&](const Call& call, const std::vector<int>& sizes, const StagedSchedule& schedule) {
          const auto loads = loads_on_line(schedule);
          for (std::size_t i = 0; i < loads.size(); ++i) {
            const auto [primitive, d] = schedule.stages[schedule.steps[i].stage];
            const bool bucket = letter(primitive) == 'C' || letter(primitive) == 'D';
            ASSERT_EQ(loads[i].messages, bucket ? product(sizes, d + 1, sizes.size()) : 1)
                << name_of(call.collective) << " on " << p << ", step " << i + 1;
          }
        });
  }
}

TEST(IntercomContention, OfAStageIsThatOfItsBusiestStep) {
  const Call call = even_call(Collective::kBroadcast, 30, 0, 8);
  const StagedSchedule schedule =
      schedule_of(call, {LogicalMesh({2, 3, 5}, Nearness::kNearFirst), Template::kShort});
  EXPECT_EQ(stage_contention(schedule, loads_on_line(schedule)), (std::vector<int>{1, 2, 6, 2, 1}));
  const StagedSchedule with_one =
      schedule_of(even_call(Collective::kCollect, 6, 0, 8),
                  {LogicalMesh({1, 6}, Nearness::kNearFirst), Template::kLong});
  EXPECT_EQ(stage_contention(with_one, loads_on_line(with_one)), (std::vector<int>{1, 0}));
}

TEST(IntercomContention, RowsAndColumnsOfAMeshShareNoChannel) {
  for (const Network& net : {Network{6, 5, 1}, Network{32, 16, 1}, Network{4, 3, 5}}) {
    for (Collective collective : kCollectives) {
      for (Template form : kTemplates) {
        std::vector<int> sizes{net.x, net.y};
        if (net.z > 1) sizes.push_back(net.z);
        const Hybrid hybrid{LogicalMesh(sizes, Nearness::kNearFirst), form};
        const Call call = even_call(collective, net.nodes(), net.nodes() / 2, 8);
        const StagedSchedule schedule = schedule_of(call, hybrid);
        for (const StepLoad& load : loads_of(schedule, net, by_rows(net))) {
          ASSERT_EQ(load.messages, 1) << to_string(net) << " " << shown(call, hybrid);
        }
      }
    }
  }
}

TEST(IntercomContention, FactorsWithinARowOfAMeshMultiplyOnlyThere) {
  // 6 x 5 nodes as 2 x 3 x 5: pairs within a row, every second node of a row, and columns.
  const Network net{6, 5};
  const Call call = even_call(Collective::kBroadcast, 30, 7, 8);
  const Hybrid hybrid{LogicalMesh({2, 3, 5}, Nearness::kNearFirst), Template::kLong};
  const StagedSchedule schedule = schedule_of(call, hybrid);
  EXPECT_EQ(stage_contention(schedule, loads_of(schedule, net, by_rows(net))),
            (std::vector<int>{1, 2, 1, 1, 2, 1}));
}

TEST(IntercomContention, OnARingTheWayBackIsTheShorterOne) {
  // The bucket from the last rank to the first goes on in the + direction, on a channel of its own.
  const Network ring{8, 1, 1, {true, false, false}};
  const Call call = even_call(Collective::kCollect, 8, 0, 8);
  struct Case {
    std::vector<int> sizes, expected;
  };
  for (const auto& [sizes, expected] :
       std::vector<Case>{{{8}, {1}}, {{2, 4}, {2, 1}}, {{4, 2}, {4, 1}}}) {
    const StagedSchedule schedule =
        schedule_of(call, {LogicalMesh(sizes, Nearness::kNearFirst), Template::kLong});
    EXPECT_EQ(stage_contention(schedule, loads_of(schedule, ring, by_rows(ring))), expected);
  }
}

TEST(IntercomContention, IdealNetworksHaveNone) {
  const Network net{6, 5, 1, {}, true};
  const Call call = even_call(Collective::kBroadcast, 30, 7, 8);
  const StagedSchedule schedule =
      schedule_of(call, {LogicalMesh({30}, Nearness::kNearFirst), Template::kShort});
  for (const StepLoad& load : loads_of(schedule, net, by_rows(net))) {
    EXPECT_EQ(load.messages, 1);
    EXPECT_EQ(load.channel_bytes, 0u);
    EXPECT_EQ(load.port_bytes, 240u);
  }
}

/// Bytes on the busiest channel, from the routes of the checker of schedules.
std::uint64_t most_bytes(const Network& net, const Step& step) {
  std::map<Channel, std::uint64_t> bytes;
  std::uint64_t most = 0;
  for (const Message& m : step) {
    for (const Channel& c : route(net, m.from, m.to)) most = std::max(most, bytes[c] += m.bytes);
  }
  return most;
}

TEST(IntercomContention, IsThatOfTheCheckerOfSchedulesOnAnyNetworkAndGroup) {
  const std::uint64_t seed = sample_seed();
  std::cout << "groups drawn with ANNELID_SEED=" << seed << '\n';
  std::mt19937_64 random(seed);
  int shared = 0;
  for (const Network& net : kSmallNetworks) {
    for (int i = 0; i < 40; ++i) {
      std::vector<Node> nodes = by_rows(net);
      std::ranges::shuffle(nodes, random);
      nodes.resize(1 + random() % nodes.size());
      const auto p = static_cast<int>(nodes.size());
      const auto lists = factorizations(p);
      const Hybrid hybrid{LogicalMesh(lists[random() % lists.size()], kNearnesses[random() % 2]),
                          kTemplates[random() % 2]};
      const Call call = random_call(kCollectives[random() % kCollectives.size()], p,
                                    static_cast<int>(random() % nodes.size()), random);
      const StagedSchedule schedule = schedule_of(call, hybrid);
      const auto loads = loads_of(schedule, net, nodes);
      const Schedule messages = messages_of(schedule, nodes);
      const auto expected = contention(net, messages);
      ASSERT_EQ(loads.size(), expected.size());
      for (std::size_t step = 0; step < loads.size(); ++step) {
        ASSERT_EQ(loads[step].messages, expected[step].max_load) << shown(call, hybrid);
        ASSERT_EQ(loads[step].channel_bytes, most_bytes(net, messages.steps[step]));
        shared += loads[step].messages > 1 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(shared, 100);
}

TEST(IntercomContention, RefusesNodesThatAreNotThoseOfTheRanks) {
  const StagedSchedule schedule =
      schedule_of(even_call(Collective::kCollect, 4, 0, 8),
                  {LogicalMesh({4}, Nearness::kNearFirst), Template::kLong});
  EXPECT_THROW(loads_of(schedule, {4, 1}, by_rows({3, 1})), std::invalid_argument);
  EXPECT_THROW(loads_of(schedule, {3, 1}, by_rows({4, 1})), std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference::intercom
