// The scan by couples on fake NICs: every message of every step against the reference's schedule,
// one message in a step, and the bytes at all nodes. Parameter space: operation, number of
// processes, packets, operator, order of events.
#include <gtest/gtest.h>

#include "reference/two_trees/two_tree.hpp"
#include "testbench/firmware/support/ranked_check.hpp"

namespace annelid::firmware {
namespace {

/// (step, from, to), in order.
using StepPair = std::tuple<std::uint32_t, std::size_t, std::size_t>;

std::vector<StepPair> pairs_of(const Records& records) {
  std::vector<StepPair> all;
  for (const FakeNetwork::Record& r : records) all.emplace_back(r.step, r.from, r.to);
  std::sort(all.begin(), all.end());
  return all;
}
std::vector<StepPair> pairs_of(const reference::DataFlow& flow) {
  std::vector<StepPair> all;
  for (std::size_t s = 0; s < flow.steps.size(); ++s) {
    for (const reference::FlowMessage& m : flow.steps[s]) all.emplace_back(s + 1, m.from, m.to);
  }
  std::sort(all.begin(), all.end());
  return all;
}

void expect_half_duplex(const Records& records) {
  std::set<std::pair<std::size_t, std::uint32_t>> busy;
  for (const FakeNetwork::Record& r : records) {
    EXPECT_TRUE(busy.emplace(r.from, r.step).second) << "rank " << r.from << ", step " << r.step;
    EXPECT_TRUE(busy.emplace(r.to, r.step).second) << "rank " << r.to << ", step " << r.step;
  }
}

void check_scans(std::uint32_t p, std::uint32_t packets) {
  FakeNetwork network({static_cast<int>(p), 1, 1}, p);
  for (const reg::Operation operation : {reg::Operation::kScan, reg::Operation::kExscan}) {
    for (const std::uint32_t op : {kSum, kAffineCode}) {
      SCOPED_TRACE(::testing::Message() << "p " << p << ", k " << packets << ", operator " << op);
      const Records records =
          expect_ranked(network, {.operation = operation,
                                  .algorithm = reg::Algorithm::kTwoTreeCouples,
                                  .order = embedded({static_cast<int>(p), 1, 1}, Embedding::kRows),
                                  .count = 40,
                                  .op = op,
                                  .parameter_1 = packets,
                                  .tag = 9});
      if (::testing::Test::HasFailure()) return;
      expect_half_duplex(records);
      EXPECT_EQ(pairs_of(records), pairs_of(reference::two_tree_couples_scan(
                                       static_cast<int>(p), static_cast<int>(packets),
                                       operation == reg::Operation::kExscan)));
    }
  }
}

TEST(CouplesScanOnFakeNics, SendsTheReferencesMessages) {
  for (std::uint32_t p = 1; p <= 70; ++p) {
    check_scans(p, 3);
    if (HasFailure()) return;
  }
}
TEST(CouplesScanOnFakeNics, SendsTheReferencesMessagesInAnyNumberOfPackets) {
  for (const std::uint32_t p : {2U, 3U, 6U, 7U, 130U}) {
    for (const std::uint32_t packets : {1U, 2U, 10U, 25U}) check_scans(p, packets);
  }
}

}  // namespace
}  // namespace annelid::firmware
