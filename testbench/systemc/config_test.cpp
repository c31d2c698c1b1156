// Configurations that the hardware cannot have, and the constant geometry of a mesh.
#include "systemc/network/config.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <utility>
#include <vector>

#include "systemc/network/route.hpp"

namespace annelid::systemc {
namespace {

constexpr Port kLocal0 = RouterConfig{}.first_local();

std::string rejected_key(const NetworkConfig& config) {
  try {
    validate(config);
  } catch (const ConfigError& error) {
    return error.key() + " " + error.found() + " not in " + error.expected();
  }
  return "accepted";
}

TEST(Config, EveryParameterIsAcceptedAtItsEndsAndRejectedBeyondThemByName) {
  struct Case {
    std::string key;
    std::function<int&(NetworkConfig&)> value;
    int low, high;
  };
  const auto router = [](int RouterConfig::*member) {
    return [member](NetworkConfig& c) -> int& { return c.router.*member; };
  };
  const auto size = [](std::size_t d) {
    return [d](NetworkConfig& c) -> int& { return c.size[d]; };
  };
  for (const Case& c :
       {Case{"network.size[0]", size(0), 1, 256}, Case{"network.size[1]", size(1), 1, 256},
        Case{"network.size[2]", size(2), 1, 1},
        Case{"router.local_ports", router(&RouterConfig::local_ports), 1, 4},
        Case{"router.vcs", router(&RouterConfig::vcs), 1, 8},
        Case{"router.local_vcs", router(&RouterConfig::local_vcs), 1, 8},
        Case{"router.depth", router(&RouterConfig::depth), 1, 64},
        Case{"router.stages", router(&RouterConfig::stages), 1, 4},
        Case{"router.link_registers", router(&RouterConfig::link_registers), 0, 4}}) {
    const auto with = [&c](int value) {
      NetworkConfig config;
      c.value(config) = value;
      return rejected_key(config);
    };
    const auto range = std::to_string(c.low) + ".." + std::to_string(c.high);
    EXPECT_EQ(with(c.low), "accepted");
    EXPECT_EQ(with(c.high), "accepted");
    for (int bad : {c.low - 1, c.high + 1, -1000}) {
      EXPECT_EQ(with(bad), c.key + " " + std::to_string(bad) + " not in " + range);
    }
  }
}

TEST(Config, LocalPortsAreAtMostTwicePerDimensionAndOneInAOnePortRouter) {
  NetworkConfig config{{4, 4, 4}, {.local_ports = 6, .dims = 3}};
  EXPECT_EQ(rejected_key(config), "accepted");
  config.router.local_ports = 7;
  EXPECT_EQ(rejected_key(config), "router.local_ports 7 not in 1..6");
  config.router = {.local_ports = 3, .dims = 1};
  EXPECT_EQ(rejected_key(config), "router.local_ports 3 not in 1..2");
  config.router = {.local_ports = 2, .kind = RouterKind::kOnePort};
  EXPECT_EQ(rejected_key(config), "router.local_ports 2 not in 1..1");
}

TEST(Config, ARingNeedsAVcPerClassUnlessDeadlockIsAllowed) {
  NetworkConfig config{{4, 4, 1}, {.vcs = 1, .torus = {true, false, false}}};
  EXPECT_THAT(rejected_key(config), ::testing::StartsWith("router.vcs 1 not in at least 2"));
  EXPECT_THAT(rejected_key(config),
              ::testing::HasSubstr("can wait on each other: 0,0 +x -> 1,0 +x -> 2,0 +x -> 3,0 +x"));
  config.router.vcs = 2;
  EXPECT_EQ(rejected_key(config), "accepted");
  config.router.classes = TorusClasses::kPlh;
  EXPECT_THAT(rejected_key(config), ::testing::StartsWith("router.vcs 2 not in at least 3"));
  config.router.allow_deadlock = true;
  EXPECT_EQ(rejected_key(config), "accepted");
  config.router = {.vcs = 2, .torus = {false, false, true}};
  EXPECT_THAT(rejected_key(config), ::testing::StartsWith("network.torus a ring in dimension 2"));
}

TEST(Config, EachClassOfAChannelHasOneControlVcBehindTheDataVcs) {
  // A ring in x, a mesh in y; two local ports.
  RouterConfig router{.local_ports = 2,
                      .vcs = 3,
                      .local_vcs = 2,
                      .torus = {true, false, false},
                      .control_vc = true};
  const auto vcs = [&] {
    std::vector<int> links;
    for (int l = 0; l < router.links(); ++l) links.push_back(router.link_vcs(l));
    return links;
  };
  EXPECT_THAT(vcs(), ::testing::ElementsAre(5, 5, 4, 4, 3, 3)) << "dateline";
  EXPECT_EQ(router.max_vcs(), 5);
  router.classes = TorusClasses::kPlh;
  EXPECT_THAT(vcs(), ::testing::ElementsAre(6, 6, 4, 4, 3, 3));
  router.vcs = 2;  // no classes
  router.allow_deadlock = true;
  EXPECT_THAT(vcs(), ::testing::ElementsAre(3, 3, 3, 3, 3, 3));
  router.local_vcs = 5;
  EXPECT_EQ(router.max_vcs(), 6);
  router.control_vc = false;
  EXPECT_THAT(vcs(), ::testing::ElementsAre(2, 2, 2, 2, 5, 5));
  EXPECT_EQ(router.max_vcs(), 5);

  // Inputs +x, -x, +y, -y, from the NIC, y from x; outputs likewise, to y, to the NIC.
  const RouterConfig one_port{.local_ports = 1,
                              .vcs = 2,
                              .local_vcs = 4,
                              .kind = RouterKind::kOnePort,
                              .torus = {false, true, false},
                              .control_vc = true};
  const int inputs[] = {3, 3, 4, 4, 5, 3}, outputs[] = {3, 3, 4, 4, 3, 5};
  const int data_in[] = {2, 2, 2, 2, 4, 2}, data_out[] = {2, 2, 2, 2, 2, 4};
  for (int p = 0; p < 6; ++p) {
    EXPECT_EQ(one_port.input_vcs(p), inputs[p]) << p;
    EXPECT_EQ(one_port.output_vcs(p), outputs[p]) << p;
    EXPECT_EQ(one_port.input_data_vcs(p), data_in[p]) << p;
    EXPECT_EQ(one_port.output_data_vcs(p), data_out[p]) << p;
    EXPECT_FALSE(one_port.is_control(p, data_in[p] - 1)) << p;
    EXPECT_TRUE(one_port.is_control(p, data_in[p])) << p;
  }
}

TEST(Config, AChannelHasAtMost8VcsForDataAndControl) {
  NetworkConfig config{{4, 4, 1}, {.vcs = 7, .local_vcs = 7, .control_vc = true}};
  EXPECT_EQ(rejected_key(config), "accepted");
  config.router.local_vcs = 8;
  EXPECT_EQ(rejected_key(config),
            "router.local_vcs 8 not in at most 7, as 8 data VCs and 1 control VC make 9 of at most "
            "8, or router.control_vc = false");
  config.router.vcs = 8;
  EXPECT_EQ(rejected_key(config),
            "router.vcs 8 not in at most 7, as 8 data VCs and 1 control VC make 9 of at most 8, or "
            "router.control_vc = false");
  config.router.vcs = 9;
  EXPECT_EQ(rejected_key(config), "router.vcs 9 not in 1..8");
  config.router = {.vcs = 7, .torus = {false, true, false}, .control_vc = true};
  EXPECT_EQ(
      rejected_key(config),
      "router.vcs 7 not in at most 6, as 7 data VCs and 2 control VCs make 9 of at most 8, or "
      "router.control_vc = false");
  EXPECT_THROW(validate(config.router), ConfigError);
  config.router.vcs = 6;
  EXPECT_EQ(rejected_key(config), "accepted");
  config.router.classes = TorusClasses::kPlh;
  EXPECT_THAT(rejected_key(config), ::testing::HasSubstr("router.vcs 6 not in at most 5"));
  config.router.vcs = 5;
  EXPECT_EQ(rejected_key(config), "accepted");
  config.router.vcs = 2;
  config.router.local_vcs = 8;
  EXPECT_THAT(rejected_key(config), ::testing::StartsWith("router.vcs 2 not in at least 3"));
  config.router.control_vc = false;
  config.router.vcs = 8;
  EXPECT_EQ(rejected_key(config), "accepted");
}

TEST(Config, ANetworkHasAtMost256NodesInEachDimension) {
  NetworkConfig config{{256, 256, 256}, {.dims = 3}};
  EXPECT_EQ(rejected_key(config), "accepted");
  EXPECT_EQ(config.nodes(), kMaxNodes);
  config.size[2] = 257;
  EXPECT_EQ(rejected_key(config), "network.size[2] 257 not in 1..256");
}

TEST(Config, TheDefaultDepthCoversTheCreditLoop) {
  EXPECT_EQ((RouterConfig{}.default_depth()), 4);
  EXPECT_EQ((RouterConfig{.stages = 2}.default_depth()), 4);
  EXPECT_EQ((RouterConfig{.link_registers = 1}.credit_loop()), 4);
  EXPECT_EQ((RouterConfig{.stages = 3, .link_registers = 1}.default_depth()), 6);
  EXPECT_EQ((RouterConfig{.stages = 4, .link_registers = 4}.default_depth()), 12);
}

TEST(Route, FollowsXBeforeYAndEjectsAtTheInputModuloL) {
  const Address here{3, 3, 0};
  NetworkConfig mesh{{16, 16, 1}, {}};
  const Port local = mesh.router.first_local();
  EXPECT_EQ(route(mesh, here, {4, 0, 0}, local), kPlusX);
  EXPECT_EQ(route(mesh, here, {0, 9, 0}, local), kMinusX);
  EXPECT_EQ(route(mesh, here, {3, 4, 0}, kPlusX), kPlusY);
  EXPECT_EQ(route(mesh, here, {3, 0, 0}, kPlusX), kMinusY);
  for (int l = 1; l <= 4; ++l) {
    mesh.router.local_ports = l;
    for (Port in = 0; in < 4; ++in) EXPECT_EQ(route(mesh, here, here, in), 4 + in % l);
  }
  EXPECT_EQ(route(mesh, here, here, 5), 5);
}

TEST(Route, TakesTheShorterWayRoundARingAndATieGoesUp) {
  const NetworkConfig ring{{6, 1, 1}, {.vcs = 2, .torus = {true, false, false}}};
  const auto from0 = [&](std::uint8_t x) { return first_output(ring, {0, 0, 0}, {x, 0, 0}); };
  EXPECT_EQ(from0(1), kPlusX);
  EXPECT_EQ(from0(3), kPlusX);
  EXPECT_EQ(from0(4), kMinusX);
  EXPECT_EQ(hops(ring, {5, 0, 0}, {2, 0, 0}), 3);
  EXPECT_EQ(first_output(ring, {5, 0, 0}, {2, 0, 0}), kPlusX);
  EXPECT_EQ(hops(ring, {5, 0, 0}, {1, 0, 0}), 2);
  const NetworkConfig two{{2, 1, 1}, {.vcs = 2, .torus = {true, false, false}}};
  EXPECT_EQ(first_output(two, {0, 0, 0}, {1, 0, 0}), kPlusX);
  EXPECT_EQ(first_output(two, {1, 0, 0}, {0, 0, 0}), kPlusX);
}

TEST(Route, AOnePortRouterGoesThroughEveryDimension) {
  const NetworkConfig mesh{{4, 4, 4}, {.local_ports = 1, .dims = 3, .kind = RouterKind::kOnePort}};
  const Address here{1, 1, 1};
  EXPECT_EQ(route(mesh, here, {1, 0, 2}, 6), 6);  // nothing to do in x: through to y
  EXPECT_EQ(route(mesh, here, {1, 0, 2}, 7), 3);  // down in y
  EXPECT_EQ(route(mesh, here, {1, 1, 2}, 2), 7);  // arrived in y: through to z
  EXPECT_EQ(route(mesh, here, {1, 1, 2}, 8), 4);  // up in z
  EXPECT_EQ(route(mesh, here, here, 5), 8);       // ejected
  EXPECT_EQ(receiver_of(mesh, here, 6), (SwitchEnd{here, 7}));
  EXPECT_EQ(sender_of(mesh, here, 8), (SwitchEnd{here, 7}));
  EXPECT_EQ(receiver_of(mesh, here, 8), std::nullopt);
  EXPECT_EQ(sender_of(mesh, here, 6), std::nullopt);
}

TEST(Route, VcsAreDividedAmongTheClassesOfARing) {
  NetworkConfig ring{{8, 1, 1}, {.vcs = 3, .torus = {true, false, false}}};
  const auto open = [&](std::uint8_t here, std::uint8_t from, std::uint8_t to) {
    const VcRange range =
        open_vcs(ring.router, false, kPlusX, {here, 0, 0}, {from, 0, 0}, {to, 0, 0});
    return std::pair(range.first, range.count);
  };
  EXPECT_EQ(open(6, 6, 1), std::pair(0, 1));  // the wrap is ahead
  EXPECT_EQ(open(7, 6, 1), std::pair(0, 1));  // it is this channel
  EXPECT_EQ(open(0, 6, 1), std::pair(1, 2));  // it is behind
  EXPECT_EQ(open(2, 2, 4), std::pair(1, 2));  // there is none
  ring.router.classes = TorusClasses::kPlh;
  ring.router.vcs = 8;
  EXPECT_EQ(open(2, 2, 4), std::pair(0, 2));
  EXPECT_EQ(open(7, 6, 1), std::pair(2, 3));
  EXPECT_EQ(open(0, 6, 1), std::pair(5, 3));
}

TEST(Route, OneVcIsOpenToAControlPacket) {
  NetworkConfig network{{8, 8, 1}, {.vcs = 3, .torus = {true, false, false}, .control_vc = true}};
  const auto open = [&](Port out, std::uint8_t here, std::uint8_t from, std::uint8_t to) {
    const VcRange range =
        open_vcs(network.router, true, out, {here, 0, 0}, {from, 0, 0}, {to, 0, 0});
    EXPECT_EQ(range.count, 1);
    return range.first;
  };
  EXPECT_EQ(open(kPlusX, 6, 6, 1), 3);  // class 0
  EXPECT_EQ(open(kPlusX, 0, 6, 1), 4);  // class 1
  EXPECT_EQ(open(kPlusY, 0, 0, 0), 3);  // a mesh dimension has one class
  network.router.local_vcs = 2;
  EXPECT_EQ(open(kLocal0, 0, 0, 0), 2);
  const VcRange data = open_vcs(network.router, false, kPlusY, {}, {}, {});
  EXPECT_EQ(std::pair(data.first, data.count), std::pair(0, 3));
  network.router.classes = TorusClasses::kPlh;
  EXPECT_EQ(open(kPlusX, 2, 2, 4), 3);
  EXPECT_EQ(open(kPlusX, 7, 6, 1), 4);
  EXPECT_EQ(open(kPlusX, 0, 6, 1), 5);
  network.router.vcs = 1;  // no classes
  EXPECT_EQ(open(kPlusX, 0, 6, 1), 1);
}

TEST(Route, OppositePortsAreThoseOfTheNeighboursTowardsEachOther) {
  for (const bool torus : {false, true}) {
    const NetworkConfig network{{5, 3, 2}, {.vcs = 2, .dims = 3, .torus = {torus, torus, torus}}};
    int neighbours = 0;
    for (NodeId n = 0; n < network.nodes(); ++n) {
      const Address here = network.address(n);
      ASSERT_EQ(network.id(here), n);
      for (Port p = 0; p < 6; ++p) {
        const Neighbour there = neighbour(network, here, p);
        if (!there.exists) continue;
        const Neighbour back = neighbour(network, there.address, opposite(p));
        ++neighbours;
        EXPECT_TRUE(back.exists && back.address == here);
        EXPECT_EQ(hops(network, here, there.address), 1);
        if (p == kMinusZ && torus) continue;  // in a ring of 2 both ways are up
        EXPECT_EQ(first_output(network, here, there.address), p);
      }
    }
    EXPECT_EQ(neighbours, torus ? 30 * 6 : 2 * (4 * 6 + 2 * 10 + 15));
  }
}

TEST(Route, ADimensionOfOneNodeHasNoLinks) {
  for (const bool torus : {false, true}) {
    const NetworkConfig network{{1, 4, 1}, {.vcs = 2, .torus = {torus, torus, false}}};
    EXPECT_FALSE(neighbour(network, {0, 1, 0}, kPlusX).exists);
    EXPECT_FALSE(neighbour(network, {0, 1, 0}, kMinusX).exists);
    EXPECT_TRUE(neighbour(network, {0, 1, 0}, kPlusY).exists);
  }
}

}  // namespace
}  // namespace annelid::systemc
