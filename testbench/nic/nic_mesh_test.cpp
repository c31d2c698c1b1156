// NICs on the real network: lengths, exact cycles, contention at an ejection port, skew.
#include <gtest/gtest.h>

#include <vector>

#include "base/random.hpp"
#include "systemc/network/route.hpp"
#include "testbench/nic/lone_nic.hpp"
#include "testbench/nic/mesh.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::test {
namespace {

constexpr Cycle kLimit = 10'000'000;

/// One message from a to b, receive posted in cycle r, send in cycle s.
struct OneMessage {
  OneMessage(Mesh& mesh, Address a, Address b, std::uint32_t bytes, Cycle r, Cycle s)
      : to(mesh.network.config().id(b)) {
    const NodeId from = mesh.network.config().id(a);
    fill(mesh.nics[from]->memory(), 0x123, bytes, bytes);
    take_completions(*mesh.scripts[from], sent);
    take_completions(*mesh.scripts[to], received);
    mesh.scripts[to]->at(r, [=](Registers& x) { post_receive(x, {a, 0x211, bytes, 5, 2}); });
    mesh.scripts[from]->at(s, [=](Registers& x) { post_send(x, {b, 0x123, bytes, 5, 1}); });
  }
  NodeId to;
  std::vector<Taken> sent, received;
};

class Length : public ::testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Of, Length, ::testing::Values(0, 1, 7, 8, 9, 64, 1000, 65536, 1 << 20),
                         test::ParameterName());

nic::NicConfig without_eager() {
  nic::NicConfig config = small_config();
  config.memory_bytes = std::uint64_t{2} << 20;
  config.eager_bytes = 0;
  return config;
}

class EagerLength : public ::testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Of, EagerLength, ::testing::Values(0, 1, 7, 8, 9, 64, 1000, 4096),
                         test::ParameterName());

TEST_P(EagerLength, ArrivesInTheCyclesOfTheDocument) {
  nic::NicConfig config = without_eager();
  config.eager_bytes = 4096;
  Mesh mesh(config);
  const std::uint32_t bytes = GetParam();
  // The receive is posted so early that it is offered and answered, or after the message has come.
  OneMessage early(mesh, {0, 1, 0}, {3, 3, 0}, bytes, 7, 3);
  OneMessage late(mesh, {0, 0, 0}, {1, 0, 0}, bytes, 2000, 3);
  EXPECT_EQ(mesh.fabric.run_until(kLimit), systemc::RunStatus::kQuiet);
  const Cycle f = 2 + (bytes + 7) / 8, s = 3;
  const auto log = mesh.log.records();
  ASSERT_EQ(log.size(), 2U);
  for (const nic::MessageRecord& record : log) {
    EXPECT_EQ(record.started, s + 1);
    EXPECT_EQ(record.sent, s + f);
  }
  EXPECT_EQ(late.sent, (std::vector<Taken>{{s + 1 + f, false, 1, bytes}}));
  EXPECT_EQ(late.received, (std::vector<Taken>{{2001 + f, true, 2, bytes}}))
      << "delivered from 2001 on";
  EXPECT_EQ(early.received.size(), 1U);
  for (const OneMessage* message : {&early, &late}) {
    EXPECT_TRUE(bytes_of(mesh.nics[message->to]->memory(), 0x211, bytes) ==
                bytes_of(mesh.nics[message == &early ? 4 : 0]->memory(), 0x123, bytes));
  }
  EXPECT_TRUE(mesh.idle());
}

TEST_P(Length, ArrivesBitExactInTheCyclesOfTheDocument) {
  const nic::NicConfig config = without_eager();
  Mesh mesh(config);
  const std::uint32_t bytes = GetParam();
  OneMessage message(mesh, {0, 1, 0}, {3, 3, 0}, bytes, 7, 3);
  const systemc::RunStatus status = mesh.fabric.run_until(kLimit);
  EXPECT_EQ(status, systemc::RunStatus::kQuiet);

  const Cycle h = 5, f = 2 + (bytes + 7) / 8, r = 7, s = 3;
  const Cycle t = std::max(s, r + 4 + h) + 1;
  const auto log = mesh.log.records();
  ASSERT_EQ(log.size(), 1U);
  EXPECT_EQ(log[0].posted, s);
  EXPECT_EQ(log[0].started, t);
  EXPECT_EQ(log[0].sent, t + f - 1);
  EXPECT_EQ(log[0].received, t + h + f + 1);
  EXPECT_EQ(message.sent, (std::vector<Taken>{{t + f, false, 1, bytes}}));
  EXPECT_EQ(message.received, (std::vector<Taken>{{t + h + f + 2, true, 2, bytes}}));
  EXPECT_TRUE(bytes_of(mesh.nics[15]->memory(), 0x211, bytes) ==
              bytes_of(mesh.nics[4]->memory(), 0x123, bytes));
  EXPECT_EQ(mesh.nics[15]->memory().load(0x211 + bytes, 8), 0U) << "nothing behind it";
  EXPECT_TRUE(mesh.idle());
}

TEST(Mesh, EveryPairTakesTheCyclesOfTheDocument) {
  Mesh mesh(without_eager());
  const systemc::NetworkConfig& network = mesh.network.config();
  std::vector<std::unique_ptr<OneMessage>> messages;
  std::vector<Cycle> expected;
  for (NodeId a = 0; a < 16; ++a) {
    for (NodeId b = 0; b < 16; ++b) {
      if (a == b) continue;
      const Cycle start = Cycle{1000} * (16 * a + b);
      const Cycle send = start + (a * 7 + b) % 30;
      mesh.scripts[b]->at(start, [=, &network](Registers& x) {
        post_receive(x, {network.address(a), 0, 24, 5, 2});
      });
      mesh.scripts[a]->at(send, [=, &network](Registers& x) {
        post_send(x, {network.address(b), 0, 24, 5, 1});
      });
      const auto h = static_cast<Cycle>(hops(network, network.address(a), network.address(b)));
      expected.push_back(std::max(send, start + 4 + h) + 1 + h + 5 + 1);
    }
  }
  for (Script* script : mesh.scripts) {
    script->on_event([](Registers& x) { (void)x.read(reg::kCompletion); });
  }
  EXPECT_EQ(mesh.fabric.run_until(kLimit), systemc::RunStatus::kQuiet);
  const auto log = mesh.log.records();
  ASSERT_EQ(log.size(), expected.size());
  for (std::size_t i = 0; i < log.size(); ++i) {
    EXPECT_EQ(log[i].received, expected[i])
        << log[i].info.source << "->" << log[i].info.destination;
  }
}

TEST(Mesh, AReceiverThatPosts100000CyclesLaterGetsItAllTheSame) {
  Mesh mesh(small_config());
  OneMessage message(mesh, {0, 0, 0}, {3, 0, 0}, 1000, 100'000, 0);
  OneMessage other(mesh, {0, 1, 0}, {3, 1, 0}, 1000, 10, 10);  // not held up by it
  EXPECT_EQ(mesh.fabric.run_until(kLimit), systemc::RunStatus::kQuiet);
  EXPECT_EQ(message.received.size(), 1U);
  EXPECT_EQ(message.received[0].cycle, 100'000U + 4 + 3 + 1 + 3 + 127 + 2);
  ASSERT_EQ(other.received.size(), 1U);
  EXPECT_LT(other.received[0].cycle, 200U);
}

TEST(Mesh, ASenderThatPosts100000CyclesLaterIsWaitedForOutsideTheNetwork) {
  Mesh mesh(small_config());
  OneMessage message(mesh, {0, 0, 0}, {3, 0, 0}, 1000, 0, 100'000);
  EXPECT_EQ(mesh.fabric.run_until(1000), systemc::RunStatus::kCycleLimit);
  EXPECT_EQ(mesh.fabric.flits_in_flight(), 0U);
  EXPECT_EQ(mesh.fabric.run_until(kLimit), systemc::RunStatus::kQuiet);
  ASSERT_EQ(message.received.size(), 1U);
  EXPECT_EQ(message.received[0].cycle, 100'001U + 3 + 127 + 2);
}

/// All nodes of column 0 above (0,0) send to (0,0): they share its +y input, so one ejection port.
class Sources : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(WithLocalVcs, Sources, ::testing::Values(1, 2), test::ParameterName());

TEST_P(Sources, ShareAnEjectionPortAndLoseNothing) {
  nic::NicConfig config = small_config(1, 8);
  config.network.router.local_vcs = GetParam();
  config.network.router.vcs = GetParam();
  Mesh mesh(config);
  constexpr std::uint32_t kBytes = 800;  // 102 flits
  for (NodeId n = 1; n < 8; ++n) {
    fill(mesh.nics[n]->memory(), 0, kBytes, n);
    mesh.scripts[n]->at(0, [=](Registers& x) { post_send(x, {{0, 0, 0}, 0, kBytes, 1, 1}); });
  }
  std::vector<Taken> taken;
  take_completions(*mesh.scripts[0], taken);
  mesh.scripts[0]->at(0, [&](Registers& x) {
    for (std::uint16_t n = 1; n < 8; ++n) {
      post_receive(x, {mesh.nics[n]->address(), 0x1000U * n, kBytes, 1, n});
    }
  });
  EXPECT_EQ(mesh.fabric.run_until(kLimit), systemc::RunStatus::kQuiet);
  ASSERT_EQ(taken.size(), 7U);
  for (NodeId n = 1; n < 8; ++n) {
    EXPECT_TRUE(bytes_of(mesh.nics[0]->memory(), 0x1000 * n, kBytes) ==
                bytes_of(mesh.nics[n]->memory(), 0, kBytes));
  }
  // The port takes a flit per cycle from the first message to the last: no bubble but the start.
  EXPECT_GE(taken.back().cycle, 7U * 102);
  EXPECT_LE(taken.back().cycle, 7U * 102 + 40);
}

TEST(Mesh, AMessageThatIsNotAwaitedStaysOutOfTheNetworkAndTheReportSaysWhy) {
  Mesh mesh(small_config());
  mesh.scripts[0]->at(0, [](Registers& x) {
    post_send(x, {{1, 0, 0}, 0, 65, 3, 1});
    x.write(reg::kAwait, 0x02010002);
    x.write(reg::kAwaitNode, 1);
  });
  mesh.scripts[1]->at(0, [](Registers& x) {
    post_receive(x, {{0, 0, 0}, 0, 64, 4, 1});
    post_receive(x, {{0, 0, 0}, 64, 64, 4, 2});
  });
  EXPECT_EQ(mesh.fabric.run_until(kLimit), systemc::RunStatus::kQuiet);
  EXPECT_EQ(mesh.fabric.flits_in_flight(), 0U);
  EXPECT_EQ(mesh.nics[0]->describe_wait(),
            "awaits a send to 1,0 (edn, step 2)\n"
            "send 1 to 1,0 tag 3 (65 bytes) on port 0: no offer with its tag\n"
            "script\n");
  EXPECT_EQ(
      mesh.nics[1]->describe_wait(),
      "receive 1 from 0,0 tag 4 (64 bytes): its offer was sent back, the sender had others to "
      "send\n"
      "receive 2 from 0,0 tag 4 (64 bytes): an older one with its tag was sent back\n"
      "script\n");
  EXPECT_FALSE(mesh.idle());
}

TEST(Mesh, TheReportSaysWhatIsKeptAndWhatFillsTheEagerPlace) {
  Mesh mesh(small_config());
  mesh.scripts[0]->at(0, [](Registers& x) {
    post_send(x, {{1, 0, 0}, 0, 8, 3, 1});
    post_send(x, {{1, 0, 0}, 0, 8, 4, 2});
    post_send(x, {{1, 0, 0}, 0, 8, 4, 3});
  });
  mesh.scripts[1]->at(0, [](Registers& x) {
    post_receive(x, {{2, 0, 0}, 0, 64, 7, 1});
    post_receive(x, {{2, 0, 0}, 64, 64, 8, 2});
  });
  EXPECT_EQ(mesh.fabric.run_until(kLimit), systemc::RunStatus::kQuiet);
  EXPECT_EQ(mesh.nics[0]->describe_wait(),
            "send 2 to 1,0 tag 4 (8 bytes) on port 0: no offer with its tag, and the eager place "
            "there has a message with tag 3\n"
            "send 3 to 1,0 tag 4 (8 bytes) on port 0: behind another one with its tag\n"
            "1 completions not taken\n"
            "script\n");
  EXPECT_EQ(mesh.nics[1]->describe_wait(),
            "receive 1 from 2,0 tag 7 (64 bytes): offered, nothing has arrived\n"
            "receive 2 from 2,0 tag 8 (64 bytes): receive 1 is offered there first\n"
            "eager message from 0,0 tag 3 (8 bytes): no receive for it\n"
            "script\n");
  EXPECT_EQ(mesh.nics[2]->describe_wait(), "offer of 1,0 tag 7: no send for it\nscript\n");
}

/// What the fabric's observer is told about injections.
struct Injections : systemc::FabricObserver {
  struct Packet {
    Cycle cycle;
    NodeId node;
    Port local;
    systemc::PacketInfo info;
  };
  void packet(Cycle c, NodeId n, Port l, const systemc::PacketInfo& info) override {
    packets.push_back({c, n, l, info});
  }
  void injected(Cycle c, NodeId n, Port l, const systemc::Flit& flit) override {
    if (flit.head) {
      ASSERT_FALSE(packets.empty());
      EXPECT_EQ(packets.back().cycle, c) << "packet() comes with its head";
      EXPECT_EQ(packets.back().node, n);
      EXPECT_EQ(packets.back().local, l);
      EXPECT_EQ(systemc::unpack_head(flit.data), packets.back().info.head);
    }
    ++flits;
  }
  std::vector<Packet> packets;
  int flits = 0;
};

TEST(Mesh, TellsTheFabricsObserverOfOffersAsControlAndOfMessagesWithTheirStep) {
  Mesh mesh(small_config());
  Injections seen;
  mesh.fabric.set_observer(&seen);
  for (auto& nic : mesh.nics) nic->set_observers(&mesh.log, &seen);
  mesh.scripts[0]->at(0, [](Registers& x) {
    post_send(x, {{2, 0, 0}, 0, 72, 3, 1, reg::kPortByRoute, 17});
  });
  mesh.scripts[2]->at(0, [](Registers& x) { post_receive(x, {{0, 0, 0}, 0, 80, 3, 1}); });
  EXPECT_EQ(mesh.fabric.run_until(kLimit), systemc::RunStatus::kQuiet);
  ASSERT_EQ(seen.packets.size(), 2U);
  EXPECT_TRUE(seen.packets[0].info.control);
  EXPECT_EQ(seen.packets[0].node, 2U);
  EXPECT_FALSE(seen.packets[1].info.control);
  EXPECT_EQ(seen.packets[1].info.bytes, 72U);
  EXPECT_EQ(seen.packets[1].info.step, 17U);
  EXPECT_EQ(seen.flits, 2 + 11);
  EXPECT_EQ(mesh.log.records()[0].info.step, 17U);
}

}  // namespace
}  // namespace annelid::test
