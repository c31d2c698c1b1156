// Calls in CCL's modes on fake NICs: that nobody ends early in barrier mode, that a word which one
// member has alone is found in develop mode, and that the operation's own messages stay the same.
// Parameter space: operations and algorithms, the member that is late or differs, the word that
// differs, order of events.
#include <gtest/gtest.h>

#include "testbench/firmware/operation_check.hpp"
#include "testbench/firmware/ranked_check.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

constexpr std::uint32_t kNodes = 9, kRoot = 4;  // 3 x 3

/// Of every collective operation, one algorithm.
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

TEST(DevelopMode, EveryMemberLearnsThatAWordDiffers) {
  const std::vector<std::pair<const char*, std::function<void(TestCall&)>>> kChanges = {
      {"OPERATION", [](TestCall& c) { c.operation = static_cast<Operation>(0x100 | 1); }},
      {"ALGORITHM", [](TestCall& c) { c.algorithm = Algorithm::kBinaryTree; }},
      {"ROOT", [](TestCall& c) { c.root = 5; }},
      {"COUNT", [](TestCall& c) { c.count = 5; }},
      {"TYPE", [](TestCall& c) { c.type = reg::Type::kInt32; }},
      {"OPERATOR", [](TestCall& c) { c.op = 2; }},
      {"PARAMETER_0", [](TestCall& c) { c.parameter[0] = 1; }},
      {"PARAMETER_1", [](TestCall& c) { c.parameter[1] = 3; }},
      {"PARAMETER_2", [](TestCall& c) { c.parameter[2] = 1; }},
      {"FLAGS", [](TestCall& c) { c.flags |= 1; }},
      {"a bad ROOT", [](TestCall& c) { c.root = 1000; }}};
  for (std::uint32_t odd = 0; odd < kNodes; ++odd) {
    for (const auto& [name, change] : kChanges) {
      FakeNetwork network({3, 3, 1}, odd + 1, odd % 2 == 0 ? 0 : 64);
      Tickets tickets;
      for (std::size_t node = 0; node < kNodes; ++node) {
        TestCall call =
            in_modes(plain_call({Operation::kReduce, Algorithm::kBinomial}), reg::kFlagDevelop);
        call.source += static_cast<std::uint32_t>(16 * node);  // each its own
        if (node == odd) change(call);
        make(network, tickets, node, call);
      }
      network.run();
      for (const auto& [node, ticket] : tickets) {
        EXPECT_EQ(network.result(node, ticket), CallResult::kCallsDiffer)
            << name << " at node " << odd << ", node " << node;
      }
      EXPECT_EQ(network.unmatched(), 0U);
      for (const auto& r : network.records) EXPECT_EQ(r.step, 0U) << "nobody has begun";
    }
  }
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
    for (const auto& [node, ticket] : tickets)
      EXPECT_EQ(network.result(node, ticket), CallResult::kCallsDiffer);
  }
}

TEST(Modes, AreForCollectiveOperationsAlone) {
  TestNode node(Address{0, 0, 0}, {1, 1, 1});
  TestCall call = in_modes(plain_call({Operation::kSend, Algorithm::kNone}), reg::kFlagBarrier);
  EXPECT_EQ(answer_of(node, call), CallResult::kUnknownOperation);
  call = in_modes(plain_call({Operation::kBroadcast, Algorithm::kBinomial}), reg::kFlagBarrier);
  call.root = 1;
  EXPECT_EQ(answer_of(node, call), CallResult::kBadArgument) << "a root that is not there";
  call.root = 0;
  call.tag = 0x10000;
  EXPECT_EQ(answer_of(node, call), CallResult::kBadArgument) << "TAG";
  call.tag = 1;
  call.parameter[2] = 3;
  EXPECT_EQ(answer_of(node, call), CallResult::kBadArgument) << "embedding";
  call = in_modes(plain_call({Operation::kBarrier, Algorithm::kDissemination}), reg::kFlagDevelop);
  call.scratch = 0x5002;
  EXPECT_EQ(answer_of(node, call), CallResult::kBadArgument) << "SCRATCH is not aligned";
  call.scratch = FakeBus::kMemoryBytes - 124;
  EXPECT_EQ(answer_of(node, call), CallResult::kBadArgument) << "no room in SCRATCH";
  call.scratch = FakeBus::kMemoryBytes - 128;
  EXPECT_EQ(answer_of(node, call), CallResult::kSuccess);
}

}  // namespace
}  // namespace annelid::firmware
