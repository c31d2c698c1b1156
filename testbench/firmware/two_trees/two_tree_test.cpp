// The two-tree algorithms on fake NICs: the bytes at all nodes, one send and one receive a step,
// the steps of the paper. Parameter space: operation, construction, number of processes, root,
// packets, length, operator, embedding, order of events.
#include <gtest/gtest.h>

#include "testbench/firmware/support/ranked_check.hpp"
#include "testbench/firmware/support/rounded_log.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::Operation;

constexpr std::uint32_t kCommonRoot = 1U << 16;

std::vector<std::size_t> first_nodes(std::uint32_t p) {
  std::vector<std::size_t> order(p);
  for (std::size_t i = 0; i < p; ++i) order[i] = i;
  return order;
}

/// ceil(log2 n).
/// Theorem and footnote 9, as docs/internals/algorithms/two-trees.md has them: mirroring, an even
/// number of processes.
std::uint32_t broadcast_steps(std::uint32_t q, std::uint32_t k) {
  return 2 * log2_rounded_up(q + 2) + 2 * k - (q % 4 == 2 ? 2 : 3);
}

/// All operations of two trees for one number of processes and packets.
void check_all(std::uint32_t p, std::uint32_t k, std::uint32_t count, std::uint32_t seed,
               const std::vector<std::uint32_t>& roots) {
  FakeNetwork network({static_cast<int>(p), 1, 1}, seed);
  RankedCall call{.order = first_nodes(p), .count = count, .tag = 5};
  const std::uint32_t q = p - 1;
  for (const Algorithm algorithm : {Algorithm::kTwoTree, Algorithm::kTwoTreeShifted}) {
    for (const std::uint32_t common_root : {0U, kCommonRoot}) {
      call.algorithm = algorithm;
      call.parameter_1 = k | common_root;
      const bool ordered = q % 2 == 0 || common_root != 0;
      for (const std::uint32_t root : roots) {
        for (const Operation operation :
             {Operation::kBroadcast, Operation::kReduce, Operation::kAllReduce, Operation::kScan,
              Operation::kExscan}) {
          const bool scan = operation == Operation::kScan || operation == Operation::kExscan;
          if (scan && (root != 0 || common_root != 0)) continue;
          for (const std::uint32_t op : {kSum, kAffineCode}) {
            if (op == kAffineCode && (operation == Operation::kBroadcast ||
                                      (!scan && (!ordered || (root != 0 && root != q)))))
              continue;
            call.operation = operation;
            call.root = root;
            call.op = op;
            SCOPED_TRACE(::testing::Message()
                         << "p " << p << ", k " << k << ", count " << count << ", seed " << seed
                         << ", root " << root << ", algorithm " << static_cast<int>(algorithm)
                         << ", operation " << static_cast<int>(operation) << ", operator " << op
                         << ", common root " << common_root);
            const Records records = expect_ranked(network, call);
            const std::uint32_t last = expect_single_ported(records);
            if (::testing::Test::HasFailure()) return;
            if (scan && k != 0 && p > 1) {
              // "Its total is about twice": the last packets go down to the last leaves.
              if (algorithm == Algorithm::kTwoTree && p % 2 == 0) {
                EXPECT_EQ(last, 4 * (log2_rounded_up(p + 2) - 1) + 4 * k - 4);
              }
              EXPECT_LE(last, 4 * log2_rounded_up(p + 2) + 4 * k - 4);
            }
            if (scan) continue;
            const std::uint32_t times = operation == Operation::kAllReduce ? 2 : 1;
            if (k == 0 || p == 1) continue;
            EXPECT_EQ(records.size(), std::size_t{times} * 2 * k * q);
            if (algorithm == Algorithm::kTwoTree && q % 2 == 0) {
              EXPECT_EQ(last, times * broadcast_steps(q, k));
            }
            EXPECT_EQ(last % times, 0U);
          }
        }
      }
    }
  }
}

TEST(TwoTree, EveryOperationLeavesTheRightBytes) {
  std::uint32_t seed = 0;
  for (std::uint32_t p = 1; p <= 40; ++p) {
    for (const std::uint32_t k : {0U, 1U, 2U, 5U}) {
      if (p > 24 && k != 2) continue;
      const std::vector<std::uint32_t> roots = {0, p - 1, p / 3};
      check_all(p, k, 62, seed++, roots);
      if (HasFailure()) return;
    }
  }
}
TEST(TwoTree, LeavesTheRightBytesForEveryRootOfFewProcesses) {
  for (std::uint32_t p = 1; p <= 9; ++p) {
    std::vector<std::uint32_t> roots(p);
    for (std::uint32_t r = 0; r < p; ++r) roots[r] = r;
    check_all(p, 3, 14, p, roots);
    if (HasFailure()) return;
  }
}
TEST(TwoTree, LeavesTheRightBytesInBlocksOfAnyLength) {
  for (const std::uint32_t count : {0U, 2U, 4U, 34U, 400U, 5000U}) {
    check_all(7, 0, count, count, {2});
    check_all(12, 9, count, count + 1, {0});
    if (HasFailure()) return;
  }
}
TEST(TwoTree, LeavesTheRightBytesAtManyProcesses) {
  for (const std::uint32_t p : {63U, 64U, 65U, 127U, 150U}) check_all(p, 2, 62, p, {p / 2});
}

}  // namespace
}  // namespace annelid::firmware
