// What the core's instructions cost in a step of a pipelined schedule: cycles from one packet to
// the next at full speed, on the modelled NICs, as RV32 program and built for the host; and cycles
// of whole calls of a few bytes. Parameter space: operation, algorithm, bytes of a packet.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "firmware/image.hpp"
#include "testbench/firmware/support/firmware_mesh.hpp"

namespace annelid {
namespace {

using firmware::TestCall;
using reg::Algorithm;
using reg::Operation;

nic::NicConfig config() {
  nic::NicConfig config;
  config.network = {{4, 4, 1}, systemc::RouterConfig{.local_ports = 1}};
  config.memory_bytes = 1 << 20;
  return config;
}

class StepTiming : public ::testing::Test {
 protected:
  /// Cycles of a call with `packets` packets a tree, each of so many bytes.
  Cycle run(FirmwareMesh& mesh, TestCall call, std::uint32_t trees, std::uint32_t packets,
            std::uint32_t packet_bytes) {
    call.count = trees * packets * packet_bytes / 4;
    call.type = reg::Type::kUint32;
    call.op = 1;
    call.source = 0x1000;
    call.target = 0x1000 + 0x10000;
    call.scratch = 0x1000 + 0x20000;
    call.parameter = {0, packets, 1};  // snake
    call.tag = ++tag_;
    const Cycle start = mesh.fabric.now();
    for (std::uint32_t n = 0; n < mesh.nodes(); ++n) mesh.call(n, call);
    mesh.run();
    EXPECT_EQ(mesh.log.failures, std::vector<std::string>{});
    return mesh.fabric.now() - start;
  }
  /// From one step to the next, `period` steps a packet.
  double step(FirmwareMesh& mesh, const TestCall& call, std::uint32_t trees, std::uint32_t period,
              std::uint32_t packet_bytes) {
    const Cycle few = run(mesh, call, trees, 20, packet_bytes);
    const Cycle many = run(mesh, call, trees, 60, packet_bytes);
    return static_cast<double>(many - few) / (40.0 * period);
  }

  nic::Image image = nic::load_elf({firmware_image().begin(), firmware_image().end()});
  FirmwareMesh core{config(), &image, "core"};
  FirmwareMesh host{config(), nullptr, "host"};

 private:
  std::uint32_t tag_ = 0;
};

TEST_F(StepTiming, APacketIsPassedOnWithinTwoHundredCyclesOfInstructions) {
  // Along a line, from the last flit of a packet to the first one of the same packet further on.
  // The root is called when all others wait.
  TestCall call{.operation = Operation::kBroadcast,
                .algorithm = Algorithm::kLinearPipeline,
                .source = 0x1000,
                .count = 512,
                .parameter = {0, 1, 1}};
  for (std::uint32_t n = 1; n < core.nodes(); ++n) core.call(n, call);
  core.fabric.run_until(core.fabric.now() + 20'000, [] { return false; });
  core.call(0, call);
  core.run();
  std::map<std::uint32_t, Cycle> received, sent;
  for (const nic::MessageRecord& r : core.log.records()) {
    received[r.info.destination] = r.received;
    sent[r.info.source] = r.started;
  }
  Cycle most = 0, sum = 0;
  for (const auto& [node, cycle] : received) {
    if (!sent.contains(node)) continue;  // the last one
    most = std::max(most, sent[node] - cycle);
    sum += sent[node] - cycle;
  }
  ASSERT_EQ(received.size(), 15U);
  std::printf("passed on after %.1f cycles, at most %llu\n", static_cast<double>(sum) / 14,
              static_cast<unsigned long long>(most));
  EXPECT_LE(most, 200U);
}

TEST_F(StepTiming, AStepAtFullSpeedCostsTheCoreAboutAThousandCycles) {
  const struct {
    const char* name;
    Operation operation;
    Algorithm algorithm;
    std::uint32_t trees, period;
  } ways[] = {
      {"two-tree broadcast", Operation::kBroadcast, Algorithm::kTwoTree, 2, 2},
      {"two-tree reduce", Operation::kReduce, Algorithm::kTwoTree, 2, 2},
      {"two-tree scan", Operation::kScan, Algorithm::kTwoTree, 2, 4},
      {"linear-pipeline broadcast", Operation::kBroadcast, Algorithm::kLinearPipeline, 1, 1},
      {"linear-pipeline reduce", Operation::kReduce, Algorithm::kLinearPipeline, 1, 1},
      {"linear-pipeline scan", Operation::kScan, Algorithm::kLinearPipeline, 1, 1},
      {"circulant broadcast", Operation::kBroadcast, Algorithm::kCirculant, 1, 1},
      {"binary-tree broadcast", Operation::kBroadcast, Algorithm::kBinaryTree, 1, 2},
      {"doubly-pipelined scan", Operation::kScan, Algorithm::kDoublyPipelined, 1, 3},
  };
  std::printf("%-28s %6s %8s %8s\n", "cycles of a step", "bytes", "core", "host");
  for (const auto& way : ways) {
    for (const std::uint32_t bytes : {8U, 64U, 512U}) {
      const TestCall call{.operation = way.operation, .algorithm = way.algorithm};
      const double on_core = step(core, call, way.trees, way.period, bytes);
      const double on_host = step(host, call, way.trees, way.period, bytes);
      std::printf("%-28s %6u %8.1f %8.1f\n", way.name, bytes, on_core, on_host);
      EXPECT_LE(on_core, way.algorithm == Algorithm::kCirculant ? 1400 : 1150) << way.name;
    }
  }
}

/// An algorithm, as it is called.
struct Called {
  const char* name;
  Operation operation;
  Algorithm algorithm;
  std::uint32_t parameter = 0;
};

TEST_F(StepTiming, TradeOffsOfEightBytesCostAboutWhatTheirKinCost) {
  const auto cycles = [&](FirmwareMesh& mesh, const Called& called) {
    const TestCall call{.operation = called.operation,
                        .algorithm = called.algorithm,
                        .root = 5,
                        .source = 0x1000,
                        .target = 0x2000,
                        .count = 2,
                        .type = reg::Type::kUint32,
                        .op = 1,
                        .tag = 1000,
                        .scratch = 0x3000,
                        .parameter = {0, called.parameter, 0}};
    const Cycle start = mesh.fabric.now();
    for (std::uint32_t n = 0; n < mesh.nodes(); ++n) mesh.call(n, call);
    mesh.run();
    EXPECT_EQ(mesh.log.failures, std::vector<std::string>{});
    return mesh.fabric.now() - start;
  };
  const std::pair<Called, Called> pairs[] = {
      {{"all-reduce, k = 0", Operation::kAllReduce, Algorithm::kLeaders, 0},
       {"butterfly", Operation::kAllReduce, Algorithm::kButterfly}},
      {{"all-reduce, k = 4", Operation::kAllReduce, Algorithm::kLeaders, 4},
       {"binomial", Operation::kAllReduce, Algorithm::kBinomial}},
      {{"scan, k = 0", Operation::kScan, Algorithm::kLeaders, 0},
       {"simultaneous-binomial", Operation::kScan, Algorithm::kSimultaneousBinomial}},
      {{"exscan, k = 0", Operation::kExscan, Algorithm::kLeaders, 0},
       {"simultaneous-binomial", Operation::kExscan, Algorithm::kSimultaneousBinomial}},
      {{"scatter, radix 2", Operation::kScatter, Algorithm::kRadix, 2},
       {"recursive-doubling", Operation::kScatter, Algorithm::kRecursiveDoubling}},
      {{"gather, radix 2", Operation::kGather, Algorithm::kRadix, 2},
       {"recursive-doubling", Operation::kGather, Algorithm::kRecursiveDoubling}},
      {{"all-gather, exchange", Operation::kAllGather, Algorithm::kExchange},
       {"dissemination", Operation::kAllGather, Algorithm::kDissemination}},
  };
  std::printf("%-24s %6s %6s  %-24s %6s %6s\n", "cycles of a call", "core", "host", "kin", "core",
              "host");
  for (const auto& [own, kin] : pairs) {
    const Cycle own_core = cycles(core, own), kin_core = cycles(core, kin);
    std::printf("%-24s %6llu %6llu  %-24s %6llu %6llu\n", own.name,
                static_cast<unsigned long long>(own_core),
                static_cast<unsigned long long>(cycles(host, own)), kin.name,
                static_cast<unsigned long long>(kin_core),
                static_cast<unsigned long long>(cycles(host, kin)));
    // The lines of the trade-offs stand further down in the table of collectives.
    EXPECT_LE(own_core, kin_core + kin_core / 5) << own.name;
  }
}

}  // namespace
}  // namespace annelid
