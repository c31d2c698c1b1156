// Sources and sinks: a packet alone takes the time of the specification, and nothing is lost.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "systemc/modules/elaboration.hpp"
#include "systemc/network/route.hpp"
#include "testbench/traffic/one_network.hpp"
#include "traffic/analysis.hpp"
#include "traffic/packet_log.hpp"
#include "traffic/trace_workload.hpp"
#include "traffic/zero_load.hpp"

namespace annelid::traffic {
namespace {

/// All pairs, far apart in time.
void expect_zero_load(const systemc::NetworkConfig& config, std::uint32_t flits) {
  std::vector<Script::Message> messages;
  for (NodeId from = 0; from < config.nodes(); ++from) {
    for (NodeId to = 0; to < config.nodes(); ++to) {
      if (from != to) messages.push_back({500 * messages.size(), from, to, flits});
    }
  }
  Script script(messages);
  OneNetwork one(config, script);
  EXPECT_EQ(one.fabric.run_until(kNever), systemc::RunStatus::kQuiet);
  ASSERT_EQ(one.arrivals.packets.size(), messages.size());
  for (const Packet& p : one.arrivals.packets) {
    ASSERT_EQ(p.injected, p.created);
    ASSERT_EQ(p.tail_ejected - p.created, zero_load_latency(config, config.address(p.source),
                                                            config.address(p.destination), flits))
        << p.source << " to " << p.destination;
  }
}

TEST(ZeroLoad, EveryPairTakesTheAnalyticTime) { expect_zero_load(mesh(4, 3), 7); }

TEST(ZeroLoad, ASingleFlitTakesTheAnalyticTime) { expect_zero_load(mesh(3, 3), 1); }

TEST(ZeroLoad, BuffersShorterThanTheCreditLoopSlowThePacketDownAsComputed) {
  systemc::NetworkConfig config = mesh(3, 3);
  config.router.depth = 1;
  expect_zero_load(config, 6);
}

/// Packets of several lengths between the corners and all other nodes, far apart in time.
void expect_zero_load_of_lengths(const systemc::NetworkConfig& config) {
  std::vector<Script::Message> messages;
  const auto add = [&](NodeId from, NodeId to) {
    if (from == to) return;
    for (const std::uint32_t flits : {1u, 2u, 5u, 14u, 27u}) {
      messages.push_back({1000 * messages.size(), from, to, flits});
    }
  };
  for (NodeId n = 0; n < config.nodes(); ++n) {
    add(0, n);
    add(static_cast<NodeId>(config.nodes() - 1), n);
  }
  Script script(messages);
  const systemc::Elaboration elaboration;
  OneNetwork one(config, script);
  ASSERT_EQ(one.fabric.run_until(kNever), systemc::RunStatus::kQuiet);
  ASSERT_EQ(one.arrivals.packets.size(), messages.size());
  for (const Packet& p : one.arrivals.packets) {
    ASSERT_EQ(p.tail_ejected - p.created, zero_load_latency(config, config.address(p.source),
                                                            config.address(p.destination), p.flits))
        << (config.router.one_port() ? "one-port" : "all-port") << ", " << config.router.stages
        << " stages, " << config.router.link_registers << " link registers, depth "
        << config.router.depth << ", " << p.flits << " flits from " << p.source << " to "
        << p.destination;
  }
}

TEST(Endpoints, ASinkRefusesAFlitOnAControlVc) {
  systemc::NetworkConfig config = mesh(2, 2);
  config.router.control_vc = true;
  Script script({{0, 0, 1, 3}});
  systemc::Fabric fabric("fabric");
  fabric.set_kernel(systemc::KernelKind::kRouters);  // planes have no links
  systemc::Network network("network", fabric, config);
  Endpoints endpoints("traffic", network, script);
  ASSERT_EQ(fabric.run_until(100), systemc::RunStatus::kQuiet);
  EXPECT_EQ(endpoints.packets_ejected(), 1U);
  const systemc::Flit flit{pack(systemc::HeadFields{{1, 0, 0}, {0, 0, 0}, 0}), 1, true, true};
  try {
    endpoints.from_router[4]->put_flit(flit);
    ADD_FAILURE() << "it was taken";
  } catch (const std::logic_error& error) {
    EXPECT_NE(std::string(error.what()).find("node 1,0, ej0, cycle 7: a flit on a control VC"),
              std::string::npos)
        << error.what();
  }
}

class ZeroLoadGrid : public ::testing::TestWithParam<std::tuple<systemc::RouterKind, int, int>> {};

TEST_P(ZeroLoadGrid, MeasuredIsAnalytic) {
  const auto [kind, dims, stages] = GetParam();
  systemc::NetworkConfig config{.size = {dims == 1   ? 4
                                         : dims == 2 ? 3
                                                     : 2,
                                         dims > 1 ? 3 : 1, dims > 2 ? 2 : 1}};
  config.router.kind = kind;
  config.router.dims = dims;
  config.router.local_ports = 1;
  config.router.stages = stages;
  for (const int registers : {0, 1, 2, 3, 4}) {
    for (const int depth : {1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13}) {
      config.router.link_registers = registers;
      config.router.depth = depth;
      expect_zero_load_of_lengths(config);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Routers, ZeroLoadGrid,
                         ::testing::Combine(::testing::Values(systemc::RouterKind::kAllPort,
                                                              systemc::RouterKind::kOnePort),
                                            ::testing::Values(1, 2, 3),
                                            ::testing::Values(1, 2, 3, 4)),
                         [](const auto& test) {
                           const bool one_port =
                               std::get<0>(test.param) == systemc::RouterKind::kOnePort;
                           return std::string(one_port ? "OnePort_" : "AllPort_") +
                                  std::to_string(std::get<1>(test.param)) + "d_" +
                                  std::to_string(std::get<2>(test.param)) + "_stages";
                         });

TEST(Sources, AnInjectionChannelWithSeveralVcsInterleavesPackets) {
  systemc::NetworkConfig config = mesh(4, 1);
  config.router.local_vcs = 2;
  config.router.vcs = 2;
  Script script({{0, 0, 3, 20}, {0, 0, 3, 20}});
  OneNetwork one(config, script);
  EXPECT_EQ(one.fabric.run_until(kNever), systemc::RunStatus::kQuiet);
  ASSERT_EQ(one.arrivals.packets.size(), 2u);
  const auto& [first, second] = std::tie(one.arrivals.packets[0], one.arrivals.packets[1]);
  EXPECT_EQ(second.injected, first.injected + 1);
  EXPECT_EQ(second.tail_ejected, first.tail_ejected + 1);
}

TEST(Sources, PacketsOfOneInjectionPortWaitForEachOther) {
  systemc::NetworkConfig config = mesh(4, 1);
  Script script({{0, 0, 3, 5}, {0, 0, 2, 5}});
  OneNetwork one(config, script);
  EXPECT_EQ(one.fabric.run_until(kNever), systemc::RunStatus::kQuiet);
  ASSERT_EQ(one.arrivals.packets.size(), 2u);
  std::set<Cycle> injected;
  for (const Packet& p : one.arrivals.packets) injected.insert(p.injected);
  EXPECT_EQ(injected, (std::set<Cycle>{0, 5}));
}

/// A packet that is longer than it takes to give every other tag to a packet of one flit.
void expect_that_a_source_waits_for_a_tag(systemc::KernelKind kind) {
  constexpr std::uint32_t kTags = 1 << 16;
  std::vector<Script::Message> messages(kTags + 1, {0, 0, 1, 1});
  messages.front() = {0, 0, 3, kTags + 1000};
  Script script(messages);
  const systemc::Elaboration elaboration;
  systemc::NetworkConfig config = mesh(4, 1);
  config.router.vcs = config.router.local_vcs = 2;
  systemc::Fabric fabric("fabric");
  fabric.set_kernel(kind);
  systemc::Network network("network", fabric, config);
  Endpoints endpoints("traffic", network, script);
  Arrivals arrivals;
  endpoints.add_observer(arrivals);
  EXPECT_EQ(fabric.run_until(kNever), systemc::RunStatus::kQuiet);
  ASSERT_EQ(arrivals.packets.size(), messages.size());
  std::map<std::uint64_t, Packet> packets;
  for (const Packet& p : arrivals.packets) packets.emplace(p.id, p);
  EXPECT_LT(packets[kTags - 1].injected, packets[0].tail_ejected);
  EXPECT_EQ(packets[kTags].injected, packets[0].tail_ejected + 1) << "the first packet's tag";
  EXPECT_EQ(packets[kTags].tag, kTags);
}

TEST(Sources, WithAllTagsInUseASourceWaitsUntilOneIsFree) {
  expect_that_a_source_waits_for_a_tag(systemc::KernelKind::kRouters);
  expect_that_a_source_waits_for_a_tag(systemc::KernelKind::kAutomatic);
}

TEST(Trace, AMessageIsCreatedTheCycleAfterTheLastThatItWaitsFor) {
  const auto message = [](const char* id, Cycle cycle, NodeId from, NodeId to,
                          std::vector<std::size_t> after) {
    TraceMessage m;
    m.id = id;
    m.cycle = cycle;
    m.source = from;
    m.destination = to;
    m.bytes = 8;
    m.after = std::move(after);
    return m;
  };
  TraceWorkload trace({message("a", 10, 0, 1, {}), message("b", 0, 3, 1, {}),
                       message("c", 0, 1, 2, {0, 1}), message("self", 0, 2, 2, {2}),
                       message("last", 500, 2, 0, {3})});
  OneNetwork one(mesh(4, 1), trace);
  EXPECT_EQ(one.fabric.run_until(kNever), systemc::RunStatus::kQuiet);
  ASSERT_TRUE(trace.done());
  const auto& f = trace.fates();
  EXPECT_EQ(f[0].created, 10u);
  EXPECT_EQ(f[0].arrived, 10u + 1 + 3);  // one hop, three flits
  EXPECT_EQ(f[1].arrived, 0u + 2 + 3);
  EXPECT_EQ(f[2].created, f[0].arrived + 1);
  EXPECT_EQ(f[3].created, f[2].arrived + 1);
  EXPECT_EQ(f[3].arrived, f[3].created) << "a message to one's own node takes no time";
  EXPECT_EQ(f[4].created, 500u);
  EXPECT_EQ(trace.total_latency().count(), 4u) << "and is no packet";
}

TEST(PacketLog, SaysWhereAPacketWasBlockedAndForHowLong) {
  // 0 -> 3 and 1 -> 3 share +x of nodes 1 and 2; the second one waits at node 1.
  systemc::NetworkConfig config = mesh(4, 1);
  Script script({{0, 1, 3, 10}, {0, 0, 3, 10}});
  OneNetwork one(config, script);
  PacketLog log(config, [&](NodeId source, std::uint16_t tag) {
    return one.endpoints.in_flight(source, tag);
  });
  one.endpoints.add_observer(log);
  one.fabric.set_observer(&log);
  EXPECT_EQ(one.fabric.run_until(kNever), systemc::RunStatus::kQuiet);
  std::ostringstream out;
  log.write(out);
  // The first takes h + F = 2 + 10 cycles. The second one's head is at the front at node 1 from
  // cycle 2 on, and the first one's tail leaves node 1 in cycle 10: blocked in 2..10. Four of its
  // flits fill the buffer there; the fifth is at the front at node 0 from cycle 5 on, and the first
  // credit, sent in cycle 11, is there in 12: blocked in 5..11.
  EXPECT_EQ(out.str(),
            "id,source,destination,flits,created,injected,head_ejected,tail_ejected,hops,blocked,"
            "where\n"
            "0,1,3,10,0,0,3,12,2,0,\n"
            "1,0,3,10,0,0,13,22,3,16,1 +x 9;0 +x 7\n");
}

}  // namespace
}  // namespace annelid::traffic
