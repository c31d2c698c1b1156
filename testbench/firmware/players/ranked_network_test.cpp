// The operations on ranks on the modelled NICs and routers, as RV32 program and built for the host:
// the same bytes, the right ones, the same messages, and no descriptor that a NIC refuses.
// Parameter space: operation, algorithm, network, ranks, root, packets, length, operator.
#include <gtest/gtest.h>

#include <ostream>

#include "firmware/image.hpp"
#include "testbench/firmware/support/firmware_mesh.hpp"
#include "testbench/firmware/support/ranked_check.hpp"

namespace annelid {
namespace {

using firmware::Bytes;
using firmware::Embedding;
using firmware::kAffineCode;
using firmware::kSum;
using firmware::RankedCall;
using firmware::RankedTest;
using firmware::TestCall;
using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

constexpr std::uint32_t kSource = 0x1003, kTarget = 0x5005, kScratch = 0xA000;

struct Shape {
  const char* name;
  firmware::Size size;
  systemc::RouterConfig router;
  std::uint32_t ranks;
  Embedding embedding;
  friend std::ostream& operator<<(std::ostream& out, const Shape& s) { return out << s.name; }
};

class RankedOnNetwork : public ::testing::TestWithParam<Shape> {
 protected:
  static nic::NicConfig config() {
    nic::NicConfig config;
    const firmware::Size size = GetParam().size;
    config.network = {{size.x, size.y, size.z}, GetParam().router};
    config.memory_bytes = 1 << 18;
    return config;
  }
  static void put(FirmwareMesh& mesh, NodeId node, std::uint32_t at, const Bytes& bytes) {
    mesh.nics[node]->memory().write(at, std::as_bytes(std::span(bytes)));
  }
  static Bytes get(FirmwareMesh& mesh, NodeId node, std::uint32_t at, std::size_t bytes) {
    Bytes result(bytes);
    mesh.nics[node]->memory().read(at, std::as_writable_bytes(std::span(result)));
    return result;
  }

  /// All messages but those of a process to itself: how many pieces a copy has been cut into when
  /// another such message is due depends on time.
  static auto schedule(const FirmwareMesh& mesh) {
    auto messages = mesh.messages(true);
    std::erase_if(messages, [](const auto& m) { return std::get<0>(m) == std::get<1>(m); });
    return messages;
  }

  void check(RankedCall plan) {
    plan.order = firmware::embedded(GetParam().size, GetParam().embedding);
    plan.order.resize(GetParam().ranks);
    plan.parameter_2 = GetParam().ranks << 8 | static_cast<std::uint32_t>(GetParam().embedding);
    plan.tag = ++tag_;
    SCOPED_TRACE(::testing::Message()
                 << "operation " << static_cast<int>(plan.operation) << ", algorithm "
                 << static_cast<int>(plan.algorithm) << ", count " << plan.count << ", root "
                 << plan.root << ", operator " << plan.op << ", PARAMETER_1 " << plan.parameter_1);
    const RankedTest test(plan);
    TestCall call = test.call;
    call.source = kSource;
    call.target = kTarget;
    call.scratch = kScratch;
    for (FirmwareMesh* mesh : {&core, &host}) {
      std::vector<std::uint16_t> tickets;
      for (NodeId n = 0; n < mesh->nodes(); ++n) {
        put(*mesh, n, kSource, test.effect.before(n));
        put(*mesh, n, kTarget, Bytes(test.effect.target, 0xA5));
        put(*mesh, n, kScratch, Bytes(test.effect.scratch, 0x5A));
        tickets.push_back(mesh->call(n, call));
      }
      mesh->run();
      for (NodeId n = 0; n < mesh->nodes(); ++n) {
        ASSERT_EQ(mesh->result(n, tickets[n]), CallResult::kSuccess)
            << "node " << n << mesh->waits();
        const Bytes source =
            test.effect.source_after ? test.effect.source_after(n) : test.effect.before(n);
        ASSERT_EQ(get(*mesh, n, kSource, source.size()), source) << "SOURCE of node " << n;
        Bytes target = test.effect.after ? test.effect.after(n) : Bytes{};
        if (target.empty()) target.assign(test.effect.target, 0xA5);
        ASSERT_EQ(get(*mesh, n, kTarget, target.size()), target) << "TARGET of node " << n;
      }
      ASSERT_EQ(mesh->log.failures, std::vector<std::string>{});
    }
    ASSERT_TRUE(schedule(core) == schedule(host)) << "messages on the core and on the host differ";
  }
  /// With packets, lengths and operators; `ordered`: operands that do not commute too.
  void check_all(Operation operation, Algorithm algorithm, std::uint32_t root, bool ordered,
                 std::uint32_t flags = 0) {
    for (const std::uint32_t packets : {1U, 5U, 0U}) {
      if (HasFatalFailure()) return;
      check_lengths(operation, algorithm, root, ordered, packets | flags);
    }
  }
  void check_whole(Operation operation, Algorithm algorithm, std::uint32_t root, bool ordered) {
    if (!HasFatalFailure()) check_lengths(operation, algorithm, root, ordered, 0);
  }
  void check_lengths(Operation operation, Algorithm algorithm, std::uint32_t root, bool ordered,
                     std::uint32_t parameter) {
    for (const std::uint32_t count : {6U, 200U, 1000U}) {
      for (const std::uint32_t op : {kSum, kAffineCode}) {
        if (op == kAffineCode && (operation == Operation::kBroadcast || !ordered)) continue;
        check({.operation = operation,
               .algorithm = algorithm,
               .order = {},
               .root = root,
               .count = count,
               .op = op,
               .parameter_1 = parameter});
        if (HasFatalFailure()) return;
      }
    }
  }

  nic::Image image = nic::load_elf({firmware_image().begin(), firmware_image().end()});
  FirmwareMesh core{config(), &image, "core"};
  FirmwareMesh host{config(), nullptr, "host"};

 private:
  std::uint32_t tag_ = 0;
};

INSTANTIATE_TEST_SUITE_P(
    Networks, RankedOnNetwork,
    ::testing::Values(
        Shape{"Mesh", {4, 3, 1}, systemc::RouterConfig{.local_ports = 4}, 12, Embedding::kSnake},
        Shape{
            "Some", {4, 4, 1}, systemc::RouterConfig{.local_ports = 1}, 11, Embedding::kQuadrants},
        Shape{"Torus",
              {5, 1, 1},
              {.local_ports = 2, .vcs = 2, .torus = {true, true, false}},
              5,
              Embedding::kRows},
        Shape{"OneNode", {1, 1, 1}, {}, 1, Embedding::kRows}),
    ::testing::PrintToStringParamName());

TEST_P(RankedOnNetwork, TwoTreesRunOnTheCoreAsOnTheHost) {
  const std::uint32_t last = GetParam().ranks - 1;
  constexpr std::uint32_t kCommonRoot = 1U << 16;
  constexpr std::uint32_t kAhead = 1U << 17, kInTurn = 2U << 17, kStepwise = 3U << 17;
  for (const Algorithm algorithm : {Algorithm::kTwoTree, Algorithm::kTwoTreeShifted}) {
    check_all(Operation::kBroadcast, algorithm, last / 2, true);
    check_all(Operation::kReduce, algorithm, last / 2, false);
    check_all(Operation::kReduce, algorithm, last, true, kCommonRoot);
    check_all(Operation::kAllReduce, algorithm, 0, true, kCommonRoot);
    for (const std::uint32_t receives : {kAhead, kInTurn, kStepwise})
      check_all(Operation::kAllReduce, algorithm, last / 2, false, receives);
  }
}
TEST_P(RankedOnNetwork, TwoTreeScansRunOnTheCoreAsOnTheHost) {
  for (const Algorithm algorithm : {Algorithm::kTwoTree, Algorithm::kTwoTreeShifted}) {
    check_all(Operation::kScan, algorithm, 0, true);
    check_all(Operation::kExscan, algorithm, 0, true);
  }
}
TEST_P(RankedOnNetwork, CouplesCirculantAndDoublyPipelinedRunOnTheCoreAsOnTheHost) {
  const std::uint32_t last = GetParam().ranks - 1;
  check_all(Operation::kBroadcast, Algorithm::kTwoTreeCouples, last / 2, false);
  check_all(Operation::kReduce, Algorithm::kTwoTreeCouples, last / 3, false);
  check_all(Operation::kBroadcast, Algorithm::kCirculant, last / 2, false);
  check_all(Operation::kScan, Algorithm::kDoublyPipelined, 0, true);
  check_all(Operation::kExscan, Algorithm::kDoublyPipelined, 0, true);
}
TEST_P(RankedOnNetwork, WholeBlocksRunOnTheCoreAsOnTheHost) {
  const std::uint32_t last = GetParam().ranks - 1;
  check_whole(Operation::kBroadcast, Algorithm::kBinomial, last / 2, true);
  check_whole(Operation::kReduce, Algorithm::kBinomial, 0, true);
  check_whole(Operation::kAllReduce, Algorithm::kBinomial, 0, true);
  check_whole(Operation::kBroadcast, Algorithm::kScatterAllgather, last / 2, true);
  check_whole(Operation::kScan, Algorithm::kSimultaneousBinomial, 0, true);
  check_whole(Operation::kExscan, Algorithm::kSimultaneousBinomial, 0, true);
  for (const Algorithm algorithm :
       {Algorithm::kButterfly, Algorithm::kRabenseifner, Algorithm::kEliminationButterfly}) {
    for (const std::uint32_t root : {0U, last > 0 ? 1U : 0U, last})
      check_whole(Operation::kReduce, algorithm, root, true);
    check_whole(Operation::kAllReduce, algorithm, 0, true);
  }
}
TEST_P(RankedOnNetwork, LeadersRunOnTheCoreAsOnTheHost) {
  const std::uint32_t ranks = GetParam().ranks;
  for (const std::uint32_t k : {0U, 1U, 2U, 4U}) {
    if (HasFatalFailure()) return;
    const std::uint32_t leaders = (ranks + (1U << k) - 1) >> k;
    const bool ordered = (leaders & (leaders - 1)) == 0;
    check_lengths(Operation::kAllReduce, Algorithm::kLeaders, 0, ordered, k);
    if (HasFatalFailure()) return;
    check_lengths(Operation::kScan, Algorithm::kLeaders, 0, true, k);
    if (HasFatalFailure()) return;
    check_lengths(Operation::kExscan, Algorithm::kLeaders, 0, true, k);
  }
}
TEST_P(RankedOnNetwork, LinearPipelineAndBinaryTreeRunOnTheCoreAsOnTheHost) {
  const std::uint32_t last = GetParam().ranks - 1;
  for (const Algorithm algorithm : {Algorithm::kLinearPipeline, Algorithm::kBinaryTree}) {
    check_all(Operation::kBroadcast, algorithm, last / 2, true);
    check_all(Operation::kReduce, algorithm, last, true);
  }
  check_all(Operation::kAllReduce, Algorithm::kBinaryTree, 0, true);
  check_all(Operation::kScan, Algorithm::kLinearPipeline, 0, true);
  check_all(Operation::kExscan, Algorithm::kLinearPipeline, 0, true);
}

}  // namespace
}  // namespace annelid
