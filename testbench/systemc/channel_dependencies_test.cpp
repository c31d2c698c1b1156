// The channel-dependency graph against all packets of small networks, and the search for cycles.
#include "systemc/network/channel_dependencies.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "systemc/network/route.hpp"

namespace annelid::systemc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using Vertex = ChannelDependencies::Vertex;
using enum TorusClasses;
using enum RouterKind;

/// A network of `size.size()` dimensions, with rings where `torus` says so.
NetworkConfig network_of(const std::vector<int>& size, const std::vector<bool>& torus, int vcs,
                         TorusClasses classes = kDateline, RouterKind kind = kAllPort,
                         int local_ports = 1) {
  NetworkConfig network{{1, 1, 1}, {.local_ports = local_ports, .vcs = vcs, .kind = kind}};
  network.router.dims = static_cast<int>(size.size());
  network.router.classes = classes;
  network.router.allow_deadlock = true;
  for (std::size_t d = 0; d < size.size(); ++d) {
    network.size[d] = size[d];
    network.router.torus[d] = torus[d];
  }
  validate(network);
  return network;
}
NetworkConfig ring_of(int size, int vcs, TorusClasses classes = kDateline) {
  return network_of({size}, {true}, vcs, classes);
}

// ---- Against all pairs --------------------------------------------------------------------------

/// What follows each channel class, from every packet's walk through the network. All that can
/// follow a channel leaves one router, so a bit 3 * output + class says it. (It is of the same
/// kind.)
class AllPairs {
 public:
  explicit AllPairs(const NetworkConfig& network)
      : network_(network),
        channels_(network.router.ports() + network.router.local_ports),
        follow_(std::size_t{network.nodes()} * channels_ * 3 * 2) {
    for (NodeId s = 0; s < network.nodes(); ++s) {
      for (NodeId t = 0; t < network.nodes(); ++t) {
        if (s == t) continue;
        walk(network.address(s), network.address(t), false);
        if (network.router.control_vc) walk(network.address(s), network.address(t), true);
      }
    }
  }

  [[nodiscard]] std::uint64_t& follow(const ChannelClass& c) {
    return follow_[((std::size_t{c.node} * channels_ + c.channel) * 3 + c.cls) * 2 + c.control];
  }

 private:
  static std::uint8_t class_of(const RouterConfig& router, Port out, VcRange range, bool control) {
    if (!router.is_external(out) || !router.torus[out / 2]) return 0;
    for (int c = 0; c < router.ring_classes(); ++c) {
      const VcRange of_c = control ? VcRange{router.vcs + c, 1} : vcs_of_class(router, c);
      if (of_c.first == range.first && of_c.count == range.count) return c;
    }
    ADD_FAILURE() << "VCs of no class";
    return 0;
  }

  void walk(Address source, Address to, bool control) {
    const RouterConfig& router = network_.router;
    for (int l = 0; l < router.local_ports; ++l) {
      ChannelClass held{network_.id(source), static_cast<Port>(router.ports() + l), 0, control};
      SwitchEnd at{source, router.injection_input(l)};
      for (;;) {
        const Port out = route(network_, at.address, to, at.port);
        const VcRange open = open_vcs(router, control, out, at.address, source, to);
        const auto cls = class_of(router, out, open, control);
        follow(held) |= std::uint64_t{1} << (3 * out + cls);
        held = {network_.id(at.address), out, cls, control};
        if (router.is_ejection(out) || l > 0) break;  // all that differs is the first channel
        at = receiver_of(network_, at.address, out).value();
      }
    }
  }

  NetworkConfig network_;
  int channels_;
  std::vector<std::uint64_t> follow_;
};

/// Compares every vertex; returns the number of edges.
std::size_t compare_with_all_pairs(const NetworkConfig& network) {
  const ChannelDependencies graph(network);
  AllPairs expected(network);
  std::size_t edges = 0;
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    const ChannelClass held = graph.channel(v);
    EXPECT_EQ(graph.vertex(held), v);
    std::vector<Vertex> successors;
    graph.successors(v, successors);
    EXPECT_TRUE(std::ranges::is_sorted(successors));
    std::uint64_t follow = 0;
    for (const Vertex w : successors) {
      const ChannelClass next = graph.channel(w);
      NodeId at = held.node;
      if (held.channel < network.router.ports()) {
        const auto end = receiver_of(network, network.address(held.node), held.channel);
        if (!end) return ADD_FAILURE() << name(network, held) << " leads nowhere", 0;
        at = network.id(end->address);
      }
      EXPECT_EQ(next.node, at) << name(network, held) << " -> " << name(network, next);
      EXPECT_EQ(next.control, held.control) << name(network, held) << " -> " << name(network, next);
      follow |= std::uint64_t{1} << (3 * next.channel + next.cls);
    }
    edges += successors.size();
    if (follow != expected.follow(held)) {
      ADD_FAILURE() << name(network, held) << ": " << std::hex << follow << ", all pairs "
                    << expected.follow(held);
      return 0;
    }
  }
  return edges;
}

struct Compared {
  int networks = 0, cyclic = 0;
  std::size_t edges = 0;
};

/// All sizes 1 to `largest` and kinds of `dims` dimensions, both kinds of routers and classes.
void compare_all(int dims, int largest, const std::vector<int>& vcs, Compared& compared) {
  std::vector<int> size(dims, 1);
  for (bool more = true; more;) {
    for (unsigned rings = 0; rings < 1u << dims; ++rings) {
      std::vector<bool> torus(dims);
      for (int d = 0; d < dims; ++d) torus[d] = (rings >> d & 1) != 0;
      for (const int v : vcs) {
        for (const auto classes : {kDateline, kPlh}) {
          for (const auto kind : {kAllPort, kOnePort}) {
            // Local ports matter to no other choice: all numbers take turns.
            const int local_ports = kind == kOnePort ? 1 : 1 + compared.networks / 2 % (2 * dims);
            const NetworkConfig network = network_of(size, torus, v, classes, kind, local_ports);
            SCOPED_TRACE(::testing::Message()
                         << ::testing::PrintToString(size) << " rings " << rings << " vcs " << v
                         << " plh " << (classes == kPlh) << " one-port " << (kind == kOnePort));
            compared.edges += compare_with_all_pairs(network);
            compared.cyclic += find_cycle(network).has_value() ? 1 : 0;
            ++compared.networks;
            if (::testing::Test::HasFailure()) return;
          }
        }
      }
    }
    int d = 0;
    while (d < dims && size[d] == largest) size[d++] = 1;
    more = d < dims;
    if (more) ++size[d];
  }
}

TEST(ChannelDependencies, EqualThePathsOfAllPairsInEveryLineAndRing) {
  Compared compared;
  compare_all(1, 24, {1, 2, 3, 4, 5, 8}, compared);
  EXPECT_EQ(compared.networks, 24 * 2 * 24);
  // Rings of 4 and more: without dateline classes at 1 VC, without plh at 1 and 2.
  EXPECT_EQ(compared.cyclic, 21 * 3 * 2);
  EXPECT_GT(compared.edges, 10000u);
}

TEST(ChannelDependencies, EqualThePathsOfAllPairsInTwoDimensions) {
  Compared compared;
  compare_all(2, 6, {1, 2, 3, 4}, compared);
  EXPECT_EQ(compared.networks, 36 * 4 * 16);
  EXPECT_GT(compared.cyclic, 100);
  EXPECT_GT(compared.edges, 100000u);
}

TEST(ChannelDependencies, EqualThePathsOfAllPairsInThreeDimensions) {
  Compared compared;
  compare_all(3, 4, {1, 2, 3, 4}, compared);
  EXPECT_EQ(compared.networks, 64 * 8 * 16);
  EXPECT_GT(compared.cyclic, 100);
  EXPECT_GT(compared.edges, 1000000u);
}

TEST(ChannelDependencies, EqualThePathsOfAllPairsUpToFiveNodesInEachOfThreeDimensions) {
  Compared compared;
  compare_all(3, 5, {1, 3}, compared);  // without classes, and with either kind of them
  EXPECT_EQ(compared.networks, 125 * 8 * 8);
  // Without classes, but not if all dimensions are meshes or of 1 to 3 nodes.
  int cyclic = 0;
  for (int n = 0; n < 125 * 8; ++n) {
    const int size[] = {n % 5, n / 5 % 5, n / 25 % 5}, rings = n / 125;
    bool any = false;
    for (int d = 0; d < 3; ++d) any = any || (size[d] >= 3 && (rings >> d & 1) != 0);
    cyclic += any ? 4 : 0;
  }
  EXPECT_EQ(compared.cyclic, cyclic);
  EXPECT_GT(compared.edges, 1000000u);
}

TEST(ChannelDependencies, EqualThePathsOfAllPairsWithEveryRoutingFunctionAndHaveNoCycle) {
  std::size_t edges = 0;
  for (int r = 0; r < RoutingFunctions::kCount; ++r) {
    const auto routing = static_cast<RoutingKind>(r);
    SCOPED_TRACE(name_of(routing));
    const bool one_port = RoutingFunctions::with(
        routing, []<class Function>(Function) { return Function::serves_one_port(); });
    for (const auto& torus : {std::vector{false, false, false}, std::vector{true, false, true}}) {
      for (const auto kind : {kAllPort, kOnePort}) {
        if (kind == kOnePort && !one_port) continue;
        NetworkConfig network = network_of({4, 3, 5}, torus, 2, kDateline, kind);
        network.router.routing = routing;
        edges += compare_with_all_pairs(network);
        EXPECT_FALSE(find_cycle(network));
      }
    }
  }
  EXPECT_GT(edges, 1000u);
}

TEST(ChannelDependencies, OfControlPacketsAreThoseOfDataAgain) {
  const std::vector<std::pair<std::vector<int>, std::vector<bool>>> shapes = {
      {{6}, {true}},
      {{5, 4}, {true, false}},
      {{4, 4}, {true, true}},
      {{3, 4, 2}, {false, true, true}}};
  for (const auto& [size, torus] : shapes) {
    for (const int vcs : {1, 2, 3}) {
      for (const auto classes : {kDateline, kPlh}) {
        for (const auto kind : {kAllPort, kOnePort}) {
          const NetworkConfig without = network_of(size, torus, vcs, classes, kind);
          NetworkConfig with = without;
          with.router.control_vc = true;
          EXPECT_EQ(compare_with_all_pairs(with), 2 * compare_with_all_pairs(without));
          EXPECT_EQ(ChannelDependencies(with).vertices(),
                    2 * ChannelDependencies(without).vertices());
          const auto cycle = find_cycle(without), same = find_cycle(with);
          ASSERT_EQ(cycle.has_value(), same.has_value());
          EXPECT_EQ(cycle ? cycle->text : "", same ? same->text : "") << "it begins with data";
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST(ChannelDependencies, AVcBelongsToAClassOfItsKind) {
  NetworkConfig ring = network_of({4, 3}, {true, false}, 3, kDateline, kOnePort);
  ring.router.control_vc = true;
  ring.router.local_vcs = 2;
  const auto text = [&](Port out, Vc vc) {
    return name(ring, channel_class(ring.router, 1, out, vc));
  };
  EXPECT_EQ(text(kPlusX, 0), "1,0 +x class 0");
  EXPECT_EQ(text(kPlusX, 1), "1,0 +x class 1");
  EXPECT_EQ(text(kPlusX, 2), "1,0 +x class 1");
  EXPECT_EQ(text(kPlusX, 3), "1,0 +x class 0 control");
  EXPECT_EQ(text(kPlusX, 4), "1,0 +x class 1 control");
  EXPECT_EQ(text(kPlusY, 2), "1,0 +y");
  EXPECT_EQ(text(kPlusY, 3), "1,0 +y control");
  EXPECT_EQ(text(4, 3), "1,0 x>y control");
  EXPECT_EQ(text(5, 1), "1,0 ej0");
  EXPECT_EQ(text(5, 2), "1,0 ej0 control");
}

// ---- The search for cycles ----------------------------------------------------------------------

using Edges = std::vector<std::vector<std::uint32_t>>;

std::vector<std::uint32_t> cycle_of(const Edges& edges) {
  return find_cycle(static_cast<std::uint32_t>(edges.size()),
                    [&](std::uint32_t v, std::vector<std::uint32_t>& to) {
                      to.insert(to.end(), edges[v].begin(), edges[v].end());
                    });
}

TEST(FindCycle, AGraphWithoutACycleHasNone) {
  EXPECT_THAT(cycle_of({}), IsEmpty());
  EXPECT_THAT(cycle_of({{}, {}, {}}), IsEmpty());
  EXPECT_THAT(cycle_of({{1, 2, 3}, {2, 3}, {3}, {}}), IsEmpty()) << "many ways to one vertex";
  EXPECT_THAT(cycle_of({{}, {0}, {1, 0}, {2, 1}}), IsEmpty()) << "edges to what is done";
}

TEST(FindCycle, ACycleIsNamedInTheOrderOfItsEdges) {
  EXPECT_THAT(cycle_of({{0}}), ElementsAre(0u)) << "a vertex that follows itself";
  EXPECT_THAT(cycle_of({{}, {2}, {1}}), ElementsAre(1u, 2u));
  EXPECT_THAT(cycle_of({{1}, {2, 5}, {3}, {4}, {2}, {}}), ElementsAre(2u, 3u, 4u))
      << "the way into the cycle is no part of it";
  EXPECT_THAT(cycle_of({{1, 3}, {2}, {}, {4}, {5, 1}, {3}}), ElementsAre(3u, 4u, 5u))
      << "not in what is reached first";
  EXPECT_THAT(cycle_of({{1, 3}, {2}, {}, {1, 4}, {5}, {3}}), ElementsAre(3u, 4u, 5u))
      << "an edge to what is done comes before it";
}

TEST(FindCycle, APathOfAMillionVerticesNeedsNoDeepCalls) {
  constexpr std::uint32_t kVertices = 1'000'000;
  for (bool closed : {false, true}) {
    const auto cycle = find_cycle(kVertices, [&](std::uint32_t v, std::vector<std::uint32_t>& to) {
      if (v + 1 < kVertices) to.push_back(v + 1);
      if (v + 1 == kVertices && closed) to.push_back(0);
    });
    EXPECT_THAT(cycle, SizeIs(closed ? kVertices : 0));
  }
}

// ---- Known networks -----------------------------------------------------------------------------

/// Every step of a cycle is an edge of the graph, the last one's to the first.
void expect_real(const NetworkConfig& network, const std::vector<ChannelClass>& cycle) {
  AllPairs pairs(network);
  ASSERT_THAT(cycle, Not(IsEmpty()));
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const ChannelClass& next = cycle[(i + 1) % cycle.size()];
    EXPECT_EQ(pairs.follow(cycle[i]) >> (3 * next.channel + next.cls) & 1, 1u);
    EXPECT_EQ(receiver_of(network, network.address(cycle[i].node), cycle[i].channel)->address,
              network.address(next.node));
  }
}

TEST(DeadlockFreedom, ARingWithoutClassesIsCyclicFromFourNodesOn) {
  for (int size : {1, 2, 3}) EXPECT_FALSE(find_cycle(ring_of(size, 1))) << size;
  for (int size = 4; size <= 40; ++size) {
    const auto cycle = find_cycle(ring_of(size, 1));
    ASSERT_TRUE(cycle) << size;
    EXPECT_THAT(cycle->channels, SizeIs(size));
    expect_real(ring_of(size, 1), cycle->channels);
  }
  EXPECT_TRUE(find_cycle(ring_of(4, 2, kPlh))) << "two VCs are no three classes";
  EXPECT_EQ(find_cycle(ring_of(4, 1)).value().text,
            "0,0 +x -> 1,0 +x -> 2,0 +x -> 3,0 +x -> 0,0 +x");
}

TEST(DeadlockFreedom, BothKindsOfClassesMakeEveryRingAcyclic) {
  for (int size = 1; size <= 40; ++size) {
    for (int vcs = 2; vcs <= 8; ++vcs) {
      EXPECT_FALSE(find_cycle(ring_of(size, vcs))) << size;
      EXPECT_EQ(find_cycle(ring_of(size, vcs, kPlh)).has_value(), vcs < 3 && size > 3) << size;
    }
  }
  EXPECT_FALSE(find_cycle(ring_of(256, 2)));
  EXPECT_FALSE(find_cycle(ring_of(255, 3, kPlh)));
}

TEST(DeadlockFreedom, AMeshNeedsNoClasses) {
  for (const auto kind : {kAllPort, kOnePort}) {
    EXPECT_FALSE(find_cycle(network_of({9, 7}, {false, false}, 1, kDateline, kind)));
    EXPECT_FALSE(find_cycle(network_of({4, 5, 6}, {false, false, false}, 1, kDateline, kind)));
  }
}

TEST(DeadlockFreedom, ATorusIsAcyclicExactlyIfItsLongRingsHaveClasses) {
  for (const auto kind : {kAllPort, kOnePort}) {
    for (const auto classes : {kDateline, kPlh}) {
      const int enough = classes == kPlh ? 3 : 2;
      const auto cyclic = [&](const std::vector<int>& size, const std::vector<bool>& torus,
                              int vcs) {
        const NetworkConfig network = network_of(size, torus, vcs, classes, kind);
        const auto cycle = find_cycle(network);
        if (cycle) expect_real(network, cycle->channels);
        return cycle.has_value();
      };
      EXPECT_TRUE(cyclic({5, 4, 6}, {true, true, true}, enough - 1));
      EXPECT_FALSE(cyclic({5, 4, 6}, {true, true, true}, enough));
      EXPECT_TRUE(cyclic({5, 6}, {false, true}, enough - 1)) << "mesh in x, rings in y";
      EXPECT_FALSE(cyclic({5, 6}, {false, true}, enough));
      EXPECT_TRUE(cyclic({6, 3, 5}, {true, true, false}, enough - 1));
      EXPECT_FALSE(cyclic({3, 3, 5}, {true, true, false}, enough - 1)) << "only rings of three";
    }
  }
}

struct Hop {
  int right_class;
  bool up;
};

TEST(DeadlockFreedom, ABrokenClassRuleIsFoundOut) {
  const NetworkConfig dateline = network_of({4, 4}, {true, true}, 2);
  const NetworkConfig plh = network_of({5, 8}, {true, true}, 3, kPlh);
  const auto cycle_with = [](const NetworkConfig& network, int (*class_of)(Address, int, Hop)) {
    return find_cycle(network, [class_of](const RouterConfig& router, int d, bool up, Address here,
                                          Address source, Address to) {
      return class_of(here, d, {ring_class(router, d, up, here, source, to), up});
    });
  };
  const auto correct = [](Address, int, Hop hop) { return hop.right_class; };
  EXPECT_FALSE(cycle_with(dateline, correct));
  EXPECT_FALSE(cycle_with(plh, correct));
  EXPECT_FALSE(cycle_with(plh, [](Address, int, Hop hop) { return hop.right_class % 2; }))
      << "p and h may share VCs: that is the dateline";

  EXPECT_TRUE(cycle_with(dateline, [](Address, int, Hop) { return 0; }));
  EXPECT_TRUE(cycle_with(plh, [](Address, int, Hop) { return 2; }));
  EXPECT_TRUE(cycle_with(dateline, [](Address, int d, Hop hop) {
    return d == 0 ? hop.right_class : 0;
  })) << "no classes in y";
  const auto only_up = [](Address, int, Hop hop) { return hop.up ? hop.right_class : 1; };
  EXPECT_FALSE(cycle_with(dateline, only_up)) << "nobody makes two hops down in a ring of 4";
  EXPECT_TRUE(cycle_with(plh, only_up));
  const auto cycle = cycle_with(dateline, [](Address here, int d, Hop) { return here[d] % 2; });
  ASSERT_TRUE(cycle) << "classes by node";
  EXPECT_EQ(
      cycle->text,
      "0,0 +x class 0 -> 1,0 +x class 1 -> 2,0 +x class 0 -> 3,0 +x class 1 -> 0,0 +x class 0");
}

TEST(DeadlockFreedom, ACyclicNetworkIsRefusedWithItsCycleUnlessDeadlockIsAllowed) {
  NetworkConfig network = ring_of(5, 1);
  EXPECT_NO_THROW(check_deadlock_freedom(network)) << "allowed";
  network.router.allow_deadlock = false;
  try {
    check_deadlock_freedom(network);
    ADD_FAILURE() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.key(), "router.allow_deadlock");
    EXPECT_THAT(error.found(),
                HasSubstr("0,0 +x -> 1,0 +x -> 2,0 +x -> 3,0 +x -> 4,0 +x -> 0,0 +x"));
    EXPECT_THAT(error.expected(), HasSubstr("classes"));
  }
  network.router.vcs = 2;
  EXPECT_NO_THROW(check_deadlock_freedom(network));
}

TEST(DeadlockFreedom, ACycleNamesClassesAndOmitsItsMiddleIfItIsLong) {
  const auto always_1 = [](const RouterConfig&, int, bool, Address, Address, Address) { return 1; };
  EXPECT_EQ(
      find_cycle(ring_of(4, 2), always_1).value().text,
      "0,0 +x class 1 -> 1,0 +x class 1 -> 2,0 +x class 1 -> 3,0 +x class 1 -> 0,0 +x class 1");
  const auto long_cycle = find_cycle(ring_of(100, 1));
  EXPECT_THAT(long_cycle->channels, SizeIs(100));
  EXPECT_THAT(long_cycle->text, HasSubstr("14,0 +x -> (84 more) -> 99,0 +x -> 0,0 +x"));
}

TEST(DeadlockFreedom, CountsTheChannelsAndDependenciesOfALine) {
  // 0 - 1 - 2, one local port: 4 links, 3 injection, 3 ejection channels. Injection to links 4,
  // link to link 2, link to ejection 4.
  EXPECT_EQ(count_dependencies(network_of({3}, {false}, 1)),
            (DependencyCounts{.channels = 10, .dependencies = 10}));
}

TEST(DeadlockFreedom, TheGreatestNetworksTakeWellUnderASecond) {
  for (const NetworkConfig& network :
       {network_of({256, 256}, {true, true}, 2, kDateline, kAllPort, 4),
        network_of({256, 256}, {true, true}, 3, kPlh, kOnePort),
        network_of({40, 40, 40}, {true, true, true}, 3, kPlh, kAllPort, 6)}) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(find_cycle(network));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    RecordProperty("seconds", std::to_string(seconds.count()));
    EXPECT_LT(seconds.count(), 20.0) << "even on a busy machine, instrumented";
  }
}

}  // namespace
}  // namespace annelid::systemc
