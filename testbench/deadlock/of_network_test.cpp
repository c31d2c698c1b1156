// The judge's verdict on Annelid's own networks, which it sees channel by channel, and the tables
// of systemc/network/channel_dependencies.hpp: two ways to the same answer.
#include "deadlock/of_network.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "deadlock/judge.hpp"
#include "deadlock/report.hpp"
#include "systemc/network/channel_dependencies.hpp"
#include "testbench/deadlock/replay.hpp"

namespace annelid::deadlock {
namespace {

using systemc::NetworkConfig;
using systemc::RouterKind;
using systemc::RoutingKind;
using systemc::TorusClasses;

struct Compared {
  int networks = 0, refused = 0;
};

void compare(const NetworkConfig& config, Compared& compared) {
  const Network network = of_network(config);
  const States states(network);
  ASSERT_TRUE(states.complete());
  const Judgement judgement = judge(network, states);
  const bool cycle = systemc::find_cycle(config).has_value();
  EXPECT_EQ(judgement.verdict, cycle ? Verdict::kDeadlock : Verdict::kProved)
      << report_text({network, states, judgement});
  if (cycle) {
    EXPECT_EQ(replay(network, states, judgement.configuration), "");
    ++compared.refused;
  } else if (states.count() > 0) {
    EXPECT_EQ(judgement.proof, Proof::kAcyclic);
  }
  ++compared.networks;
}

/// All tori and meshes of these sizes with 1 to 4 VCs, with both kinds of classes.
void compare_all(int dims, const std::vector<int>& sizes, RouterKind kind, RoutingKind routing,
                 Compared& compared) {
  std::vector<std::size_t> at(static_cast<std::size_t>(dims));
  for (bool more = true; more;) {
    for (int rings = 0; rings < 1 << dims; ++rings) {
      for (int vcs = 1; vcs <= 4; ++vcs) {
        for (const auto classes : {TorusClasses::kDateline, TorusClasses::kPlh}) {
          NetworkConfig config{{1, 1, 1}, {.local_ports = 1, .vcs = vcs, .dims = dims}};
          config.router.kind = kind;
          config.router.routing = routing;
          config.router.classes = classes;
          config.router.allow_deadlock = true;
          config.router.control_vc = vcs == 2;
          for (int d = 0; d < dims; ++d) {
            const auto i = static_cast<std::size_t>(d);
            config.size[i] = sizes[at[i]];
            config.router.torus[i] = (rings >> d & 1) != 0;
          }
          SCOPED_TRACE(std::to_string(config.size[0]) + "x" + std::to_string(config.size[1]) + "x" +
                       std::to_string(config.size[2]) + " rings " + std::to_string(rings) +
                       " vcs " + std::to_string(vcs));
          compare(config, compared);
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
    std::size_t d = 0;
    while (d < at.size() && ++at[d] == sizes.size()) at[d++] = 0;
    more = d < at.size();
  }
}

TEST(JudgeOfNetworks, AgreesWithTheTablesInOneDimension) {
  Compared compared;
  for (const auto kind : {RouterKind::kAllPort, RouterKind::kOnePort}) {
    compare_all(1, {1, 2, 3, 4, 5, 6, 9}, kind, RoutingKind::kXy, compared);
  }
  EXPECT_EQ(compared.networks, 2 * 7 * 2 * 8);
  EXPECT_EQ(compared.refused, 2 * 4 * 3) << "rings of four and more without classes";
}

TEST(JudgeOfNetworks, AgreesWithTheTablesInTwoDimensions) {
  Compared compared;
  compare_all(2, {2, 3, 5}, RouterKind::kAllPort, RoutingKind::kXy, compared);
  compare_all(2, {3, 4}, RouterKind::kAllPort, RoutingKind::kYx, compared);
  compare_all(2, {1, 4}, RouterKind::kOnePort, RoutingKind::kXy, compared);
  EXPECT_EQ(compared.networks, (9 + 4 + 4) * 4 * 8);
  EXPECT_GT(compared.refused, 50);
}

TEST(JudgeOfNetworks, AgreesWithTheTablesInThreeDimensions) {
  Compared compared;
  compare_all(3, {2, 4}, RouterKind::kAllPort, RoutingKind::kXy, compared);
  compare_all(3, {2, 4}, RouterKind::kOnePort, RoutingKind::kXy, compared);
  EXPECT_EQ(compared.networks, 2 * 8 * 8 * 8);
  EXPECT_GT(compared.refused, 50);
}

/// The places that packets of a class from node `from` to node `to` of a network go through.
std::vector<std::string> way(const Network& network, std::uint32_t from, Packet packet) {
  std::vector<std::string> names;
  std::vector<Choice> choices;
  network.next(network.vcs() + from, packet, choices);
  while (choices.size() == 1) {
    const std::uint32_t vc = choices[0].vc;
    names.push_back(network.place_name(vc));
    choices.clear();
    if (network.end_of(vc) != packet.to) network.next(vc, packet, choices);
  }
  return names;
}

TEST(JudgeOfNetworks, PacketsTakeTheVcsOfTheirClassAndKind) {
  NetworkConfig config{{8, 1, 1}, {.local_ports = 1, .vcs = 3, .dims = 1}};
  config.router.torus = {true};
  config.router.classes = TorusClasses::kPlh;
  config.router.control_vc = true;
  const Network network = of_network(config);
  using ::testing::ElementsAre;
  EXPECT_THAT(way(network, 6, {1, 0}), ElementsAre("6,0+x.1", "7,0+x.1", "0,0+x.2"));
  EXPECT_THAT(way(network, 1, {6, 0}), ElementsAre("1,0-x.1", "0,0-x.1", "7,0-x.2"));
  EXPECT_THAT(way(network, 1, {3, 0}), ElementsAre("1,0+x.0", "2,0+x.0"));
  EXPECT_THAT(way(network, 6, {1, 1}), ElementsAre("6,0+x.4", "7,0+x.4", "0,0+x.5"));
}

TEST(JudgeOfNetworks, SeesATorusOf16x16) {
  NetworkConfig config{{16, 16, 1}, {.local_ports = 1, .vcs = 2}};
  config.router.torus = {true, true};
  const Network network = of_network(config);
  const States states(network);
  EXPECT_EQ(network.channels.size(), 1024u);
  EXPECT_EQ(judge(network, states).proof, Proof::kAcyclic);
}

}  // namespace
}  // namespace annelid::deadlock
