// disjoint-trees and port-rings on the modelled NICs and routers: on the core as on the host, with
// all strands that a network can have; float32 sums in the order of combining; and how much faster
// than one port they are. Parameter space: operation, network, root, bytes, packets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "testbench/firmware/support/operations_network.hpp"

namespace annelid {
namespace {

using reg::Algorithm;
using reg::Operation;
using Shape = NetworkShape;

class AllPortsOnNetwork : public OperationsOnNetwork {
 protected:
  bool has_trees() const { return side(2) == 1; }
  static float value(std::uint32_t node, std::uint32_t e) {
    const std::uint32_t h = (node * 977 + e * 131 + 7) * 2654435761U;
    return static_cast<float>(static_cast<std::int32_t>(h)) / static_cast<float>(1 + h % 1000);
  }
  static Bytes integers(std::uint32_t count,
                        const std::function<std::int32_t(std::uint32_t)>& value) {
    Bytes result(4 * count);
    for (std::uint32_t e = 0; e < count; ++e) {
      const std::int32_t v = value(e);
      std::memcpy(&result[4 * e], &v, 4);
    }
    return result;
  }
};

INSTANTIATE_TEST_SUITE_P(
    Networks, AllPortsOnNetwork,
    ::testing::Values(
        Shape{"Mesh", {4, 3, 1}, systemc::RouterConfig{.local_ports = 4}},
        Shape{"Torus", {3, 4, 1}, {.local_ports = 4, .vcs = 2, .torus = {true, true, false}}},
        Shape{"Ring", {5, 1, 1}, {.local_ports = 2, .vcs = 2, .torus = {true, false, false}}},
        Shape{"CubeTorus",
              {3, 3, 3},
              {.local_ports = 6, .vcs = 2, .dims = 3, .torus = {true, true, true}}},
        Shape{"OnePort", {4, 3, 1}, {.local_ports = 1, .kind = systemc::RouterKind::kOnePort}},
        Shape{"OneNode", {1, 1, 1}, {}}),
    ::testing::PrintToStringParamName());

TEST_P(AllPortsOnNetwork, LeaveTheRightBytesOnTheCoreAsOnTheHost) {
  for (const std::uint32_t bytes : {0U, 7U, 1000U}) {
    const auto one = [&](std::uint32_t n) { return blocks(n, 0, 1, bytes); };
    for (const std::uint32_t packets : {0U, 5U}) {
      if (!has_trees()) break;
      const std::uint32_t root = (bytes + packets) % nodes();
      check({.operation = Operation::kBroadcast,
             .algorithm = Algorithm::kDisjointTrees,
             .root = root,
             .count = bytes,
             .parameter = {0, packets}},
            one, kSource, [&](std::uint32_t) { return one(root); });
    }
    check({.operation = Operation::kAllGather, .algorithm = Algorithm::kPortRings, .count = bytes},
          one, kTarget, [&](std::uint32_t) {
            Bytes result;
            for (std::uint32_t from = 0; from < nodes(); ++from) append(result, from, 0, bytes);
            return result;
          });
  }
}

TEST_P(AllPortsOnNetwork, CombineIntegers) {
  const auto element = [](std::uint32_t node, std::uint32_t e) {
    return static_cast<std::int32_t>((node * 977 + e * 131 + 7) * 2654435761U);
  };
  const auto least = [&](std::uint32_t e) {
    std::int32_t result = element(0, e);
    for (std::uint32_t n = 1; n < nodes(); ++n) result = std::min(result, element(n, e));
    return result;
  };
  for (const std::uint32_t count : {1U, 150U}) {
    TestCall call{.operation = Operation::kAllReduce,
                  .algorithm = Algorithm::kPortRings,
                  .count = count,
                  .type = reg::Type::kInt32,
                  .op = static_cast<std::uint32_t>(reg::Operator::kMin)};
    const auto own = [&](std::uint32_t elements) {
      return [&, elements](std::uint32_t n) {
        return integers(elements, [&](std::uint32_t e) { return element(n, e); });
      };
    };
    check(call, own(count), kTarget, [&](std::uint32_t) { return integers(count, least); });
    call.operation = Operation::kReduceScatter;
    check(call, own(nodes() * count), kTarget, [&](std::uint32_t n) {
      return integers(count, [&](std::uint32_t e) { return least(n * count + e); });
    });
    if (!has_trees()) continue;
    call.operation = Operation::kReduce;
    call.algorithm = Algorithm::kDisjointTrees;
    call.root = nodes() / 2;
    call.parameter = {0, 3};
    check(call, own(count), kTarget,
          [&](std::uint32_t n) { return n == call.root ? integers(count, least) : Bytes{}; });
  }
}

/// 8 x 8 nodes whose firmware is built for the host.
class Speed {
 public:
  explicit Speed(bool torus) : mesh_(config(torus), nullptr, torus ? "torus" : "mesh") {}

  /// Cycles of a call of a block of so many words of eight bytes.
  Cycle cycles(TestCall call, std::uint32_t words) {
    call.count = 2 * words;
    call.type = reg::Type::kInt32;
    call.op = static_cast<std::uint32_t>(reg::Operator::kSum);
    call.target = 8 * words;
    call.scratch = 16 * words;
    call.tag = ++tag_;
    const Cycle start = mesh_.fabric.now();
    for (std::uint32_t n = 0; n < mesh_.nodes(); ++n) mesh_.call(n, call);
    mesh_.run();
    EXPECT_EQ(mesh_.log.failures, std::vector<std::string>{});
    return mesh_.fabric.now() - start;
  }

 private:
  static nic::NicConfig config(bool torus) {
    systemc::RouterConfig router{.local_ports = 4};
    if (torus) router.vcs = 2;
    router.torus = {torus, torus, false};
    router.control_vc = true;  // as `annelid run` has it
    nic::NicConfig config;
    config.network = {{8, 8, 1}, router};
    config.memory_bytes = 1 << 28;
    return config;
  }
  FirmwareMesh mesh_;
  std::uint32_t tag_ = 0;
};

std::uint32_t words_of(std::uint32_t usual) {
  const char* text = std::getenv("ANNELID_ALL_PORTS_WORDS");
  return text == nullptr ? usual : static_cast<std::uint32_t>(std::atoi(text));
}

TEST(AllPortsSpeed, TreesBringMoreThanAWordInACycle) {
  const std::uint32_t words = words_of(1 << 15);
  Speed mesh(false), torus(true);
  for (Speed* network : {&mesh, &torus}) {
    // As many packets as are best without a core, which needs time for each: sqrt(w0 D / 50 t).
    const std::uint32_t trees = network == &torus ? 4 : 2;
    const auto packets = static_cast<std::uint32_t>(std::sqrt(words / trees * 14 / (50 * trees)));
    const Cycle cycles = network->cycles({.operation = Operation::kBroadcast,
                                          .algorithm = Algorithm::kDisjointTrees,
                                          .parameter = {0, packets}},
                                         words);
    const double rate = words / static_cast<double>(cycles);
    std::printf("%s: %.2f words a cycle; %llu cycles\n", network == &torus ? "torus" : "mesh", rate,
                static_cast<unsigned long long>(cycles));
    EXPECT_GE(rate, network == &torus ? 2.4 : 1.5);
  }
}

TEST(AllPortsSpeed, RingsAreFasterThanOneRing) {
  const std::uint32_t words = words_of(1 << 12);
  Speed mesh(false), torus(true);
  for (Speed* network : {&mesh, &torus}) {
    const Cycle rings = network->cycles(
        {.operation = Operation::kAllReduce, .algorithm = Algorithm::kPortRings}, words);
    // One ring of all ranks, with the long template.
    const Cycle ring = network->cycles(
        {.operation = Operation::kAllReduce, .algorithm = Algorithm::kIntercom, .flags = 5}, words);
    const double faster = static_cast<double>(ring) / static_cast<double>(rings);
    std::printf("%s: %.2f times as fast; %llu and %llu cycles\n",
                network == &torus ? "torus" : "mesh", faster,
                static_cast<unsigned long long>(rings), static_cast<unsigned long long>(ring));
    EXPECT_GE(faster, network == &torus ? 3.5 : 1.9);
  }
}

}  // namespace
}  // namespace annelid
