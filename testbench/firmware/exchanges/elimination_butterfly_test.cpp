// The butterfly with 3-2 elimination on fake NICs: every message of every step against the
// reference's schedule, and the bytes at all nodes. Parameter space: operation, number of
// processes, root, threshold of halving, operator, order of events.
#include "reference/exchanges/elimination_butterfly.hpp"

#include <gtest/gtest.h>

#include "testbench/firmware/support/ranked_check.hpp"

namespace annelid::firmware {
namespace {

/// (step, from, to, words), in order.
using StepWords = std::tuple<std::uint32_t, std::size_t, std::size_t, std::uint64_t>;

std::vector<StepWords> played(const Records& records) {
  std::vector<StepWords> all;
  for (const FakeNetwork::Record& r : records) {
    all.emplace_back(r.step, r.from, r.to, r.bytes / 8);
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// The first parts of a block are a word longer if it cannot be divided evenly.
std::vector<StepWords> scheduled(const reference::DataFlow& flow, std::uint64_t words) {
  const auto begin = [&](std::uint64_t part) {
    return part * (words / flow.parts) + std::min(part, words % flow.parts);
  };
  std::vector<StepWords> all;
  for (std::size_t s = 0; s < flow.steps.size(); ++s) {
    for (const reference::FlowMessage& m : flow.steps[s]) {
      all.emplace_back(s + 1, m.from, m.to, begin(m.end) - begin(m.first));
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

struct EliminationCase {
  reg::Operation operation;
  std::uint32_t p, root, words, threshold;
};

void check(FakeNetwork& network, const EliminationCase& c, std::uint32_t op) {
  SCOPED_TRACE(::testing::Message() << "p " << c.p << ", root " << c.root << ", " << c.words
                                    << " words, threshold " << c.threshold << ", operator " << op);
  const Records records =
      expect_ranked(network, {.operation = c.operation,
                              .algorithm = reg::Algorithm::kEliminationButterfly,
                              .order = embedded({static_cast<int>(c.p), 1, 1}, Embedding::kRows),
                              .root = c.root,
                              .count = 2 * c.words,
                              .op = op,
                              .parameter_1 = c.threshold,
                              .tag = 9});
  if (::testing::Test::HasFailure()) return;
  const auto p = static_cast<int>(c.p);
  const int halvings = reference::halving_rounds(p, c.words, c.threshold);
  const reference::DataFlow flow =
      c.operation == reg::Operation::kReduce
          ? reference::elimination_reduction(p, halvings, static_cast<int>(c.root))
          : reference::elimination_all_reduction(p, halvings);
  EXPECT_EQ(played(records), scheduled(flow, c.words));
}

/// Both operations, for these roots of p processes.
void check_all(std::uint32_t p, const std::vector<std::uint32_t>& roots, std::uint32_t words,
               const std::vector<std::uint32_t>& thresholds) {
  FakeNetwork network({static_cast<int>(p), 1, 1}, p);
  for (const std::uint32_t threshold : thresholds) {
    for (const std::uint32_t op : {kSum, kAffineCode}) {
      check(network, {reg::Operation::kAllReduce, p, 0, words, threshold}, op);
      for (const std::uint32_t root : roots) {
        check(network, {reg::Operation::kReduce, p, root, words, threshold}, op);
      }
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(EliminationOnFakeNics, SendsTheReferencesMessagesForEveryRootOfFewProcesses) {
  for (std::uint32_t p = 1; p <= 15; ++p) {
    std::vector<std::uint32_t> roots(p);
    for (std::uint32_t r = 0; r < p; ++r) roots[r] = r;
    check_all(p, roots, 13, {1, 2, 4, 7, 13});
    if (HasFailure()) return;
  }
}
TEST(EliminationOnFakeNics, SendsTheReferencesMessagesForManyProcesses) {
  for (const std::uint32_t p : {23U, 28U, 31U, 32U, 45U, 63U, 75U, 150U}) {
    check_all(p, {0, p / 2, p - 2}, 67, {1, 9, 33, 70});
    if (HasFailure()) return;
  }
}
TEST(EliminationOnFakeNics, HalvesBlocksOfMoreThan400WordsByItself) {
  for (const std::uint32_t words : {400U, 401U, 800U, 801U, 2000U}) check_all(12, {5}, words, {0});
}

}  // namespace
}  // namespace annelid::firmware
