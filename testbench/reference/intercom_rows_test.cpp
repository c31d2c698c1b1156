// InterCom in the catalogue: what its reductions leave, on integers and in order, and which
// requests it refuses. Parameter space: operation, factorizations of 1 to 12 ranks, template, order
// of the dimensions, roots, embedding.
#include <gtest/gtest.h>

#include <cstring>

#include "reference/intercom/logical_mesh.hpp"
#include "reference/operations.hpp"

namespace annelid::reference {
namespace {

constexpr std::array kCombining = {Operation::kReduce, Operation::kAllReduce,
                                   Operation::kReduceScatter};

std::vector<HybridChoice> hybrids_of(int p) {
  std::vector<HybridChoice> all;
  for (const std::vector<int>& sizes : intercom::factorizations(p)) {
    for (const bool is_long : {false, true}) {
      for (const bool far_first : {false, true}) all.push_back({sizes, is_long, far_first});
    }
  }
  return all;
}

using Words = std::vector<std::uint32_t>;
Bytes bytes_of(const Words& words) {
  Bytes bytes(4 * words.size());
  if (!words.empty()) std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}
/// Pairs of words that rank r has for rank `to`.
Words words_of(int r, int to) {
  const auto n = static_cast<std::uint32_t>(r * 64 + to + 1);
  return {n * 2654435761U, n ^ 0x55AA55AAU, n * n, n + 7};
}

/// Two maps x -> a·x + b, or sums.
Words together(const Words& left, const Words& right, Operator op) {
  Words all = left;
  for (std::size_t i = 0; i < all.size(); i += 2) {
    if (op == Operator::kSum) {
      all[i] += right[i];
      all[i + 1] += right[i + 1];
    } else {
      all[i] = left[i] * right[i];
      all[i + 1] = right[i] * left[i + 1] + right[i + 1];
    }
  }
  return all;
}
Words total(int p, int to, Operator op) {
  Words sum = words_of(0, to);
  for (int r = 1; r < p; ++r) sum = together(sum, words_of(r, to), op);
  return sum;
}

/// Ranks 0 .. p - 1 of a snake on 4 x 3.
void expect_results(Operation operation, int p, int root, const HybridChoice& hybrid, Operator op) {
  const Algorithm& a = *find_algorithm(operation, "intercom");
  const Network net{4, 3};
  const Ranks ranks{Embedding::kSnake, p};
  const std::vector<Node> nodes = members(net, ranks);
  const bool rooted = operation == Operation::kReduce;
  const Request request{net,   nodes[static_cast<std::size_t>(rooted ? root : 0)], 16, 0, ranks,
                        hybrid};
  if (op == Operator::kAffine && !a.keeps_order(request)) return;
  Inputs in{operation, net, request.root, 16, {}, ranks};
  in.source.resize(12);
  const int blocks = operation == Operation::kReduceScatter ? p : 1;
  for (int r = 0; r < p; ++r) {
    Bytes& source =
        in.source[static_cast<std::size_t>(index_of(net, nodes[static_cast<std::size_t>(r)]))];
    for (int to = 0; to < blocks; ++to) {
      const Bytes more = bytes_of(words_of(r, to));
      source.insert(source.end(), more.begin(), more.end());
    }
  }
  const std::vector<Bytes> results = a.results(in, request, op, ElementType::kUint32);
  for (int r = 0; r < p; ++r) {
    if (rooted && r != root) continue;
    const Node node = nodes[static_cast<std::size_t>(r)];
    EXPECT_EQ(target_after(in, results, node),
              bytes_of(total(p, operation == Operation::kReduceScatter ? r : 0, op)))
        << name_of(operation) << ", rank " << r << " of " << p << ", root " << root;
  }
}

TEST(IntercomRows, CombineAllBlocksInOrderWhereItIsKept) {
  for (int p = 1; p <= 12; ++p) {
    for (const HybridChoice& hybrid : hybrids_of(p)) {
      for (const Operation operation : kCombining) {
        for (const int root : {0, p / 2, p - 1}) {
          for (const Operator op : {Operator::kSum, Operator::kAffine}) {
            expect_results(operation, p, root, hybrid, op);
            if (::testing::Test::HasFailure()) return;
          }
        }
      }
    }
  }
}

TEST(IntercomRows, KeepTheOrderInPairsOfNeighboursAndInOneTree) {
  const auto keeps = [](const HybridChoice& hybrid) {
    return find_algorithm(Operation::kAllReduce, "intercom")
        ->keeps_order({{12, 1}, {}, 8, 0, {}, hybrid});
  };
  EXPECT_TRUE(keeps({}));
  EXPECT_TRUE(keeps({{12}, false, true}));
  EXPECT_TRUE(keeps({{2, 6}, false, false}));
  EXPECT_TRUE(keeps({{1, 2, 2, 3}, false, false}));
  EXPECT_FALSE(keeps({{12}, true, false}));
  EXPECT_FALSE(keeps({{2, 6}, false, true}));
  EXPECT_FALSE(keeps({{3, 4}, false, false}));
  EXPECT_FALSE(keeps({{2, 2, 3}, true, false}));
}

TEST(IntercomRows, RefuseAnotherNumberOfRanksAndAnOrderThatIsNotKept) {
  for (const Operation operation : kCombining) {
    const Algorithm& a = *find_algorithm(operation, "intercom");
    EXPECT_THROW((void)a.schedule({{4, 3}, {}, 8, 0, {}, {{5, 3}}}), std::invalid_argument);
    EXPECT_THROW((void)a.schedule({{4, 3}, {}, 8, 0, {Embedding::kRows, 11}, {{4, 3}}}),
                 std::invalid_argument);
    const Inputs in{operation, {4, 3}, {}, 8, std::vector<Bytes>(12, Bytes(96)), {}};
    EXPECT_THROW((void)a.results(in, {{4, 3}, {}, 8, 0, {}, {{3, 4}}}, Operator::kAffine,
                                 ElementType::kUint32),
                 std::invalid_argument);
  }
}

}  // namespace
}  // namespace annelid::reference
