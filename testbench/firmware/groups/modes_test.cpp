// Calls in CCL's modes on fake NICs: that nobody ends early in barrier mode, that a word which one
// member has alone is found in develop mode, that all learn who said what, and that the operation's
// own messages stay the same.
// Parameter space: operations and algorithms, the member that is late or differs, the word that
// differs, order of events.
#include <gtest/gtest.h>

#include <iterator>

#include "testbench/firmware/support/operation_check.hpp"
#include "testbench/firmware/support/ranked_check.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

constexpr std::uint32_t kNodes = 9, kRoot = 4;  // 3 x 3

/// One algorithm of every collective operation.
const std::vector<std::pair<Operation, Algorithm>> kOperations = {
    {Operation::kBroadcast, Algorithm::kRecursiveDoubling},
    {Operation::kBroadcast, Algorithm::kTwoTree},
    {Operation::kReduce, Algorithm::kBinomial},
    {Operation::kGather, Algorithm::kRadix},
    {Operation::kScatter, Algorithm::kRadix},
    {Operation::kAllGather, Algorithm::kDissemination},
    {Operation::kAllReduce, Algorithm::kRecursiveDoubling},
    {Operation::kBarrier, Algorithm::kDissemination},
    {Operation::kTranspose, Algorithm::kDirect},
    {Operation::kAllToAll, Algorithm::kRadix},
    {Operation::kScan, Algorithm::kLinearPipeline},
    {Operation::kExscan, Algorithm::kSimultaneousBinomial},
    {Operation::kReduceScatter, Algorithm::kIntercom},
    {Operation::kShift, Algorithm::kEvenOdd},
    {Operation::kSyncIn, Algorithm::kBinomial},
    {Operation::kSyncOut, Algorithm::kBinomial}};

TestCall plain_call(const std::pair<Operation, Algorithm>& which) {
  TestCall call{.operation = which.first,
                .algorithm = which.second,
                .root = kRoot,
                .source = 0x1000,
                .target = 0x3000,
                .count = 4,
                .type = reg::Type::kUint32,
                .op = kSum,
                .tag = 7,
                .scratch = 0x5000};
  if (which.first == Operation::kShift) call.parameter[1] = 1;
  return call;
}
TestCall in_modes(TestCall call, std::uint32_t modes) {
  call.operation =
      static_cast<Operation>(static_cast<std::uint32_t>(call.operation) | reg::kOperationInModes);
  call.flags |= modes;
  return call;
}

using Tickets = std::map<std::size_t, std::uint32_t>;
void make(FakeNetwork& network, Tickets& tickets, std::size_t node, const TestCall& call) {
  tickets[node] = network.bus(node).call(call);
}

TEST(BarrierMode, NobodyEndsBeforeAllHaveBegun) {
  std::size_t early = 0;  // without barrier mode
  for (const auto& which : kOperations) {
    for (const std::uint32_t modes : {0U, reg::kFlagBarrier + 0U}) {
      for (std::uint32_t late = 0; late < kNodes; ++late) {
        FakeNetwork network({3, 3, 1}, late + 1);
        const TestCall call = in_modes(plain_call(which), modes);
        Tickets tickets;
        for (std::size_t node = 0; node < kNodes; ++node) {
          if (node != late) make(network, tickets, node, call);
        }
        network.run();
        for (const auto& [node, ticket] : tickets) {
          if (!network.bus(node).results.contains(ticket)) continue;
          if (modes == 0) {
            ++early;
          } else {
            ADD_FAILURE() << "operation " << static_cast<int>(which.first) << ": node " << node
                          << " ended before node " << late << " began";
          }
        }
        make(network, tickets, late, call);
        network.run();
        for (const auto& [node, ticket] : tickets)
          ASSERT_EQ(network.result(node, ticket), CallResult::kSuccess)
              << "operation " << static_cast<int>(which.first);
        EXPECT_EQ(network.unmatched(), 0U);
      }
    }
  }
  EXPECT_GT(early, 100U) << "the test can see it";
}

/// The messages with a step.
Records of_schedule(const Records& all) {
  Records some;
  std::ranges::copy_if(all, std::back_inserter(some),
                       [](const auto& r) { return r.step != 0 && r.from != r.to; });
  for (auto& r : some) r.sequence = 0;  // others may go before it
  std::ranges::sort(some);
  return some;
}

TEST(Modes, TheOperationsOwnMessagesStayTheSame) {
  for (const auto& which : kOperations) {
    std::vector<Records> found;
    for (const std::uint32_t modes : {0U, reg::kFlagBarrier + 0U, reg::kFlagDevelop + 0U,
                                      reg::kFlagBarrier | reg::kFlagDevelop}) {
      FakeNetwork network({3, 3, 1}, 5, 0);
      network.call_all([&](std::size_t) { return in_modes(plain_call(which), modes); });
      found.push_back(of_schedule(network.records));
      std::size_t others = 0;
      for (const auto& r : network.records) others += r.step == 0 && r.from != r.to ? 1 : 0;
      EXPECT_EQ(others > 0, modes != 0 && !(modes == reg::kFlagBarrier &&
                                            (which.first == Operation::kAllGather ||
                                             which.first == Operation::kAllReduce ||
                                             which.first == Operation::kBarrier ||
                                             which.first == Operation::kAllToAll ||
                                             which.first == Operation::kReduceScatter)))
          << "operation " << static_cast<int>(which.first) << ", modes " << modes;
    }
    FakeNetwork network({3, 3, 1}, 5, 0);
    network.call_all([&](std::size_t) { return plain_call(which); });
    for (const Records& records : found) EXPECT_EQ(records, of_schedule(network.records));
  }
}

constexpr std::uint32_t kScratch = 0x5000;

/// What a member has at SCRATCH when its call has ended with CALLS_DIFFER: the word of the record,
/// and twice a process and what it says. ccl-modes.md, "Calls of the host".
using Difference = std::array<std::uint32_t, 7>;
Difference difference_at(FakeNetwork& network, std::size_t node) {
  return network.bus(node).get<Difference>(kScratch);
}

/// Expects that all have learned of a word that `odd` says differently from all others.
void expect_found(FakeNetwork& network, const Tickets& tickets, std::uint32_t odd,
                  const Difference& expected, const std::string& what) {
  const Difference first = difference_at(network, 0);
  const bool from_first = odd == 0;  // which compares others with itself
  EXPECT_EQ(first[0], expected[0]) << what;
  const std::size_t of_odd = from_first ? 4 : 1, of_other = from_first ? 1 : 4;
  EXPECT_EQ(first[of_odd], odd) << what;
  EXPECT_LT(first[of_other], kNodes) << what;
  EXPECT_NE(first[of_other], odd) << what;
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_EQ(first[of_odd + i], expected[1 + i]) << what;
    EXPECT_EQ(first[of_other + i], expected[4 + i]) << what;
  }
  for (const auto& [node, ticket] : tickets) {
    EXPECT_EQ(network.result(node, ticket), CallResult::kCallsDiffer) << what << ", node " << node;
    EXPECT_EQ(difference_at(network, node), first) << what << ", node " << node;
  }
  EXPECT_EQ(network.unmatched(), 0U);
}

TEST(DevelopMode, EveryMemberLearnsWhoSaidWhat) {
  struct Change {
    const char* name;
    std::uint32_t word, said, usual;  // of the record
    std::function<void(TestCall&)> make;
  };
  const auto code = [](auto value) { return static_cast<std::uint32_t>(value); };
  const std::vector<Change> kChanges = {
      {"OPERATION", 7, 1, 10, [](TestCall& c) { c.operation = static_cast<Operation>(0x100 | 1); }},
      {"ALGORITHM", 8, code(Algorithm::kBinaryTree), code(Algorithm::kBinomial),
       [](TestCall& c) { c.algorithm = Algorithm::kBinaryTree; }},
      {"ROOT", 12, 5, kRoot, [](TestCall& c) { c.root = 5; }},
      {"COUNT", 13, 5, 4, [](TestCall& c) { c.count = 5; }},
      {"TYPE", 14, code(reg::Type::kInt32), code(reg::Type::kUint32),
       [](TestCall& c) { c.type = reg::Type::kInt32; }},
      {"OPERATOR", 15, 2, code(kSum), [](TestCall& c) { c.op = 2; }},
      {"PARAMETER_0", 16, 1, 0, [](TestCall& c) { c.parameter[0] = 1; }},
      {"PARAMETER_1", 17, 3, 0, [](TestCall& c) { c.parameter[1] = 3; }},
      {"PARAMETER_2", 18, 1, 0, [](TestCall& c) { c.parameter[2] = 1; }},
      {"FLAGS", 19, 1, 0, [](TestCall& c) { c.flags |= 1; }},
      {"a bad ROOT", 12, 1000, kRoot, [](TestCall& c) { c.root = 1000; }}};
  for (std::uint32_t odd = 0; odd < kNodes; ++odd) {
    for (const Change& change : kChanges) {
      FakeNetwork network({3, 3, 1}, odd + 1, odd % 2 == 0 ? 0 : 64);
      Tickets tickets;
      for (std::size_t node = 0; node < kNodes; ++node) {
        TestCall call =
            in_modes(plain_call({Operation::kReduce, Algorithm::kBinomial}), reg::kFlagDevelop);
        call.source += static_cast<std::uint32_t>(16 * node);  // each its own
        if (node == odd) change.make(call);
        make(network, tickets, node, call);
      }
      network.run();
      expect_found(network, tickets, odd, {change.word, odd, change.said, 0, 0, change.usual, 0},
                   std::string(change.name) + " at node " + std::to_string(odd));
      for (const auto& r : network.records) EXPECT_EQ(r.step, 0U) << "nobody has begun";
    }
  }
}

TEST(DevelopMode, ItIsTheFirstDifferenceThatAMemberHearsOf) {
  const auto found_if = [](const std::function<void(std::uint32_t, TestCall&)>& change) {
    FakeNetwork network({3, 3, 1}, 2);
    Tickets tickets;
    for (std::uint32_t node = 0; node < kNodes; ++node) {
      TestCall call =
          in_modes(plain_call({Operation::kReduce, Algorithm::kBinomial}), reg::kFlagDevelop);
      change(node, call);
      make(network, tickets, node, call);
    }
    network.run();
    return difference_at(network, 5);
  };
  EXPECT_EQ(found_if([](std::uint32_t node, TestCall& call) {
              if (node == 8) call.count = call.root = 1;
            }),
            (Difference{12, 8, 1, 0, 0, kRoot, 0}))
      << "the first word";
  EXPECT_EQ(found_if([](std::uint32_t node, TestCall& call) {
              if (node == 1) call.count = 5;
              if (node == 8) call.root = 1;
            }),
            (Difference{13, 1, 5, 0, 0, 4, 0}))
      << "rank 0 hears of rank 1 before it hears of rank 8";
}

TEST(DevelopMode, TheWrongGroupIsFound) {
  FakeNetwork network({3, 3, 1}, 2);
  const std::vector<std::size_t> members = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  list_group(network, members);
  for (const std::size_t odd : {3U, 8U}) {
    Tickets tickets;
    for (std::size_t node = 0; node < kNodes; ++node) {
      TestCall call =
          in_modes(plain_call({Operation::kReduce, Algorithm::kBinomial}), reg::kFlagDevelop);
      if (node != odd) call.group = kListedGroup;
      make(network, tickets, node, call);
    }
    network.run();
    // The identifier of ALL, and that of the first group that process 0 leads.
    const auto place = static_cast<std::uint32_t>(odd);
    const std::uint32_t counter = difference_at(network, 0)[5];
    EXPECT_LT(counter, 100U);
    expect_found(network, tickets, place, {9, place, 0xFFFFFFFF, 0, 0, counter, 0}, "GROUP");
  }
}

/// The lengths of the blocks at a node, of which `odd` has a different last one.
TestCall call_with_lengths(FakeNetwork& network, std::size_t node, std::size_t odd,
                           const std::pair<Operation, Algorithm>& which) {
  constexpr std::uint32_t kList = 0x7000;
  constexpr std::uint32_t kLengths = 8;  // bit 3 of FLAGS
  std::vector<std::uint32_t> lengths(2 * kNodes, 4);
  if (node == odd) lengths[kNodes - 1] = 8;
  const auto list = static_cast<std::uint32_t>(kList + 16 * node);  // each its own
  network.bus(node).put(list, lengths.data(), 4 * lengths.size());
  TestCall call = in_modes(plain_call(which), reg::kFlagDevelop | kLengths);
  call.count = 0;
  call.parameter[0] = list;
  return call;
}

TEST(DevelopMode, OtherLengthsOfBlocksAreFound) {
  for (const std::uint32_t odd : {0U, 5U, 8U}) {
    FakeNetwork network({3, 3, 1}, 2);
    Tickets tickets;
    for (std::size_t node = 0; node < kNodes; ++node) {
      make(network, tickets, node,
           call_with_lengths(network, node, odd, {Operation::kAllGather, Algorithm::kIntercom}));
    }
    network.run();
    const auto checksum = [](std::uint32_t last) {
      std::uint32_t sum = 2166136261U;
      for (std::uint32_t i = 0; i < kNodes; ++i) sum = (sum ^ (i == 8 ? last : 4)) * 16777619U;
      return sum;
    };
    expect_found(network, tickets, odd, {20, odd, checksum(8), 0, 0, checksum(4), 0}, "lengths");
  }
}

TEST(DevelopMode, EqualListsAtDifferentPlacesAreEqual) {
  for (const Algorithm algorithm : {Algorithm::kIntercom, Algorithm::kDirect}) {
    const Operation operation =
        algorithm == Algorithm::kDirect ? Operation::kAllToAll : Operation::kAllGather;
    FakeNetwork network({3, 3, 1}, 2);
    Tickets tickets;
    for (std::size_t node = 0; node < kNodes; ++node) {
      make(network, tickets, node,
           call_with_lengths(network, node, kNodes, {operation, algorithm}));
    }
    network.run();
    for (const auto& [node, ticket] : tickets)
      EXPECT_EQ(network.result(node, ticket), CallResult::kSuccess);
  }
  // Each process of an all-to-all has lengths of its own: the operation itself fails where they do
  // not fit.
  FakeNetwork network({3, 3, 1}, 2);
  Tickets tickets;
  for (std::size_t node = 0; node < kNodes; ++node) {
    make(network, tickets, node,
         call_with_lengths(network, node, 0, {Operation::kAllToAll, Algorithm::kDirect}));
  }
  network.run();
  for (const auto& [node, ticket] : tickets)
    EXPECT_NE(network.result(node, ticket), CallResult::kCallsDiffer);
}

TEST(Modes, AreForCollectiveOperationsAlone) {
  TestNode node(Address{0, 0, 0}, {1, 1, 1});
  TestCall call = in_modes(plain_call({Operation::kSend, Algorithm::kNone}), reg::kFlagBarrier);
  EXPECT_EQ(answer_of(node, call), CallResult::kUnknownOperation);
  call = in_modes(plain_call({Operation::kBroadcast, Algorithm::kBinomial}), reg::kFlagBarrier);
  call.root = 1;
  EXPECT_EQ(answer_of(node, call), CallResult::kBadArgument) << "a root that is not there";
  call = in_modes(plain_call({Operation::kSend, Algorithm::kNone}), reg::kFlagDevelop);
  EXPECT_EQ(answer_of(node, call), CallResult::kUnknownOperation) << "after the comparison";
  call = in_modes(plain_call({Operation::kBroadcast, Algorithm::kBinomial}), reg::kFlagBarrier);
  call.root = 0;
  call.tag = 0x10000;
  EXPECT_EQ(answer_of(node, call), CallResult::kBadArgument) << "TAG";
  call.tag = 1;
  call.parameter[2] = 3;
  EXPECT_EQ(answer_of(node, call), CallResult::kBadArgument) << "embedding";
  call = in_modes(plain_call({Operation::kBarrier, Algorithm::kDissemination}), reg::kFlagDevelop);
  call.scratch = 0x5002;
  EXPECT_EQ(answer_of(node, call), CallResult::kBadArgument) << "SCRATCH is not aligned";
  call.scratch = FakeBus::kMemoryBytes - 164;
  EXPECT_EQ(answer_of(node, call), CallResult::kBadArgument) << "no room in SCRATCH";
  call.scratch = FakeBus::kMemoryBytes - 168;
  EXPECT_EQ(answer_of(node, call), CallResult::kSuccess);
}

}  // namespace
}  // namespace annelid::firmware
