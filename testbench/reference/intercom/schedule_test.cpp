// Schedules of InterCom's hybrids, executed on symbolic data (Barnett and others 1994, Sections 4
// to 6). State space: seven operations, 1 to 40 ranks, every root, every factorization, near and
// far dimensions first, both templates, random lengths; 130 and 512 ranks from sampled roots; any
// order of strides.
#include "reference/intercom/schedule.hpp"

#include <tuple>
#include <utility>

#include "reference/checks/intercom_execution.hpp"
#include "testbench/parameter_name.hpp"
#include "testbench/reference/intercom/calls.hpp"
#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference::intercom {
namespace {

constexpr int kMostRanks = 40;

/// Calls check(hybrid) for all hybrids of p ranks.
template <typename Check>
void for_all_hybrids(int p, Check check) {
  for (const auto& sizes : factorizations(p)) {
    for (Nearness nearness : kNearnesses) {
      for (Template form : kTemplates) check(Hybrid{LogicalMesh(sizes, nearness), form});
    }
  }
}

Execution execution_of(const Call& call, const Hybrid& hybrid) {
  return execute(call, schedule_of(call, hybrid));
}

/// The steps that Sections 4 to 6 give.
int expected_steps(Collective collective, const Hybrid& hybrid) {
  int steps = 0;
  for (const Stage& s : stages_of(collective, hybrid.form, hybrid.mesh.dimensions().size())) {
    const int size = hybrid.mesh.dimensions()[s.dimension].size;
    const bool bucket = letter(s.primitive) == 'C' || letter(s.primitive) == 'D';
    steps += bucket ? size - 1 : ceil_log(2, size);
  }
  return steps;
}

class IntercomCollective : public ::testing::TestWithParam<Collective> {};

TEST_P(IntercomCollective, BringsEachRankWhatIsDueFromEveryRootByEveryHybrid) {
  const std::uint64_t seed = sample_seed();
  std::cout << "lengths drawn with ANNELID_SEED=" << seed << '\n';
  std::mt19937_64 random(seed);
  int executed = 0;
  for (int p = 1; p <= kMostRanks; ++p) {
    for_all_hybrids(p, [&](const Hybrid& hybrid) {
      for (int root = 0; root < (has_root(GetParam()) ? p : 1); ++root) {
        const Call call = random_call(GetParam(), p, root, random);
        const StagedSchedule schedule = schedule_of(call, hybrid);
        const Execution result = execute(call, schedule);
        ASSERT_FALSE(result.violation.has_value())
            << shown(call, hybrid) << ": " << *result.violation;
        ASSERT_EQ(static_cast<int>(schedule.steps.size()), expected_steps(GetParam(), hybrid));
        ++executed;
      }
    });
  }
  // Four times the sum over p of ordered factorizations (OEIS A074206), with p roots or with one.
  EXPECT_EQ(executed, has_root(GetParam()) ? 20652 : 792);
}

TEST_P(IntercomCollective, BringsEachRankWhatIsDueInLargeGroups) {
  std::mt19937_64 random(7);
  for (const auto& sizes : std::vector<std::vector<int>>{
           {130}, {2, 5, 13}, {13, 10}, {32, 16}, {8, 8, 8}, {2, 16, 16}}) {
    for (Nearness nearness : kNearnesses) {
      for (Template form : kTemplates) {
        const Hybrid hybrid{LogicalMesh(sizes, nearness), form};
        const int p = hybrid.mesh.ranks();
        const auto root = static_cast<int>(random() % static_cast<std::uint64_t>(p));
        const Call call = random_call(GetParam(), p, root, random);
        const Execution result = execution_of(call, hybrid);
        ASSERT_FALSE(result.violation.has_value())
            << shown(call, hybrid) << ": " << *result.violation;
      }
    }
  }
}

TEST_P(IntercomCollective, WorksForEveryOrderOfStrides) {
  std::mt19937_64 random(3);
  std::vector<Dimension> dimensions{{2, 1}, {3, 2}, {2, 6}, {1, 12}, {2, 12}};
  std::vector<std::size_t> order{0, 1, 2, 3, 4};
  int meshes = 0;
  do {
    std::vector<Dimension> permuted;
    for (std::size_t i : order) permuted.push_back(dimensions[i]);
    for (Template form : kTemplates) {
      const Hybrid hybrid{LogicalMesh(permuted), form};
      const Call call = random_call(GetParam(), 24, static_cast<int>(random() % 24), random);
      const Execution result = execution_of(call, hybrid);
      ASSERT_FALSE(result.violation.has_value())
          << shown(call, hybrid) << ": " << *result.violation;
    }
    ++meshes;
  } while (std::ranges::next_permutation(order).found);
  EXPECT_EQ(meshes, 120);
}

TEST_P(IntercomCollective, WorksForLengthsThatAreOftenForgotten) {
  for (const auto& sizes : std::vector<std::vector<int>>{{1}, {5}, {2, 3}, {3, 2, 2}}) {
    for (Nearness nearness : kNearnesses) {
      for (Template form : kTemplates) {
        const Hybrid hybrid{LogicalMesh(sizes, nearness), form};
        const int p = hybrid.mesh.ranks();
        const auto ranks = static_cast<std::size_t>(p);
        std::vector<Call> calls;
        if (has_blocks(GetParam())) {
          calls.push_back({GetParam(), p - 1, std::vector<std::uint64_t>(ranks, 0)});
          for (std::size_t owner = 0; owner < ranks; ++owner) {  // one rank has everything
            calls.push_back({GetParam(), p / 2, std::vector<std::uint64_t>(ranks, 0)});
            calls.back().counts[owner] = (std::uint64_t{1} << 20) + 3;
          }
        } else {
          for (std::uint64_t n : {0, 1, 7, 8, 9, (1 << 20) + 3}) {
            calls.push_back({GetParam(), p - 1, {n}});
          }
        }
        for (const Call& call : calls) {
          const Execution result = execution_of(call, hybrid);
          ASSERT_FALSE(result.violation.has_value())
              << shown(call, hybrid) << ": " << *result.violation;
        }
      }
    }
  }
}

TEST_P(IntercomCollective, KeepsTheOrderOfOperandsExactlyWhereTheDocumentSaysSo) {
  // docs/internals/algorithms/intercom.md, "Operands".
  int kept = 0, all = 0;
  for (int p = 1; p <= kMostRanks; ++p) {
    for_all_hybrids(p, [&](const Hybrid& hybrid) {
      const auto& dimensions = hybrid.mesh.dimensions();
      bool expected = true;
      int combined = 0;  // dimensions
      for (const Stage& s : stages_of(GetParam(), hybrid.form, dimensions.size())) {
        if (!combines(s.primitive)) continue;
        ++combined;
        expected = expected && (letter(s.primitive) == 'R' || dimensions[s.dimension].size <= 2);
      }
      const bool near = dimensions[0].stride == 1;
      expected = expected && (combined <= 1 || near);
      const Call call = even_call(GetParam(), p, p / 3, 8);
      ASSERT_EQ(execution_of(call, hybrid).in_order, expected) << shown(call, hybrid);
      kept += expected ? 1 : 0;
      ++all;
    });
  }
  if (combines(GetParam())) {
    EXPECT_LT(kept, all);
    EXPECT_GT(kept, kMostRanks);
  } else {
    EXPECT_EQ(kept, all);
  }
}

INSTANTIATE_TEST_SUITE_P(All, IntercomCollective, ::testing::ValuesIn(kCollectives),
                         [](const auto& test) { return test::as_name(name_of(test.param)); });

TEST(IntercomSchedule, ScatterGatherAndLongCollectBringEachByteOnce) {
  for (Collective collective : kCollectives) {
    for (int p : {2, 5, 12, 30}) {
      for_all_hybrids(p, [&](const Hybrid& hybrid) {
        const Call call = even_call(collective, p, p / 2, 24);
        const int deliveries = execution_of(call, hybrid).most_deliveries;
        const auto stages = stages_of(collective, hybrid.form, hybrid.mesh.dimensions().size());
        if (collective == Collective::kScatter || collective == Collective::kGather ||
            letters(stages).find_first_not_of('C') == std::string::npos || letters(stages) == "M") {
          ASSERT_EQ(deliveries, 1) << shown(call, hybrid);
        }
        if (letters(stages) == "SC") {  // what a receiver in the scatter sends on comes back
          ASSERT_EQ(deliveries, p > 2 ? 2 : 1) << shown(call, hybrid);
        }
      });
    }
  }
}

TEST(IntercomSchedule, MstMessagesHoldRunsOfBlocksWithTheLengthsOfTheCall) {
  const Call call{Collective::kScatter, 1, {3, 0, 5, 7, 11}};
  const Hybrid hybrid{LogicalMesh({5}, Nearness::kNearFirst), Template::kLong};
  const StagedSchedule schedule = schedule_of(call, hybrid);
  ASSERT_EQ(schedule.steps.size(), 3u);
  EXPECT_EQ(schedule.block_order, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(schedule.steps[0].transfers, (std::vector<Transfer>{{1, 3, 8, 18, false}}));
  EXPECT_EQ(schedule.steps[1].transfers,
            (std::vector<Transfer>{{1, 2, 3, 5, false}, {3, 4, 15, 11, false}}));
  EXPECT_EQ(schedule.steps[2].transfers, (std::vector<Transfer>{{1, 0, 0, 3, false}}));
}

TEST(IntercomSchedule, NearDimensionsFirstPutTheBlocksInTheOrderOfPlaces) {
  const Call call{Collective::kCollect, 0, {1, 2, 4, 8, 16, 32}};
  const Hybrid hybrid{LogicalMesh({2, 3}, Nearness::kNearFirst), Template::kLong};
  const StagedSchedule schedule = schedule_of(call, hybrid);
  // Place c1 * 3 + c2 of rank c1 + 2 c2; blocks begin at 0, 1, 5, 21, 23, 31.
  EXPECT_EQ(schedule.block_order, (std::vector<int>{0, 2, 4, 1, 3, 5}));
  ASSERT_EQ(schedule.steps.size(), 3u);
  EXPECT_EQ(schedule.steps[0].transfers, (std::vector<Transfer>{{0, 2, 0, 1, false},
                                                                {2, 4, 1, 4, false},
                                                                {4, 0, 5, 16, false},
                                                                {1, 3, 21, 2, false},
                                                                {3, 5, 23, 8, false},
                                                                {5, 1, 31, 32, false}}));
  EXPECT_EQ(schedule.steps[2].transfers, (std::vector<Transfer>{{0, 1, 0, 21, false},
                                                                {1, 0, 21, 42, false},
                                                                {2, 3, 0, 21, false},
                                                                {3, 2, 21, 42, false},
                                                                {4, 5, 0, 21, false},
                                                                {5, 4, 21, 42, false}}));
}

TEST(IntercomSchedule, ShortTemplateDoesNotCutTheVectorInTheLastDimension) {
  const Call call{Collective::kCombineToAll, 0, {12}};  // two words: one for each part
  const Hybrid hybrid{LogicalMesh({2, 2}, Nearness::kNearFirst), Template::kShort};
  const StagedSchedule schedule = schedule_of(call, hybrid);  // D1 R2 M2 C1
  EXPECT_TRUE(schedule.block_order.empty());
  ASSERT_EQ(schedule.steps.size(), 4u);
  EXPECT_EQ(schedule.steps[0].transfers,
            (std::vector<Transfer>{
                {0, 1, 8, 4, true}, {1, 0, 0, 8, true}, {2, 3, 8, 4, true}, {3, 2, 0, 8, true}}));
  EXPECT_EQ(schedule.steps[1].transfers,
            (std::vector<Transfer>{{2, 0, 0, 8, true}, {3, 1, 8, 4, true}}));
  EXPECT_EQ(schedule.steps[2].transfers,
            (std::vector<Transfer>{{0, 2, 0, 8, false}, {1, 3, 8, 4, false}}));
  EXPECT_EQ(
      schedule.steps[3].transfers,
      (std::vector<Transfer>{
          {0, 1, 0, 8, false}, {1, 0, 8, 4, false}, {2, 3, 0, 8, false}, {3, 2, 8, 4, false}}));
}

using Messages = std::set<std::tuple<int, int, std::uint64_t, std::uint64_t>>;

/// Sender, receiver and bytes of a step's messages; the first two swapped if `turned`.
Messages messages_in(const StagedStep& step, bool turned) {
  Messages all;
  for (const Transfer& t : step.transfers) {
    all.insert({turned ? t.to : t.from, turned ? t.from : t.to, t.first, t.length});
  }
  return all;
}

TEST(IntercomSchedule, HalfOfTheOperationsAreTheOtherHalfInReverse) {
  using enum Collective;
  for (const auto& [one, other] :
       std::vector<std::pair<Collective, Collective>>{{kBroadcast, kCombineToOne},
                                                      {kScatter, kGather},
                                                      {kCollect, kDistributedCombine},
                                                      {kCombineToAll, kCombineToAll}}) {
    for (int p : {7, 12, 30}) {
      for_all_hybrids(p, [&, a = one, b = other](const Hybrid& hybrid) {
        for (int root = 0; root < p; root += 5) {
          const auto forth = schedule_of(even_call(a, p, root, 100), hybrid).steps;
          const auto back = schedule_of(even_call(b, p, root, 100), hybrid).steps;
          ASSERT_EQ(forth.size(), back.size());
          for (std::size_t i = 0; i < forth.size(); ++i) {
            ASSERT_EQ(messages_in(forth[i], false), messages_in(back[back.size() - 1 - i], true))
                << name_of(a) << ", " << to_string(hybrid.mesh) << ", step " << i + 1;
          }
        }
      });
    }
  }
}

TEST(IntercomSchedule, EvenCountsAreWholeWordsTheFirstOnesLonger) {
  using Counts = std::vector<std::uint64_t>;
  EXPECT_EQ(even_counts(30, 3), (Counts{16, 8, 6}));
  EXPECT_EQ(even_counts(9, 4), (Counts{8, 1, 0, 0}));
  EXPECT_EQ(even_counts(0, 2), (Counts{0, 0}));
}

TEST(IntercomSchedule, RefusesRootsAndCountsThatDoNotFit) {
  const Hybrid hybrid{LogicalMesh({2, 3}, Nearness::kNearFirst), Template::kLong};
  EXPECT_THROW(schedule_of({Collective::kBroadcast, 6, {8}}, hybrid), std::invalid_argument);
  EXPECT_THROW(schedule_of({Collective::kBroadcast, -1, {8}}, hybrid), std::invalid_argument);
  EXPECT_THROW(schedule_of({Collective::kBroadcast, 0, {8, 8}}, hybrid), std::invalid_argument);
  EXPECT_THROW(schedule_of({Collective::kGather, 0, {8}}, hybrid), std::invalid_argument);
  try {
    schedule_of({Collective::kCollect, 0, {1, 2, 3, 4, 5}}, hybrid);
    FAIL() << "no error";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "collect in a group of 6 ranks with 5 counts: expected 6");
  }
  const StagedSchedule schedule = schedule_of(even_call(Collective::kCollect, 6, 0, 8), hybrid);
  EXPECT_THROW(messages_of(schedule, by_rows({5, 1})), std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference::intercom
