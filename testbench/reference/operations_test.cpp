// What memory must hold after each operation, and how reductions combine.
// State space: each operation on meshes of 3 x 2 and 2 x 2 with blocks of 2 bytes that name sender
// (and receiver); each operator and type on chosen pairs; schedules of up to three steps.
#include "reference/operations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace annelid::reference {
namespace {

using ::testing::ElementsAre;

std::byte number(int n) { return static_cast<std::byte>(n); }

/// Blocks of two bytes: (sender, receiver), receiver 0 where the operation has one block only.
Inputs inputs_of(Operation operation, Network net, Node root = {}) {
  Inputs in{operation, net, root, 2, {}};
  for (int s = 0; s < net.nodes(); ++s) {
    Bytes source;
    const std::uint64_t blocks = source_bytes(in, node_at(net, s)) / 2;
    for (std::uint64_t r = 0; r < blocks; ++r) {
      source.push_back(number(s));
      source.push_back(number(static_cast<int>(r)));
    }
    in.source.push_back(source);
  }
  return in;
}

std::vector<int> plain(std::span<const std::byte> bytes) {
  std::vector<int> numbers;
  for (const std::byte b : bytes) numbers.push_back(static_cast<int>(b));
  return numbers;
}

TEST(Broadcast, LeavesTheRootsBlockEverywhereAndNoTarget) {
  const Inputs in = inputs_of(Operation::kBroadcast, {3, 2}, {1, 1});
  EXPECT_THAT(plain(after_broadcast(in)), ElementsAre(4, 0));
  EXPECT_EQ(target_bytes(in, {1, 1}), 0u);
}

TEST(Gather, PutsTheBlocksByRankIntoTheRootsTargetAlone) {
  const Inputs in = inputs_of(Operation::kGather, {2, 2}, {1, 0});
  EXPECT_THAT(plain(target_after(in, {}, {1, 0})), ElementsAre(0, 0, 1, 0, 2, 0, 3, 0));
  EXPECT_EQ(target_bytes(in, {0, 0}), 0u);
  EXPECT_TRUE(target_after(in, {}, {0, 0}).empty());
}

TEST(Scatter, TakesFromTheRootAlone) {
  const Inputs in = inputs_of(Operation::kScatter, {2, 2}, {1, 0});
  EXPECT_EQ(source_bytes(in, {0, 0}), 0u);
  EXPECT_EQ(source_bytes(in, {1, 0}), 8u);
  EXPECT_THAT(plain(target_after(in, {}, {0, 1})), ElementsAre(1, 2));
}

TEST(AllGather, IsAGatherAtEveryNode) {
  const Inputs in = inputs_of(Operation::kAllGather, {2, 2});
  EXPECT_THAT(plain(target_after(in, {}, {0, 1})), ElementsAre(0, 0, 1, 0, 2, 0, 3, 0));
}

TEST(ByRank, GatherAndScatterHaveTheBlocksOfTheEmbeddingsRanks) {
  // A snake of five nodes on 3 x 2: the numbers 0, 1, 2, 5, 4.
  Inputs in{Operation::kGather, {3, 2}, {1, 0}, 1, {}, {Embedding::kSnake, 5}};
  for (int s = 0; s < 6; ++s) in.source.push_back({number(s)});
  EXPECT_EQ(target_bytes(in, {1, 0}), 5u);
  EXPECT_THAT(plain(target_after(in, {}, {1, 0})), ElementsAre(0, 1, 2, 5, 4));
  EXPECT_EQ(source_bytes(in, {0, 1}), 0u);  // takes no part
  in.operation = Operation::kScatter;
  EXPECT_EQ(source_bytes(in, {1, 0}), 5u);
  in.source[1] = {number(10), number(11), number(12), number(13), number(14)};
  EXPECT_THAT(plain(target_after(in, {}, {2, 1})), ElementsAre(13));
  EXPECT_THAT(plain(target_after(in, {}, {1, 1})), ElementsAre(14));
}

TEST(ReduceScatter, HasABlockForEachRankAndLeavesOne) {
  const Inputs in = inputs_of(Operation::kReduceScatter, {2, 2});
  EXPECT_EQ(source_bytes(in, {1, 1}), 8u);
  EXPECT_EQ(target_bytes(in, {1, 1}), 2u);
  EXPECT_THAT(plain(target_after(in, {{}, {}, {number(7), number(9)}, {}}, {0, 1})),
              ElementsAre(7, 9));
}

TEST(Transpose, SwapsXAndY) {
  const Inputs in = inputs_of(Operation::kTranspose, {2, 2});
  EXPECT_THAT(plain(target_after(in, {}, {1, 0})), ElementsAre(2, 0));
  EXPECT_THAT(plain(target_after(in, {}, {1, 1})), ElementsAre(3, 0));
}

TEST(AllToAll, BringsEachBlockToItsReceiver) {
  const Inputs in = inputs_of(Operation::kAllToAll, {2, 2});
  EXPECT_THAT(plain(target_after(in, {}, {0, 1})), ElementsAre(0, 2, 1, 2, 2, 2, 3, 2));
}

TEST(AllToAll, OfAllNodesIsThatOfEach) {
  for (const Operation operation : {Operation::kAllToAll, Operation::kAllGather}) {
    const Inputs in = inputs_of(operation, {2, 2});
    const std::vector<Bytes> none;
    Targets targets(in, none);
    for (int n = 0; n < in.network.nodes(); ++n) {
      const auto found = targets.at(node_at(in.network, n));
      EXPECT_EQ(Bytes(found.begin(), found.end()), target_after(in, {}, node_at(in.network, n)));
    }
  }
}

TEST(AllToAll, InAListedGroupHasTheBlocksOfItsRanks) {
  // Ranks 0, 1, 2 at the nodes 5, 0 and 4 of 3 x 2.
  Inputs in{Operation::kAllToAll, {3, 2}, {}, 1, {}, {}};
  in.ranks.listed = std::make_shared<const NodeList>(std::vector<Node>{{2, 1}, {0, 0}, {1, 1}});
  in.source.resize(6);
  in.source[5] = {number(50), number(51), number(52)};
  in.source[0] = {number(0), number(1), number(2)};
  in.source[4] = {number(40), number(41), number(42)};
  EXPECT_EQ(source_bytes(in, {1, 0}), 0u);
  EXPECT_EQ(source_bytes(in, {0, 0}), 3u);
  EXPECT_THAT(plain(target_after(in, {}, {0, 0})), ElementsAre(51, 1, 41));
  EXPECT_THAT(plain(target_after(in, {}, {1, 1})), ElementsAre(52, 2, 42));
  EXPECT_TRUE(target_after(in, {}, {1, 0}).empty());
  // Rank r has r + s bytes for rank s.
  in.lengths = {0, 1, 2, 1, 2, 3, 2, 3, 4};
  in.source[5] = {number(1), number(2), number(2)};
  in.source[0] = {number(3), number(4), number(4), number(5), number(5), number(5)};
  in.source[4] = std::vector<std::byte>(9, number(6));
  EXPECT_THAT(plain(target_after(in, {}, {0, 0})), ElementsAre(1, 4, 4, 6, 6, 6));
}

TEST(Barrier, HasNoBuffers) {
  const Inputs in = inputs_of(Operation::kBarrier, {2, 2});
  EXPECT_EQ(source_bytes(in, {}) + target_bytes(in, {}), 0u);
}

// ---- Arithmetic ---------------------------------------------------------------------------------

template <typename Element>
Element combined_pair(Operator op, ElementType type, Element left, Element right) {
  Bytes a(sizeof left), b(sizeof right);
  std::memcpy(a.data(), &left, sizeof left);
  std::memcpy(b.data(), &right, sizeof right);
  combine(op, type, a, b);
  std::memcpy(&left, a.data(), sizeof left);
  return left;
}
std::uint32_t bits(float f) { return std::bit_cast<std::uint32_t>(f); }
std::uint32_t floats(Operator op, float left, float right) {
  return combined_pair(op, ElementType::kFloat32, bits(left), bits(right));
}

TEST(Arithmetic, OfIntegersWrapsAround) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(combined_pair(Operator::kSum, ElementType::kInt32, kMost, 1), -kMost - 1);
  EXPECT_EQ(combined_pair(Operator::kProduct, ElementType::kUint32, 0x10000U, 0x10001U), 0x10000U);
  EXPECT_EQ(combined_pair<std::int64_t>(Operator::kProduct, ElementType::kInt64, -3, 5), -15);
  EXPECT_EQ(combined_pair(Operator::kMin, ElementType::kInt32, -1, 1), -1);
  EXPECT_EQ(combined_pair(Operator::kMin, ElementType::kUint32, ~0U, 1U), 1U);
  EXPECT_EQ(combined_pair(Operator::kMax, ElementType::kUint32, ~0U, 1U), ~0U);
  EXPECT_EQ(combined_pair(Operator::kAnd, ElementType::kInt32, 6, 3), 2);
  EXPECT_EQ(combined_pair(Operator::kOr, ElementType::kInt32, 6, 3), 7);
  EXPECT_EQ(combined_pair(Operator::kXor, ElementType::kFloat32, 6, 3), 5);
}

TEST(Arithmetic, OfFloatsHasOneNanAndOrderedZeros) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr std::uint32_t kTheNan = 0x7FC00000;
  EXPECT_EQ(floats(Operator::kSum, 0.5F, 0.25F), bits(0.75F));
  EXPECT_EQ(floats(Operator::kSum, kInfinity, -kInfinity), kTheNan);
  EXPECT_EQ(floats(Operator::kSum, std::bit_cast<float>(0xFFC12345U), 1), kTheNan);
  EXPECT_EQ(floats(Operator::kMin, kNan, 3), bits(3));
  EXPECT_EQ(floats(Operator::kMax, -3, kNan), bits(-3));
  EXPECT_EQ(floats(Operator::kMax, kNan, kNan), kTheNan);
  for (const auto& [a, b] : {std::pair{-0.0F, 0.0F}, std::pair{0.0F, -0.0F}}) {
    EXPECT_EQ(floats(Operator::kMin, a, b), bits(-0.0F));
    EXPECT_EQ(floats(Operator::kMax, a, b), bits(0.0F));
  }
  EXPECT_EQ(floats(Operator::kProduct, std::bit_cast<float>(2U), 0.5F), 1U) << "subnormal";
}

TEST(Arithmetic, RefusesLengthsThatDoNotFit) {
  Bytes four(4), six(6);
  EXPECT_THROW(combine(Operator::kSum, ElementType::kInt32, four, six), std::invalid_argument);
  EXPECT_THROW(combine(Operator::kSum, ElementType::kInt32, six, six), std::invalid_argument);
  EXPECT_THROW(combine(Operator::kSum, ElementType::kInt64, four, four), std::invalid_argument);
}

TEST(Affine, IsFirstTheLeftMapThenTheRightOne) {
  // x -> 2 x + 3, then x -> 5 x + 7: 10 x + 22. The maps do not commute; their groups do not
  // matter.
  const std::array<std::uint32_t, 2> first = {2, 3}, second = {5, 7}, third = {0x80000001, 9};
  const auto then = [](std::array<std::uint32_t, 2> left, std::array<std::uint32_t, 2> right) {
    combine(Operator::kAffine, ElementType::kUint32, std::as_writable_bytes(std::span(left)),
            std::as_bytes(std::span(right)));
    return left;
  };
  EXPECT_THAT(then(first, second), ElementsAre(10, 22));
  EXPECT_THAT(then(second, first), ElementsAre(10, 17));
  EXPECT_EQ(then(then(first, second), third), then(first, then(second, third)));
  EXPECT_FALSE(commutes(Operator::kAffine));
}

TEST(Affine, IsOfPairsOfUint32Alone) {
  EXPECT_EQ(bytes_of(Operator::kAffine, ElementType::kUint32), 8u);
  EXPECT_EQ(bytes_of(Operator::kSum, ElementType::kUint32), 4u);
  EXPECT_FALSE(applies(Operator::kAffine, ElementType::kInt32));
  Bytes eight(8), twelve(12);
  EXPECT_THROW(combine(Operator::kAffine, ElementType::kInt64, eight, eight),
               std::invalid_argument);
  EXPECT_THROW(combine(Operator::kAffine, ElementType::kUint32, twelve, twelve),
               std::invalid_argument);
}

TEST(Scan, WritesEverywhereButAnExclusiveOneNotAtRank0) {
  const Inputs in = inputs_of(Operation::kScan, {2, 2}), ex = inputs_of(Operation::kExscan, {2, 2});
  EXPECT_EQ(target_bytes(in, {0, 0}), 2u);
  EXPECT_EQ(target_bytes(ex, {0, 0}), 0u);
  EXPECT_EQ(target_bytes(ex, {1, 0}), 2u);
  EXPECT_EQ(source_bytes(ex, {0, 0}), 2u);
}

TEST(Ranks, WithoutANodeLeaveItOut) {
  Inputs in{Operation::kAllReduce, {3, 3}, {}, 2, {}, {Embedding::kSnake, 4}};
  EXPECT_TRUE(takes_part(in, {2, 1}));  // ranks 0, 1, 2 in the row y = 0, 3 above the last of them
  EXPECT_FALSE(takes_part(in, {0, 1}));
  EXPECT_EQ(source_bytes(in, {0, 1}) + target_bytes(in, {0, 1}), 0u);
  EXPECT_EQ(target_bytes(in, {2, 1}), 2u);
}

// ---- Reductions ---------------------------------------------------------------------------------

Inputs floats_on_row(const std::vector<float>& values) {
  Inputs in{Operation::kReduce, {static_cast<int>(values.size()), 1}, {}, 4, {}};
  for (const float value : values) {
    Bytes source(4);
    std::memcpy(source.data(), &value, 4);
    in.source.push_back(source);
  }
  return in;
}
float value_of(const Bytes& bytes) {
  float f = 0;
  std::memcpy(&f, bytes.data(), 4);
  return f;
}
Message message(int from, int to) { return {{from, 0}, {to, 0}, 4}; }

TEST(Combined, TakesAStepsMessagesByAscendingSendersWhateverTheirOrderInTheSchedule) {
  const std::vector<float> values = {1e8F, 1, -1e8F, 3};
  const float expected = (values[0] + values[1]) + values[2] + values[3];  // left to right
  for (const Step& step : {Step{message(1, 0), message(2, 0), message(3, 0)},
                           Step{message(3, 0), message(1, 0), message(2, 0)}}) {
    const auto result =
        combined(floats_on_row(values), {{step}}, Operator::kSum, ElementType::kFloat32);
    EXPECT_EQ(value_of(result[0]), expected);
    EXPECT_NE(value_of(result[0]), values[0] + ((values[1] + values[2]) + values[3]));
  }
}

TEST(Combined, SendsWhatASenderHadBeforeTheStep) {
  const Schedule exchange{{{message(0, 1), message(1, 0), message(2, 3), message(3, 2)},
                           {message(0, 2), message(2, 0), message(1, 3), message(3, 1)}}};
  for (const Bytes& value :
       combined(floats_on_row({1, 2, 4, 8}), exchange, Operator::kSum, ElementType::kFloat32)) {
    EXPECT_EQ(value_of(value), 15);
  }
}

TEST(Combined, AMessageWithAllThatTheReceiverHasTakesItsPlace) {
  const Schedule there_and_back{{{message(2, 1)}, {message(1, 0)}, {message(0, 1), message(0, 2)}}};
  for (const Bytes& value :
       combined(floats_on_row({1, 2, 4}), there_and_back, Operator::kSum, ElementType::kFloat32)) {
    EXPECT_EQ(value_of(value), 7);
  }
}

TEST(Combined, RefusesABlockThatComesTwiceAndMessagesOfOtherLengths) {
  const Inputs in = floats_on_row({1, 2, 4});
  const Schedule twice{{{message(2, 1), message(2, 0)}, {message(1, 0)}}};
  EXPECT_THROW(combined(in, twice, Operator::kSum, ElementType::kFloat32), std::invalid_argument);
  const Schedule half{{{Message{{1, 0}, {0, 0}, 2}}}};
  EXPECT_THROW(combined(in, half, Operator::kSum, ElementType::kFloat32), std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference
