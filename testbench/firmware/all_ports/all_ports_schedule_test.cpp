// disjoint-trees and port-rings on fake NICs: every message of every step against the reference's
// schedule. Parameter space: operation, network with or without rings, root, bytes, packets.
#include <gtest/gtest.h>

#include "reference/catalogue.hpp"
#include "testbench/firmware/support/operation_check.hpp"

namespace annelid::firmware {
namespace {

/// (step, from, to, bytes), in order.
using SentMessages = std::vector<std::tuple<std::size_t, std::size_t, std::size_t, std::uint64_t>>;

struct AllPortsCall {
  reg::Operation operation;
  reference::Operation in_catalogue;
  const char* algorithm;
};
constexpr AllPortsCall kAllPortsCalls[] = {
    {reg::Operation::kBroadcast, reference::Operation::kBroadcast, "disjoint-trees"},
    {reg::Operation::kReduce, reference::Operation::kReduce, "disjoint-trees"},
    {reg::Operation::kAllGather, reference::Operation::kAllGather, "port-rings"},
    {reg::Operation::kReduceScatter, reference::Operation::kReduceScatter, "port-rings"},
    {reg::Operation::kAllReduce, reference::Operation::kAllReduce, "port-rings"},
};

SentMessages reference_schedule(const AllPortsCall& c, const reference::Network& network,
                                std::uint32_t root, std::uint32_t bytes, std::uint32_t packets) {
  const reference::Algorithm* algorithm = reference::find_algorithm(c.in_catalogue, c.algorithm);
  const reference::Schedule schedule =
      algorithm->schedule({.network = network,
                           .root = reference::node_at(network, static_cast<int>(root)),
                           .bytes = bytes,
                           .parameter = packets});
  SentMessages all;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    for (const reference::Message& m : schedule.steps[i]) {
      all.emplace_back(i + 1, index_of(network, m.from), index_of(network, m.to), m.bytes);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(AllPortsSchedule, IsTheReferences) {
  const reference::Network networks[] = {
      {.x = 1, .y = 1},
      {.x = 5, .y = 1},
      {.x = 5, .y = 1, .ring = {true, false, false}},
      {.x = 4, .y = 3},
      {.x = 2, .y = 3, .ring = {true, true, false}},
      {.x = 5, .y = 4, .ring = {true, true, false}},
      {.x = 3, .y = 5, .ring = {true, false, false}},
      {.x = 2, .y = 3, .z = 3},
      {.x = 3, .y = 3, .z = 4, .ring = {true, true, true}},
  };
  std::uint32_t compared = 0;
  for (const reference::Network& network : networks) {
    const std::uint32_t rings =
        (network.ring[0] ? 1U : 0U) | (network.ring[1] ? 2U : 0U) | (network.ring[2] ? 4U : 0U);
    FakeNetwork fake({network.x, network.y, network.z}, 0, 64, {}, rings);
    for (const AllPortsCall& c : kAllPortsCalls) {
      const bool trees = c.algorithm == std::string("disjoint-trees");
      if (!reference::find_algorithm(c.in_catalogue, c.algorithm)->supports(network)) {
        EXPECT_TRUE(trees && network.z > 1);
        continue;
      }
      for (const std::uint32_t bytes : {0U, 4U, 500U}) {
        const auto nodes = static_cast<std::uint32_t>(network.nodes());
        const std::uint32_t root = trees ? (bytes + 7) % nodes : 0, packets = trees ? bytes % 4 : 0;
        fake.records.clear();
        fake.call_all([&](std::size_t) {
          return TestCall{
              .operation = c.operation,
              .algorithm = trees ? reg::Algorithm::kDisjointTrees : reg::Algorithm::kPortRings,
              .root = root,
              .target = 0x10000,
              .count = bytes / 4,
              .type = reg::Type::kUint32,
              .op = static_cast<std::uint32_t>(reg::Operator::kSum),
              .tag = 1,
              .scratch = 0x20000,
              .parameter = {0, packets}};
        });
        SentMessages sent;
        for (const FakeNetwork::Record& r : fake.records) {
          if (r.from != r.to) sent.emplace_back(r.step, r.from, r.to, r.bytes);
        }
        std::sort(sent.begin(), sent.end());
        EXPECT_EQ(sent, reference_schedule(c, network, root, bytes, packets))
            << name_of(c.in_catalogue) << " on " << to_string(network) << ", " << bytes
            << " bytes, " << packets << " packets from " << root;
        if (::testing::Test::HasFailure()) return;
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 3U * (7 * 5 + 2 * 3));
}

}  // namespace
}  // namespace annelid::firmware
