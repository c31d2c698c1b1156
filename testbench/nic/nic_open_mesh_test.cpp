// Open messages on the real network: the cycles of the document, and traffic that is made to hurt.
#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "systemc/network/route.hpp"
#include "testbench/nic/mesh.hpp"

namespace annelid::test {
namespace {

constexpr Cycle kLimit = 10'000'000;

nic::NicConfig mesh_config(int x, int y) {
  nic::NicConfig config;
  config.network.size = {x, y, 1};
  config.memory_bytes = std::uint64_t{1} << 20;
  return config;
}

class OpenTiming : public ::testing::TestWithParam<std::tuple<std::uint32_t, Cycle>> {};
INSTANTIATE_TEST_SUITE_P(Of, OpenTiming,
                         ::testing::Combine(::testing::Values(0U, 1U, 1000U),
                                            ::testing::Values(Cycle{1}, Cycle{12}, Cycle{100})),
                         [](const auto& tested) {
                           return std::to_string(std::get<0>(tested.param)) + "_bytes_in_cycle_" +
                                  std::to_string(std::get<1>(tested.param));
                         });

TEST_P(OpenTiming, AMessageArrivesInTheCyclesOfTheDocument) {
  const auto [bytes, r] = GetParam();
  const Address a{0, 1, 0}, b{3, 3, 0};
  const Cycle h = 5, s = 3;
  Mesh mesh(mesh_config(4, 4));
  std::vector<Taken> received;
  const NodeId from = mesh.network.config().id(a), to = mesh.network.config().id(b);
  take_completions(*mesh.scripts[to], received);
  fill(mesh.nics[from]->memory(), 0x123, bytes, bytes);
  ReceiveOrder receive{{}, 0x211, 2000, 0, 2};
  receive.open = receive.any_source = receive.any_tag = true;
  SendOrder send{b, 0x123, bytes, 5, 1};
  send.open = true;
  mesh.scripts[to]->at(r, [=](Registers& x) { post_receive(x, receive); });
  mesh.scripts[from]->at(s, [=](Registers& x) { post_send(x, send); });
  EXPECT_EQ(mesh.fabric.run_until(kLimit), systemc::RunStatus::kQuiet);
  const Cycle q = s + 4 + h, g = std::max(q, r) + 4 + h, t = g + 1, f = 2 + (bytes + 7) / 8;
  const auto log = mesh.log.records();
  ASSERT_EQ(log.size(), 1U);
  EXPECT_EQ(log[0].started, t);
  EXPECT_EQ(log[0].sent, t + f - 1);
  EXPECT_EQ(log[0].received, t + h + f + 1);
  EXPECT_EQ(received, (std::vector<Taken>{{t + h + f + 2, true, 2, bytes}}));
  EXPECT_TRUE(bytes_of(mesh.nics[to]->memory(), 0x211, bytes) ==
              bytes_of(mesh.nics[from]->memory(), 0x123, bytes));
  EXPECT_EQ(mesh.nics[to]->read(reg::kCompletionNode), pack(a));
  EXPECT_EQ(mesh.nics[to]->read(reg::kCompletionTag), 5U);
}

struct Case {
  const char* name;
  bool ring, control_vc, half_duplex;
  std::uint32_t eager;
  Cycle skew;  // receives are posted so late
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
class OpenAdversary : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Skewed, OpenAdversary,
                         ::testing::Values(Case{"Mesh", false, false, false, 0, 0},
                                           Case{"MeshLate", false, false, false, 0, 20'000},
                                           Case{"MeshEagerLate", false, true, false, 64, 20'000},
                                           Case{"TorusHalfDuplex", true, false, true, 0, 5'000}),
                         [](const auto& tested) { return std::string(tested.param.name); });

/// All to all, twice, open and with long messages; and beside that ordinary messages all to all,
/// whose receives are posted in the reverse order. The buffers hold one flit. Of each node's open
/// receives the first ones name their source: who posts them later may wait for ever.
TEST_P(OpenAdversary, AllToAllTwiceBesideOrdinaryMessagesIsCompleteAndInOrder) {
  const Case& c = GetParam();
  constexpr NodeId kNodes = 16;
  constexpr std::uint32_t kBytes = 200, kRoom = 256;
  nic::NicConfig config = mesh_config(4, 4);
  systemc::RouterConfig& router = config.network.router;
  router.local_ports = 1;
  router.depth = 1;
  router.torus = {c.ring, c.ring, false};
  router.vcs = c.ring ? 2 : 1;
  router.control_vc = c.control_vc;
  config.eager_bytes = c.eager;
  config.half_duplex = c.half_duplex;
  Mesh mesh(config);
  const systemc::NetworkConfig& network = mesh.network.config();

  struct Got {
    Address from;
    std::uint16_t tag = 0, id = 0;
    bool failed = false;
  };
  std::vector<std::vector<Got>> got(kNodes);
  const auto word_of = [](NodeId from, std::uint32_t number) {
    return std::uint64_t{from} << 32 | number;
  };
  for (NodeId n = 0; n < kNodes; ++n) {
    Script& script = *mesh.scripts[n];
    script.on_event([&mine = got[n]](Registers& r) {
      while (const std::uint32_t word = r.read(reg::kCompletion)) {
        if (reg::kCompletionReceiveField.of(word) == 0) continue;
        mine.push_back({unpack_address(r.read(reg::kCompletionNode)),
                        static_cast<std::uint16_t>(r.read(reg::kCompletionTag)),
                        static_cast<std::uint16_t>(reg::kCompletionIdField.of(word)),
                        reg::kCompletionFailedField.of(word) != 0});
      }
    });
    // Message k to a node has the number k: 0 and 1 are open, 2 is ordinary. Tags repeat.
    std::uint16_t order = 0;
    for (std::uint16_t k = 0; k < 3; ++k) {
      mesh.nics[n]->memory().store(k * kRoom, word_of(n, k), 8);
      for (NodeId to = 0; to < kNodes; ++to) {
        if (k == 2 && to == n) continue;
        SendOrder send{network.address(to), k * kRoom, kBytes,
                       static_cast<std::uint16_t>(k == 2 ? 9 : (n + k) % 3), order};
        send.open = k < 2;
        script.at(order++, [send](Registers& r) { post_send(r, send); });
      }
    }
    std::uint16_t id = 0;
    for (NodeId from = kNodes; from-- > 0;) {
      if (from == n) continue;
      const ReceiveOrder receive{network.address(from), 0x2000 + kRoom * id, kBytes, 9, id};
      script.at(c.skew + id++, [receive](Registers& r) { post_receive(r, receive); });
    }
    for (NodeId i = 0; i < 2 * kNodes; ++i) {
      ReceiveOrder receive{{}, 0x2000 + kRoom * id, kBytes, 0, id};
      receive.open = receive.any_tag = true;
      receive.any_source = i >= 4;
      if (!receive.any_source) receive.from = network.address((n + 5 * i) % kNodes);
      script.at(c.skew + id++, [receive](Registers& r) { post_receive(r, receive); });
    }
  }
  ASSERT_EQ(mesh.fabric.run_until(kLimit), systemc::RunStatus::kQuiet);
  EXPECT_TRUE(mesh.idle()) << mesh.nics[0]->describe_wait();
  EXPECT_TRUE(mesh.log.failures.empty());
  for (NodeId n = 0; n < kNodes; ++n) {
    ASSERT_EQ(got[n].size(), std::size_t{3 * kNodes - 1});
    std::map<NodeId, std::vector<std::pair<std::uint16_t, std::uint64_t>>> by_source;  // id, word
    for (const Got& g : got[n]) {
      EXPECT_FALSE(g.failed);
      const std::uint64_t word = mesh.nics[n]->memory().load(0x2000 + kRoom * g.id, 8);
      const NodeId from = network.id(g.from);
      EXPECT_EQ(word >> 32, from) << "who has sent it";
      EXPECT_EQ(g.tag, (word & 3) == 2 ? 9U : (from + (word & 3)) % 3);
      EXPECT_EQ((word & 3) == 2, g.id < kNodes - 1) << "open ones go to open receives only";
      by_source[from].emplace_back(g.id, word & 3);
    }
    for (auto& [from, messages] : by_source) {
      EXPECT_EQ(messages.size(), from == n ? 2U : 3U);
      std::vector<std::uint64_t> numbers;
      for (const auto& message : messages) numbers.push_back(message.second);
      std::ranges::sort(numbers);
      for (std::size_t k = 0; k < numbers.size(); ++k) EXPECT_EQ(numbers[k], k) << "each once";
    }
  }
}

// Fifteen nodes send to one, and its receives name the sources, the last one first: no request
// stands in the way of another node's.
TEST(OpenMesh, AReceiveThatNamesItsSourceIsNotHeldUpByOtherRequests) {
  nic::NicConfig config = mesh_config(4, 4);
  config.network.router.local_ports = 1;
  config.network.router.depth = 1;
  Mesh mesh(config);
  constexpr NodeId kTo = 5;
  std::vector<std::uint32_t> sources;
  mesh.scripts[kTo]->on_event([&](Registers& r) {
    while (r.read(reg::kCompletion) != 0) sources.push_back(r.read(reg::kCompletionNode));
  });
  std::vector<std::uint32_t> expected;
  for (NodeId from = 0; from < 16; ++from) {
    if (from == kTo) continue;
    SendOrder send{mesh.network.config().address(kTo), 0, 400, 3, 1};
    send.open = true;
    send.notify = reg::kSendNotifyQuietField.in(1) | reg::kNoCounter;
    mesh.scripts[from]->at(from, [send](Registers& r) { post_send(r, send); });
  }
  Cycle at = 1000;
  for (NodeId from = 16; from-- > 0;) {
    if (from == kTo) continue;
    const Address source = mesh.network.config().address(from);
    ReceiveOrder receive{source, 0x1000, 400, 3, 1};
    receive.open = true;
    mesh.scripts[kTo]->at(at, [receive](Registers& r) { post_receive(r, receive); });
    expected.push_back(pack(source));
    at += 1000;
  }
  ASSERT_EQ(mesh.fabric.run_until(kLimit), systemc::RunStatus::kQuiet);
  EXPECT_TRUE(mesh.idle());
  EXPECT_EQ(sources, expected);
}

}  // namespace
}  // namespace annelid::test
