// The firmware on the modelled NICs and routers, as RV32 program and built for the host: the same
// results, bytes and messages, whatever the network and the NICs' parameters do to their timing.
// State space: random calls of all kinds, one at a time and many at a time, on groups that overlap.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "firmware/image.hpp"
#include "testbench/firmware/support/firmware_mesh.hpp"

namespace annelid {
namespace {

using firmware::TestCall;
using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

constexpr std::uint32_t kMemoryBytes = 1 << 18;

struct Shape {
  const char* name;
  std::array<int, 3> size{4, 4, 1};
  systemc::RouterConfig router{};
  std::uint32_t eager_bytes = 64;
  Cycle alpha = 0, gamma = 0;
  std::uint32_t memory_flits = 0;
  bool half_duplex = false;
  friend std::ostream& operator<<(std::ostream& out, const Shape& s) { return out << s.name; }

  [[nodiscard]] nic::NicConfig config() const {
    nic::NicConfig config;
    config.network = {size, router};
    config.memory_bytes = kMemoryBytes;
    config.eager_bytes = eager_bytes;
    config.alpha = alpha;
    config.gamma = gamma;
    config.memory_flits = memory_flits;
    config.half_duplex = half_duplex;
    return config;
  }
};

constexpr systemc::RouterConfig k3d{.local_ports = 2, .dims = 3};
constexpr systemc::RouterConfig kTorus{.local_ports = 1, .vcs = 2, .torus = {true, true, false}};
constexpr systemc::RouterConfig kOnePort{.local_ports = 1, .kind = systemc::RouterKind::kOnePort};

class FirmwareOnNetwork : public ::testing::TestWithParam<Shape> {
 protected:
  nic::Image image = nic::load_elf({firmware_image().begin(), firmware_image().end()});
  FirmwareMesh core{GetParam().config(), &image, "core"};
  FirmwareMesh host{GetParam().config(), nullptr, "host"};

  void expect_equal(bool one_call_at_a_time) {
    for (const FirmwareMesh* mesh : {&core, &host}) {
      EXPECT_EQ(mesh->log.failures, std::vector<std::string>{});
      for (const auto& nic : mesh->nics) EXPECT_TRUE(nic->idle()) << nic->describe_wait();
    }
    EXPECT_EQ(core.messages(one_call_at_a_time), host.messages(one_call_at_a_time));
    for (std::uint32_t n = 0; n < core.nodes(); ++n) {
      ASSERT_TRUE(core.memory(n) == host.memory(n)) << "node memory " << n;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(
    Calls, FirmwareOnNetwork,
    ::testing::Values(Shape{"Default"}, Shape{"NoEager", {4, 4, 1}, {}, 0},
                      Shape{"AlphaGamma", {4, 4, 1}, {}, 64, 40, 15},
                      Shape{"OneAccessHalfDuplex", {8, 2, 1}, {}, 128, 0, 0, 1, true},
                      Shape{"ThreeDimensions", {3, 2, 4}, k3d}, Shape{"Torus", {5, 4, 1}, kTorus},
                      Shape{"OnePort", {4, 3, 1}, kOnePort}, Shape{"OneNode", {1, 1, 1}}),
    ::testing::PrintToStringParamName());

/// Places in node memory of call k of a round.
std::uint32_t buffer(std::uint32_t k) { return 0x8000 + 0x2000 * k; }

TestCall broadcast(std::uint32_t group, std::uint32_t root, std::uint32_t k, std::uint32_t bytes,
                   std::uint32_t by_core) {
  return {.operation = Operation::kBroadcast,
          .algorithm = Algorithm::kRecursiveDoubling,
          .group = group,
          .root = root,
          .source = buffer(k),
          .count = bytes,
          .tag = k,
          .parameter = {by_core}};
}

TestCall shift(std::uint32_t group, std::uint32_t size, std::uint32_t rank, std::uint32_t by,
               std::uint32_t k, std::uint32_t bytes) {
  return {.operation = Operation::kSendReceive,
          .group = group,
          .root = (rank + by) % size,
          .source = buffer(k),
          .target = buffer(k) + 0x1000,
          .count = bytes,
          .tag = k,
          .parameter = {(rank + size - by) % size}};
}

TestCall partition(std::uint32_t place, std::uint32_t value, std::uint32_t key, std::uint32_t k) {
  return {.operation = Operation::kPartition,
          .target = 0x1000 * place,  // for as long as the group is there
          .tag = k,
          .scratch = buffer(k),
          .parameter = {place, value, key}};
}

/// Makes a call at every node of both networks, `call(mesh, node)`, and expects success.
template <typename MakeCall>
void call_all(FirmwareMesh& mesh, MakeCall call) {
  std::vector<std::uint16_t> tickets;
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) tickets.push_back(mesh.call(n, call(n)));
  mesh.run();
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
    ASSERT_EQ(mesh.result(n, tickets[n]), CallResult::kSuccess) << "node " << n << mesh.waits();
  }
}

TEST_P(FirmwareOnNetwork, SendsTheSameMessagesOneCallAtATime) {
  for (FirmwareMesh* mesh : {&core, &host}) {
    std::mt19937 random(5);
    const auto draw = [&](std::uint32_t below) {
      return static_cast<std::uint32_t>(random()) % below;
    };
    const std::uint32_t nodes = mesh->nodes();
    std::uint32_t value = 1;
    for (std::uint32_t round = 0; round < 24; ++round) {
      const std::uint32_t bytes = round % 3 == 0 ? draw(64) : draw(3000), root = draw(nodes);
      std::vector<std::uint8_t> data(bytes);
      for (auto& byte : data) byte = static_cast<std::uint8_t>((value = value * 69069 + 1) >> 24);
      for (std::uint32_t i = 0; i < bytes; ++i) mesh->put(root, buffer(0) + i, data[i]);
      TestCall call = broadcast(0, root, 0, bytes, round % 2);
      if (round % 4 < 2 && GetParam().name == std::string("Default")) {
        call.algorithm = Algorithm::kEdn;
      }
      call_all(*mesh, [&](std::uint32_t) { return call; });
      for (std::uint32_t n = 0; n < nodes; ++n) {
        for (std::uint32_t i = 0; i < bytes; ++i) {
          ASSERT_EQ(mesh->get<std::uint8_t>(n, buffer(0) + i), data[i])
              << "node " << n << ", byte " << i;
        }
        mesh->put(n, buffer(0), n);
      }
      const std::uint32_t by = draw(nodes);
      call_all(*mesh, [&](std::uint32_t n) { return shift(0, nodes, n, by, 0, 4 + bytes); });
      for (std::uint32_t n = 0; n < nodes; ++n) {
        ASSERT_EQ(mesh->get<std::uint32_t>(n, buffer(0) + 0x1000), (n + nodes - by) % nodes);
      }
    }
  }
  EXPECT_EQ(core.log.size(), 24 * (2 * core.nodes() - 1));
  expect_equal(true);
}

/// A group as a node sees it.
struct View {
  std::uint32_t size = 0, rank = 0;
  std::vector<std::uint32_t> members;
};
View query(FirmwareMesh& mesh, std::uint32_t node, std::uint32_t place) {
  const std::uint32_t at = 0x5000 + 0x200 * place;
  mesh.call(node, {.operation = Operation::kQueryGroup, .group = place, .target = at, .count = 64});
  mesh.run();
  const auto word = [&](std::uint32_t i) { return mesh.get<std::uint32_t>(node, at + 4 * i); };
  View view{word(2), word(3), {}};
  for (std::uint32_t i = 0; i < view.size; ++i) view.members.push_back(word(5 + i));
  return view;
}

constexpr std::uint32_t kPlaces = 5, kCallsOfAGroup = 3;  // place 0 is ALL

/// Gives a node the data and calls of a round: on each group a broadcast and two shifts. The groups
/// come in the order that the round says, the same one everywhere, as CCL asks for.
void start_calls(FirmwareMesh& mesh, std::uint32_t node, const std::vector<View>& groups,
                 std::uint32_t round) {
  for (std::uint32_t i = 0; i < kPlaces; ++i) {
    const std::uint32_t place = (i + round) % kPlaces, k = kCallsOfAGroup * place;
    const View& group = groups[place];
    for (std::uint32_t c = 0; c < kCallsOfAGroup; ++c) {
      mesh.put(node, buffer(k + c), 100 * (k + c) + node);
    }
    mesh.call(node, broadcast(place, round % group.size, k, 8 + 300 * place, place % 2));
    mesh.call(node, shift(place, group.size, group.rank, 1 % group.size, k + 1, 8 + 9 * place));
    mesh.call(node, shift(place, group.size, group.rank, round % group.size, k + 2, 500));
  }
}

void check_calls(const FirmwareMesh& mesh, std::uint32_t node, const std::vector<View>& groups,
                 std::uint32_t round) {
  for (std::uint32_t place = 0; place < kPlaces; ++place) {
    const View& group = groups[place];
    const std::uint32_t k = kCallsOfAGroup * place;
    const auto from = [&](std::uint32_t by) {
      return group.members[(group.rank + group.size - by % group.size) % group.size];
    };
    const std::uint32_t root = group.members[round % group.size];
    EXPECT_EQ(mesh.get<std::uint32_t>(node, buffer(k)), 100 * k + root);
    EXPECT_EQ(mesh.get<std::uint32_t>(node, buffer(k + 1) + 0x1000), 100 * (k + 1) + from(1));
    EXPECT_EQ(mesh.get<std::uint32_t>(node, buffer(k + 2) + 0x1000), 100 * (k + 2) + from(round));
  }
}

TEST_P(FirmwareOnNetwork, SendsTheSameMessagesManyCallsAtATimeOnGroupsThatOverlap) {
  const std::uint32_t nodes = core.nodes();
  constexpr std::uint32_t kRounds = 4;
  for (FirmwareMesh* mesh : {&core, &host}) {
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      // Four partitions at once, called by each node in an order of its own.
      for (std::uint32_t n = 0; n < nodes; ++n) {
        for (std::uint32_t i = 0; i < kPlaces - 1; ++i) {
          const std::uint32_t place = 1 + (n + i + round) % (kPlaces - 1);
          const std::uint32_t value = (n >> place % 3) % (place + 1);
          mesh->call(n, partition(place, value, (n * 7 + place) % 5, place));
        }
      }
      mesh->run();
      std::vector<std::vector<View>> groups(nodes);
      for (std::uint32_t n = 0; n < nodes; ++n) {
        for (std::uint32_t place = 0; place < kPlaces; ++place) {
          groups[n].push_back(query(*mesh, n, place));
        }
      }
      for (std::uint32_t n = 0; n < nodes; ++n) start_calls(*mesh, n, groups[n], round);
      mesh->run();
      for (std::uint32_t n = 0; n < nodes; ++n) check_calls(*mesh, n, groups[n], round);
      for (std::uint32_t place = 1; place < kPlaces; ++place) {
        call_all(*mesh, [&](std::uint32_t) {
          return TestCall{.operation = Operation::kFreeGroup, .group = place};
        });
      }
      ASSERT_FALSE(HasFailure()) << mesh->waits();
    }
    for (std::uint32_t n = 0; n < nodes; ++n) {
      for (std::uint16_t ticket = 0; ticket < kRounds * (4 * kPlaces + 8); ++ticket) {
        ASSERT_EQ(mesh->result(n, ticket), CallResult::kSuccess) << "node " << n;
      }
    }
  }
  EXPECT_GE(core.log.size(), kRounds * 2 * kPlaces * nodes);
  expect_equal(false);
}

TEST_P(FirmwareOnNetwork, StridedSendsCombiningReceivesListedGroupsAndGridsDoWhatTheHostAsks) {
  const std::uint32_t nodes = core.nodes(), last = nodes - 1;
  const std::uint32_t senders = std::min(last, 15U);  // the mailbox has 16 places
  constexpr std::uint32_t kElements = 6, kBlock = 8, kStride = 24;
  for (FirmwareMesh* mesh : {&core, &host}) {
    // They send every third pair of words to the last node, which adds them up.
    for (std::uint32_t n = 0; n < nodes; ++n) {
      for (std::uint32_t i = 0; i < 32; ++i) mesh->put(n, buffer(0) + 4 * i, 1000 * n + i);
    }
    for (std::uint32_t n = 0; n < senders; ++n) {
      mesh->call(n, {.operation = Operation::kSend,
                     .root = last,
                     .source = buffer(0),
                     .count = kElements,
                     .type = reg::Type::kUint32,
                     .tag = n,
                     .parameter = {kBlock, kStride}});
    }
    for (std::uint32_t n = 0; n < senders; ++n) {
      mesh->call(last, {.operation = Operation::kReceive,
                        .root = n,
                        .target = buffer(1),
                        .count = kElements,
                        .type = reg::Type::kUint32,
                        .op = static_cast<std::uint32_t>(reg::Operator::kSum),
                        .tag = n,
                        .scratch = buffer(2) + 64 * n});
    }
    mesh->run();
    for (std::uint32_t e = 0; e < kElements; ++e) {
      const std::uint32_t word = e / 2 * (kStride / 4) + e % 2;
      std::uint32_t sum = 0;
      for (std::uint32_t n = 0; n < senders; ++n) sum += 1000 * n + word;
      EXPECT_EQ(mesh->get<std::uint32_t>(last, buffer(1) + 4 * e), sum) << "element " << e;
    }
    // A group of all by a list in reverse order; then a grid of one row on it.
    for (std::uint32_t n = 0; n < nodes; ++n) {
      for (std::uint32_t i = 0; i < nodes; ++i) mesh->put(n, 0x1000 + 4 * i, last - i);
    }
    call_all(*mesh, [&](std::uint32_t) {
      return TestCall{.operation = Operation::kGroup,
                      .source = 0x1000,
                      .count = nodes,
                      .scratch = buffer(0),
                      .parameter = {1, 77}};
    });
    call_all(*mesh, [&](std::uint32_t) {
      return TestCall{.operation = Operation::kFormGrid,
                      .group = 1,
                      .target = 0x2000,
                      .count = nodes,
                      .scratch = buffer(0),
                      .parameter = {2, 3, 1}};
    });
    for (std::uint32_t n = 0; n < nodes; ++n) {
      const View row = query(*mesh, n, 2), column = query(*mesh, n, 3);
      EXPECT_EQ(row.rank, last - n);
      EXPECT_EQ(row.members.size(), nodes);
      EXPECT_EQ(row.members[0], last);
      EXPECT_EQ(column.members, std::vector<std::uint32_t>{n});
    }
  }
  expect_equal(false);
}

/// Cycles from the call at the root, the last one, to the last message of an EDN broadcast of 181
/// bytes on 8 x 8: all others have found their part by then.
Cycle broadcast_cycles(FirmwareMesh& mesh, std::uint32_t by_core) {
  constexpr std::uint32_t kRoot = 2;
  TestCall call = broadcast(0, kRoot, 0, 181, by_core);
  call.algorithm = Algorithm::kEdn;
  mesh.run();
  std::vector<std::uint16_t> tickets(mesh.nodes());
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
    if (n != kRoot) tickets[n] = mesh.call(n, call);
  }
  mesh.fabric.run_until(mesh.fabric.now() + 20'000, [] { return false; });
  const Cycle start = mesh.fabric.now();
  tickets[kRoot] = mesh.call(kRoot, call);
  mesh.run();
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
    EXPECT_EQ(mesh.result(n, tickets[n]), CallResult::kSuccess);
  }
  Cycle last = 0;
  for (const nic::MessageRecord& r : mesh.log.records()) last = std::max(last, r.received);
  return last - start;
}

TEST(FirmwareTiming, ABroadcastByTriggersWaitsForNoCoreOnItsWay) {
  const nic::Image image = nic::load_elf({firmware_image().begin(), firmware_image().end()});
  const nic::NicConfig config = Shape{"", {8, 8, 1}}.config();
  FirmwareMesh core(config, &image, "core"), host(config, nullptr, "host");
  // The first call finds nodes that have yet to start.
  call_all(core, [](std::uint32_t) { return TestCall{.operation = Operation::kQueryGroup}; });
  const Cycle played = broadcast_cycles(core, 1), triggered = broadcast_cycles(core, 0);
  const Cycle native = broadcast_cycles(host, 1), native_triggered = broadcast_cycles(host, 0);
  std::printf(
      "played by the core %llu cycles, by triggers %llu; without instruction cost %llu, %llu\n",
      static_cast<unsigned long long>(played), static_cast<unsigned long long>(triggered),
      static_cast<unsigned long long>(native), static_cast<unsigned long long>(native_triggered));
  EXPECT_LT(triggered, played - 200) << "in each of five steps or so the core comes and goes";
  EXPECT_LT(native_triggered, native + 20);
  EXPECT_EQ(core.log.failures, std::vector<std::string>{});
}

}  // namespace
}  // namespace annelid
