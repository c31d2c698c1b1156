// The program for the core, run on the core's model with fake NICs, beside the host build: both
// must do the same to every register, in the same order, and leave the same bytes.
#include "nic/core.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <random>
#include <vector>

#include "firmware/image.hpp"
#include "testbench/firmware/support/fake_network.hpp"
#include "testbench/firmware/support/firmware_on_core.hpp"
#include "testbench/firmware/support/prepared_network.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::Operation;

nic::Image image() {
  const auto bytes = firmware_image();
  return nic::load_elf({bytes.begin(), bytes.end()});
}

/// All kinds of calls, a few hundred, some of them refused, up to 12 at a time; the same ones for
/// the same `seed`.
void play(FakeNetwork& network, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto draw = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(random()) % below;
  };
  const auto nodes = static_cast<std::uint32_t>(network.nodes());
  for (std::uint32_t round = 0; round < 20; ++round) {
    std::vector<TestCall> calls;  // of all nodes
    const std::uint32_t count = 1 + draw(12);
    for (std::uint32_t c = 0; c < count; ++c) {
      const std::uint32_t at = 0x8000 + 0x4000 * c;
      TestCall call{.source = at,
                    .target = at + 0x1000,
                    .count = draw(300),
                    .tag = 20 * round + c,
                    .scratch = at + 0x2000};
      switch (draw(8)) {
        case 0:
        case 1:
          call.operation = Operation::kBroadcast;
          call.algorithm = draw(2) == 0 ? Algorithm::kEdn : Algorithm::kRecursiveDoubling;
          call.root = draw(nodes);
          call.parameter[0] = draw(2);
          break;
        case 2:
          call.operation = Operation::kSendReceive;
          call.type = reg::Type::kFloat32;
          call.root = 1;  // by how much to shift
          break;
        case 3:
          call.operation = Operation::kPartition;
          call.parameter = {1 + draw(4), draw(1000), draw(1000)};
          break;
        case 4:
          call.operation = Operation::kFormGrid;
          call.count = 4;
          call.parameter = {5 + draw(2), 7 + draw(2), nodes / 4};
          break;
        case 5:
          call.operation = Operation::kFreeGroup;
          call.group = draw(10);
          break;
        case 6:
          call.operation = Operation::kQueryGroup;
          call.group = draw(10);
          break;
        default:
          call.operation = Operation{draw(12)};
          call.algorithm = Algorithm{draw(4)};
          call.root = nodes;  // refused, whatever it is
          call.count = 0xFFFFFFFF;
          break;
      }
      calls.push_back(call);
    }
    for (std::uint32_t i = 0; i < nodes; ++i) {
      for (TestCall call : calls) {
        if (call.operation == Operation::kSendReceive) {
          call.parameter[0] = (i + nodes - call.root) % nodes;
          call.root = (i + call.root) % nodes;
        } else if (call.operation == Operation::kPartition) {
          call.parameter[1] = (call.parameter[1] >> i % 8) % 3;
          call.parameter[2] = call.parameter[2] * i % 7;
        }
        network.bus(i).call(call);
      }
    }
    network.run();
    ASSERT_EQ(network.unmatched(), 0U) << "round " << round;
  }
}

TEST(FirmwareOnCore, DoesToEveryRegisterWhatTheHostBuildDoes) {
  const nic::Image program = image();
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    const Size size = seed < 3 ? Size{4, 4, 1} : Size{3, 2, 4};
    FakeNetwork host(size, seed);
    FakeNetwork core(size, seed, 64,
                     [&](FakeBus& bus) { return std::make_unique<FirmwareOnCore>(program, bus); });
    for (FakeNetwork* network : {&host, &core}) play(*network, seed);
    ASSERT_GT(core.records.size(), 1000U);
    ASSERT_EQ(core.records, host.records);
    for (std::size_t i = 0; i < host.nodes(); ++i) {
      ASSERT_GT(core.bus(i).accesses.size(), 2000U);
      ASSERT_EQ(core.bus(i).accesses, host.bus(i).accesses) << "node " << i;
      ASSERT_EQ(core.bus(i).results, host.bus(i).results);
      ASSERT_EQ(core.bus(i).memory(), host.bus(i).memory()) << "node " << i;
    }
  }
}

// A list is the same bytes, whoever has recorded it. (AUTO and hybrids are not tried: the builds
// choose by the time that their own code takes.)
TEST(FirmwareOnCore, PreparesTheListsOfTheHostBuild) {
  const nic::Image program = image();
  PreparedNetwork host({4, 4, 1});
  PreparedNetwork core({4, 4, 1}, 1, 0, [&](FakeBus& bus) {
    return std::make_unique<FirmwareOnCore>(program, bus);
  });
  const auto call = [](Operation operation, Algorithm algorithm, std::uint32_t count) {
    return TestCall{.operation = operation,
                    .algorithm = algorithm,
                    .root = 5,
                    .source = 0x1000,
                    .target = 0x8000,
                    .count = count,
                    .type = reg::Type::kUint32,
                    .op = 1,
                    .tag = 4,
                    .scratch = 0x10000};
  };
  for (const TestCall& c : {call(Operation::kBroadcast, Algorithm::kEdn, 16),
                            call(Operation::kBroadcast, Algorithm::kDisjointTrees, 999),
                            call(Operation::kAllReduce, Algorithm::kPortRings, 500),
                            call(Operation::kAllToAll, Algorithm::kRadix, 7),
                            call(Operation::kGather, Algorithm::kEdn, 5)}) {
    for (std::size_t node = 0; node < host.nodes(); ++node) {
      for (PreparedNetwork* network : {&host, &core}) {
        network->bus(node).accesses.clear();
        EXPECT_EQ(network->prepare(node, c), reg::CallResult::kSuccess) << "node " << node;
      }
      ASSERT_EQ(core.bus(node).accesses, host.bus(node).accesses) << "node " << node;
      ASSERT_EQ(core.bus(node).memory(), host.bus(node).memory()) << "node " << node;
      for (PreparedNetwork* network : {&host, &core}) {
        EXPECT_EQ(network->free(node, network->answer(node)), reg::CallResult::kSuccess);
      }
    }
  }
}

TestCall broadcast(Algorithm algorithm, std::uint32_t by_core = 0) {
  return {.operation = Operation::kBroadcast,
          .algorithm = algorithm,
          .count = 8,
          .parameter = {by_core}};
}

/// Cycles from a call to its first descriptor, at a node of an n x n mesh.
Cycle cycles_to_go(const nic::Image& program, Algorithm algorithm, int n, Address self) {
  FakeBus bus(self, {n, n, 1});
  FirmwareOnCore firmware(program, bus);
  firmware.run();
  bus.call(broadcast(algorithm));
  firmware.run();
  EXPECT_GE(bus.queued.size(), 1U);
  return firmware.first_go();
}

TEST(FirmwareOnCore, PostsItsReceiveWithinAFewHundredCyclesOfTheCall) {
  const nic::Image program = image();
  for (const auto algorithm : {Algorithm::kEdn, Algorithm::kRecursiveDoubling}) {
    for (const int n : {4, 8, 16, 32, 64, 128, 256}) {
      Cycle most = 0, sum = 0, nodes = 0;
      for (int i = 1; i<n * n; i += n * n> 1024 ? n * n / 251 : 1) {
        const Cycle cycles = cycles_to_go(program, algorithm, n, at(i % n, i / n));
        most = std::max(most, cycles);
        sum += cycles;
        ++nodes;
      }
      std::printf("algorithm %u, %d x %d: mean %.0f, at most %llu cycles to the first go\n",
                  static_cast<unsigned>(algorithm), n, n,
                  static_cast<double>(sum) / static_cast<double>(nodes),
                  static_cast<unsigned long long>(most));
      EXPECT_LT(most, algorithm == Algorithm::kEdn ? 2600U : 1500U);
    }
  }
}

TEST(FirmwareOnCore, GoesFromAMessageToItsFirstSendInAFewHundredCycles) {
  const nic::Image program = image();
  for (const std::uint32_t by_core : {0U, 1U}) {
    FakeBus bus({2, 7, 0}, {8, 8, 1});
    FirmwareOnCore firmware(program, bus);
    firmware.run();
    bus.call(broadcast(Algorithm::kEdn, by_core));
    firmware.run();
    const std::size_t before = bus.queued.size();
    EXPECT_EQ(before, by_core != 0 ? 1U : 7U) << "all sends are held beforehand, or none";
    if (by_core == 0) continue;
    bus.complete(bus.queued[0]);
    firmware.run();
    ASSERT_EQ(bus.queued.size(), 4U);
    std::printf("from a message to the first send: %llu cycles; until asleep %llu\n",
                static_cast<unsigned long long>(firmware.first_go()),
                static_cast<unsigned long long>(firmware.last_run()));
    EXPECT_LT(firmware.first_go(), 400U);
  }
}

/// Instructions of the last member of a listed group, after it has heard of the group's identifier.
std::uint64_t instructions_of_group(const nic::Image& program, const std::vector<Pid>& members) {
  constexpr std::uint32_t kList = 0x1000, kScratch = 0x20000;
  constexpr int kSide = 64;
  const auto own = static_cast<int>(members.back());
  FakeBus bus(at(own % kSide, own / kSide), {kSide, kSide, 1});
  FirmwareOnCore firmware(program, bus);
  firmware.run();
  bus.put(kList, members.data(), 4 * members.size());
  bus.call({.operation = Operation::kGroup,
            .source = kList,
            .count = static_cast<std::uint32_t>(members.size()),
            .scratch = kScratch,
            .parameter = {1}});
  firmware.run();
  EXPECT_EQ(bus.queued.size(), 1U);  // it has an odd rank, so it sends nothing
  const std::uint64_t before = firmware.instructions();
  bus.complete(bus.queued[0]);
  firmware.run();
  EXPECT_EQ(bus.results.size(), 1U);
  return firmware.instructions() - before;
}

TEST(FirmwareOnCore, FindsASubmeshInAFewInstructionsForEachMember) {
  const nic::Image program = image();
  for (const Pid side : {2U, 8U, 32U, 64U}) {
    std::vector<Pid> rows, columns;
    for (Pid i = 0; i < side * side; ++i) {
      rows.push_back(i / side * 64 + i % side);
      columns.push_back(i % side * 64 + i / side);
    }
    // The second one is before the first one, which a process sees at once.
    std::vector<Pid> none = rows;
    std::swap(none[0], none[1]);
    const std::uint64_t without = instructions_of_group(program, none);
    const std::uint64_t by_rows = instructions_of_group(program, rows) - without;
    const std::uint64_t by_columns = instructions_of_group(program, columns) - without;
    std::printf("%u members: %llu by rows, %llu by columns; %llu without\n", side * side,
                static_cast<unsigned long long>(by_rows),
                static_cast<unsigned long long>(by_columns),
                static_cast<unsigned long long>(without));
    EXPECT_LE(by_rows, 100 + 12 * side * side);
    EXPECT_LE(by_columns, 100 + 12 * side * side);
    EXPECT_GT(by_rows, side * side);
  }
}

}  // namespace
}  // namespace annelid::firmware
