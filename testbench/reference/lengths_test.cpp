// Blocks of different lengths: docs/internals/algorithms/intercom.md and collect-and-exchange.md.
// Buffers and contents by hand, equal lengths as a special case, reduce-scatter by any hybrid with
// random lengths. State space: groups of 1 to 12 ranks, all of their hybrids, both embeddings of a
// row; lengths of 0 to 40 bytes.
#include <numeric>

#include "reference/all_to_all/all_to_all.hpp"
#include "reference/costs/intercom_ranking.hpp"
#include "reference/intercom/choice.hpp"
#include "reference/operations.hpp"
#include "reference/schedule/index.hpp"
#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference {
namespace {

using enum Operation;
using Lengths = std::vector<std::uint64_t>;

const Algorithm& intercom_of(Operation operation) { return *find_algorithm(operation, "intercom"); }

Bytes bytes_of(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

Inputs inputs_with(Operation operation, const Network& net, Node root, std::vector<Bytes> source,
                   Lengths lengths) {
  Inputs in;
  in.operation = operation;
  in.network = net;
  in.root = root;
  in.source = std::move(source);
  in.lengths = std::move(lengths);
  return in;
}

TEST(Lengths, AreTakenByInterComsOperationsWithBlocksAndByDirectAllToAll) {
  std::set<std::pair<Operation, std::string_view>> takers;
  for (const Algorithm& a : algorithms()) {
    if (a.takes_lengths) takers.emplace(a.operation, a.name);
  }
  EXPECT_EQ(takers, (std::set<std::pair<Operation, std::string_view>>{{kGather, "intercom"},
                                                                      {kScatter, "intercom"},
                                                                      {kAllGather, "intercom"},
                                                                      {kReduceScatter, "intercom"},
                                                                      {kAllToAll, "direct"}}));
}

TEST(Lengths, BuffersHoldTheBlocksOneBehindTheOther) {
  const Network line{3, 1};
  Inputs in = inputs_with(kGather, line, {1, 0}, {bytes_of({1, 2}), {}, bytes_of({3})}, {2, 0, 1});
  EXPECT_EQ(source_bytes(in, {0, 0}), 2u);
  EXPECT_EQ(source_bytes(in, {1, 0}), 0u);
  EXPECT_EQ(target_bytes(in, {1, 0}), 3u);
  EXPECT_EQ(target_bytes(in, {0, 0}), 0u);
  EXPECT_EQ(target_after(in, {}, {1, 0}), bytes_of({1, 2, 3}));
  in.operation = kAllGather;
  EXPECT_EQ(target_bytes(in, {0, 0}), 3u);
  EXPECT_EQ(target_after(in, {}, {2, 0}), bytes_of({1, 2, 3}));

  in = inputs_with(kScatter, line, {1, 0}, {{}, bytes_of({1, 2, 3}), {}}, {2, 0, 1});
  EXPECT_EQ(source_bytes(in, {1, 0}), 3u);
  EXPECT_EQ(source_bytes(in, {0, 0}), 0u);
  EXPECT_EQ(target_after(in, {}, {0, 0}), bytes_of({1, 2}));
  EXPECT_EQ(target_after(in, {}, {1, 0}), Bytes{});
  EXPECT_EQ(target_after(in, {}, {2, 0}), bytes_of({3}));

  in.operation = kReduceScatter;
  EXPECT_EQ(source_bytes(in, {2, 0}), 3u);
  EXPECT_EQ(target_bytes(in, {0, 0}), 2u);
  EXPECT_EQ(target_bytes(in, {1, 0}), 0u);
}

TEST(Lengths, AnAllToAllHasOneForEachPair) {
  // To 0, 1, 2: from 0 the lengths 1 0 2, from 1 0 1 0, from 2 1 1 1.
  const Lengths lengths{1, 0, 2, 0, 1, 0, 1, 1, 1};
  const Network line{3, 1};
  const Inputs in = inputs_with(kAllToAll, line, {},
                                {bytes_of({1, 2, 3}), bytes_of({4}), bytes_of({5, 6, 7})}, lengths);
  EXPECT_EQ(source_bytes(in, {0, 0}), 3u);
  EXPECT_EQ(source_bytes(in, {1, 0}), 1u);
  EXPECT_EQ(target_bytes(in, {1, 0}), 2u);
  EXPECT_EQ(target_after(in, {}, {0, 0}), bytes_of({1, 5}));
  EXPECT_EQ(target_after(in, {}, {1, 0}), bytes_of({4, 6}));
  EXPECT_EQ(target_after(in, {}, {2, 0}), bytes_of({2, 3, 7}));

  Request request{line, {}, 0};
  request.lengths = lengths;
  const Schedule schedule = find_algorithm(kAllToAll, "direct")->schedule(request);
  ASSERT_EQ(schedule.steps.size(), 2u);
  EXPECT_EQ(schedule.steps[0],
            (Step{{{0, 0}, {1, 0}, 0}, {{1, 0}, {2, 0}, 0}, {{2, 0}, {0, 0}, 1}}));
  EXPECT_EQ(schedule.steps[1],
            (Step{{{0, 0}, {2, 0}, 2}, {{1, 0}, {0, 0}, 0}, {{2, 0}, {1, 0}, 1}}));
  EXPECT_THROW(direct_all_to_all(line, Lengths{1, 2, 3}), std::invalid_argument);
}

TEST(Lengths, EqualOnesGiveTheScheduleOfEqualBlocks) {
  for (const Operation operation : {kGather, kScatter, kAllGather, kReduceScatter}) {
    Request request{{4, 3}, {2, 1}, 24};
    request.hybrid = {{4, 3}, false, false};
    const Schedule equal = intercom_of(operation).schedule(request);
    request.lengths = Lengths(12, 24);
    request.bytes = 0;
    EXPECT_EQ(intercom_of(operation).schedule(request).steps, equal.steps);
    request.lengths.pop_back();
    EXPECT_THROW(intercom_of(operation).schedule(request), std::invalid_argument);
  }
}

TEST(Lengths, AMessageOfAnMstScatterHasTheBlocksOfItsSegment) {
  // Four ranks, root 0: the scatter sends 0 -> 2 the blocks of 2 and 3; then 0 -> 1 and 2 -> 3.
  Request request{{4, 1}, {}, 0};
  request.lengths = {5, 0, 3, 11};
  const Schedule schedule = intercom_of(kScatter).schedule(request);
  ASSERT_EQ(schedule.steps.size(), 2u);
  EXPECT_EQ(schedule.steps[0], (Step{{{0, 0}, {2, 0}, 14}}));
  EXPECT_EQ(schedule.steps[1], (Step{{{0, 0}, {1, 0}, 0}, {{2, 0}, {3, 0}, 11}}));
}

TEST(Lengths, AReduceScatterGivesEachRankItsBlockOfTheSum) {
  std::mt19937 random(11);
  for (const Network& net : {Network{1, 1}, Network{5, 1}, Network{2, 3}, Network{4, 3}}) {
    const int p = net.nodes();
    for (const intercom::Hybrid& hybrid :
         intercom::hybrids_of(intercom::Collective::kDistributedCombine, p)) {
      Request request{net, {}, 0};
      for (int r = 0; r < p; ++r) request.lengths.push_back(4 * (random() % 11));
      request.ranks.embedding = random() % 2 == 0 ? Embedding::kRows : Embedding::kSnake;
      for (const auto& d : hybrid.mesh.dimensions()) request.hybrid.sizes.push_back(d.size);
      request.hybrid.is_long = hybrid.form == intercom::Template::kLong;
      // Strides fall if far dimensions come first.
      const auto& dimensions = hybrid.mesh.dimensions();
      request.hybrid.far_first = dimensions.front().stride > dimensions.back().stride;

      Inputs in = inputs_with(kReduceScatter, net, {}, {}, request.lengths);
      in.ranks = request.ranks;
      const auto all = std::accumulate(request.lengths.begin(), request.lengths.end(), 0UL);
      Bytes sum(all);
      for (int n = 0; n < p; ++n) {
        Bytes& source = in.source.emplace_back();
        for (std::size_t i = 0; i < all; ++i) source.push_back(static_cast<std::byte>(random()));
        combine(Operator::kSum, ElementType::kInt32, sum, source);
      }
      const auto results =
          intercom_of(kReduceScatter).results(in, request, Operator::kSum, ElementType::kInt32);
      Bytes joined;
      for (const Node node : members(net, request.ranks)) {
        const Bytes& result = results[at(index_of(net, node))];
        ASSERT_EQ(result.size(), target_bytes(in, node));
        joined.insert(joined.end(), result.begin(), result.end());
      }
      ASSERT_EQ(joined, sum) << to_string(net);
    }
  }
}

TEST(Lengths, TheChoiceIsThatOfAnEqualShareRoundedUp) {
  const auto of_equal = [](std::uint64_t bytes) {
    return intercom::chosen_hybrid(kAllGather, {{8, 8}, {}, bytes}, false, intercom::kCoreTimes)
        .sizes;
  };
  const auto of_sum = [](std::uint64_t sum) {
    Request request{{8, 8}, {}, 0};
    request.lengths = Lengths(64, 0);
    request.lengths[5] = sum;
    return intercom::chosen_hybrid(kAllGather, request, false, intercom::kCoreTimes).sizes;
  };
  std::uint64_t bytes = 8;  // the last before another hybrid is chosen
  while (of_equal(bytes) == of_equal(bytes + 1)) bytes += 8;
  EXPECT_EQ(of_sum(64 * bytes), of_equal(bytes));
  EXPECT_EQ(of_sum(64 * bytes + 1), of_equal(bytes + 1));
}

}  // namespace
}  // namespace annelid::reference
