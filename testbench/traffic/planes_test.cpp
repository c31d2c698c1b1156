// Routers in planes do what routers by themselves do, flit by flit and register by register.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>

#include "systemc/modules/elaboration.hpp"
#include "systemc/planes/plane_network.hpp"
#include "testbench/traffic/one_network.hpp"

namespace annelid::traffic {
namespace {

using systemc::KernelKind;
using systemc::NetworkConfig;
using systemc::PlaneBackend;

constexpr std::array kBackends = {PlaneBackend::kBaseline, PlaneBackend::kAvx2,
                                  PlaneBackend::kAvx512};

/// What an observer is told, a line for each event, sorted within each cycle.
class Events final : public systemc::FabricObserver {
 public:
  void cycle(Cycle now) override {
    std::sort(lines_.begin() + static_cast<std::ptrdiff_t>(first_), lines_.end());
    first_ = lines_.size();
    now_ = now;
  }
  void packet(Cycle c, NodeId node, Port local, const systemc::PacketInfo& info) override {
    add(c, "packet", node, local, pack(info.head), info.bytes, info.step);
  }
  void injected(Cycle c, NodeId node, Port local, const systemc::Flit& f) override {
    add(c, "injected", node, local, f.data, f.vc, f.head, f.tail);
  }
  void granted(Cycle c, NodeId node, Port in, Vc vc, Port out, const systemc::Flit&) override {
    add(c, "granted", node, in, vc, out);
  }
  void moved(Cycle c, NodeId node, Port in, Vc vc, Port out, const systemc::Flit& f) override {
    add(c, "moved", node, in, vc, out, f.data, f.vc, f.head, f.tail);
    ++moved_;
  }
  void blocked(Cycle c, NodeId node, Port in, Vc vc, Port out, systemc::BlockCause cause) override {
    add(c, "blocked", node, in, vc, out, static_cast<int>(cause));
  }
  /// Sorted to the end.
  [[nodiscard]] const std::vector<std::string>& lines() {
    cycle(now_);
    return lines_;
  }
  [[nodiscard]] std::uint64_t moves() const { return moved_; }

 private:
  template <typename... Numbers>
  void add(Cycle c, const char* what, Numbers... numbers) {
    std::string line = std::to_string(c) + " " + what;
    ((line += " " + std::to_string(numbers)), ...);
    lines_.push_back(std::move(line));
  }
  std::vector<std::string> lines_;
  std::size_t first_ = 0;
  Cycle now_ = 0;
  std::uint64_t moved_ = 0;
};

struct Traffic {
  double load = 0.1;
  std::string flits = "5";
  std::uint64_t seed = 1;
  Cycle cycles = 600;
};

/// A network of a kernel, and its own traffic: the same for equal parameters.
class Simulated {
 public:
  Simulated(const NetworkConfig& config, const Traffic& traffic, KernelKind kind,
            PlaneBackend backend)
      : workload_({.injection = {.load = traffic.load},
                   .length = PacketLength(traffic.flits),
                   .seed = traffic.seed},
                  config),
        fabric_("fabric"),
        network_("network", with(kind, backend), config),
        endpoints_("traffic", network_, workload_) {
    endpoints_.add_observer(arrivals_);
  }
  systemc::Fabric& fabric() { return fabric_; }
  systemc::Network& network() { return network_; }
  Endpoints& endpoints() { return endpoints_; }
  [[nodiscard]] std::string packets() const {
    std::vector<std::string> lines;
    for (const Packet& p : arrivals_.packets) {
      std::ostringstream line;
      line << p.id << ' ' << p.source << ' ' << p.destination << ' ' << p.flits << ' ' << p.tag
           << ' ' << p.created << ' ' << p.injected << ' ' << p.head_ejected << ' '
           << p.tail_ejected << '\n';
      lines.push_back(line.str());
    }
    std::ranges::sort(lines);
    std::string all;
    for (const std::string& line : lines) all += line;
    return all;
  }

 private:
  systemc::Fabric& with(KernelKind kind, PlaneBackend backend) {
    fabric_.set_kernel(kind, backend);
    return fabric_;
  }
  systemc::Elaboration elaboration_;
  SyntheticWorkload workload_;
  systemc::Fabric fabric_;
  systemc::Network network_;
  Endpoints endpoints_;
  Arrivals arrivals_;
};

std::string describe(const NetworkConfig& c, const Traffic& t) {
  std::ostringstream text;
  text << c.size[0] << "x" << c.size[1] << "x" << c.size[2] << ", L " << c.router.local_ports
       << ", V " << c.router.vcs << ", VL " << c.router.local_vcs << ", D " << c.router.depth
       << (c.router.has_rings() ? ", rings" : "") << (c.router.one_port() ? ", one-port" : "")
       << (c.router.control_vc ? ", control VCs" : "") << ", " << name_of(c.router.routing) << ", "
       << name_of(c.router.vc_selection) << ", P " << c.router.stages << ", R "
       << c.router.link_registers << ", load " << t.load << ", flits " << t.flits << ", seed "
       << t.seed;
  return text.str();
}

bool runs_here(PlaneBackend backend) { return !name_of(backend).empty(); }

/// Every event, and every register once in a while.
void expect_same_events(const NetworkConfig& config, const Traffic& traffic,
                        PlaneBackend backend = PlaneBackend::kBest) {
  SCOPED_TRACE(describe(config, traffic));
  std::vector<std::string> lines;
  std::vector<std::vector<systemc::RouterState>> states;
  std::string packets;
  const auto run = [&](KernelKind kind, auto compare) {
    Simulated one(config, traffic, kind, backend);
    Events events;
    one.fabric().set_observer(&events);
    for (Cycle until = 1; until < traffic.cycles; until += 37) {
      one.fabric().run_until(until);
      compare(one, until);
    }
    EXPECT_EQ(one.network().planes().empty(), kind == KernelKind::kRouters);
    EXPECT_GT(events.moves(), 0u);
    one.fabric().set_observer(nullptr);
    return std::pair(events.lines(), one.packets());
  };
  std::tie(lines, packets) = run(KernelKind::kRouters, [&](Simulated& one, Cycle) {
    states.push_back(one.network().states());
  });
  std::size_t at = 0;
  const auto planes = run(KernelKind::kAutomatic, [&](Simulated& one, Cycle until) {
    const auto now = one.network().states();
    for (NodeId n = 0; n < now.size(); ++n) {
      if (now[n] != states[at][n] && !::testing::Test::HasFailure()) {
        ADD_FAILURE() << "the registers of node " << n << " differ before cycle " << until;
      }
    }
    ++at;
  });
  const auto [plain, other] = std::ranges::mismatch(lines, planes.first);
  if (plain != lines.end() || other != planes.first.end()) {
    FAIL() << "first difference: routers: " << (plain == lines.end() ? "nothing" : *plain)
           << "; planes: " << (other == planes.first.end() ? "nothing" : *other);
  }
  EXPECT_EQ(packets, planes.second);
}

/// Without an observer: the packets, the registers in the end, and the counts on the way.
void expect_same_packets(const NetworkConfig& config, const Traffic& traffic,
                         PlaneBackend backend = PlaneBackend::kBest, bool reversed = false) {
  SCOPED_TRACE(describe(config, traffic));
  struct Result {
    std::string packets;
    std::vector<systemc::RouterState> states;
    std::uint64_t moved, in_flight;
    Cycle last_move;
  };
  const auto run = [&](KernelKind kind) {
    Simulated one(config, traffic, kind, backend);
    one.fabric().set_reversed(reversed && kind != KernelKind::kRouters);
    one.fabric().run_until(traffic.cycles);
    return Result{one.packets(), one.network().states(), one.fabric().flits_moved(),
                  one.fabric().flits_in_flight(), one.fabric().last_move()};
  };
  const Result routers = run(KernelKind::kRouters), planes = run(KernelKind::kAutomatic);
  EXPECT_FALSE(routers.packets.empty());
  EXPECT_EQ(routers.packets, planes.packets);
  EXPECT_EQ(routers.moved, planes.moved);
  EXPECT_EQ(routers.in_flight, planes.in_flight);
  EXPECT_EQ(routers.last_move, planes.last_move);
  for (NodeId n = 0; n < config.nodes(); ++n) {
    ASSERT_EQ(routers.states[n], planes.states[n]) << "node " << n;
  }
}

NetworkConfig mesh_of(int x, int y, int local_ports, int vcs, int local_vcs, int depth) {
  NetworkConfig config{.size = {x, y, 1}};
  config.router.local_ports = local_ports;
  config.router.vcs = vcs;
  config.router.local_vcs = local_vcs;
  config.router.depth = depth;
  return config;
}

NetworkConfig torus_of(int x, int y, int local_ports, int vcs, int depth = 4) {
  NetworkConfig config = mesh_of(x, y, local_ports, vcs, vcs, depth);
  config.router.torus = {true, true, false};
  return config;
}

NetworkConfig one_port(NetworkConfig config) {
  config.router.kind = systemc::RouterKind::kOnePort;
  config.router.local_ports = 1;
  return config;
}

NetworkConfig plh(NetworkConfig config) {
  config.router.classes = systemc::TorusClasses::kPlh;
  return config;
}

NetworkConfig pipelined(NetworkConfig config, int stages, int link_registers) {
  config.router.stages = stages;
  config.router.link_registers = link_registers;
  return config;
}

NetworkConfig in_order_yx(NetworkConfig config) {
  config.router.routing = systemc::RoutingKind::kYx;
  return config;
}

NetworkConfig rotating(NetworkConfig config) {
  config.router.vc_selection = systemc::VcSelectionKind::kRotating;
  return config;
}

TEST(Planes, EveryEventAndRegisterIsThatOfRoutersByThemselves) {
  for (const int vcs : {1, 2, 3, 4, 8}) {
    for (const double load : {0.02, 0.2, 0.6}) {
      expect_same_events(mesh_of(8, 8, 1, vcs, vcs, 4), {.load = load});
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Planes, TheSameWithSeveralLocalPortsAndOtherSizes) {
  expect_same_events(mesh_of(4, 3, 4, 1, 1, 4), {.load = 0.5});
  expect_same_events(mesh_of(5, 7, 2, 2, 1, 4), {.load = 0.4});
  expect_same_events(mesh_of(10, 10, 3, 1, 2, 4), {.load = 0.3, .cycles = 300});
  expect_same_events(mesh_of(16, 16, 1, 2, 2, 4), {.load = 0.2, .cycles = 200});
  expect_same_events(mesh_of(33, 5, 1, 1, 1, 4), {.load = 0.2, .cycles = 300});
  expect_same_events(mesh_of(1, 9, 1, 1, 1, 4), {.load = 0.2});
  expect_same_events(mesh_of(100, 1, 1, 2, 2, 4), {.load = 0.05});
}

TEST(Planes, TheSameForEveryDepthAndPacketLength) {
  for (const int depth : {1, 2, 3, 5, 7, 8}) {
    for (const char* flits : {"1", "1,2,9", "5"}) {
      expect_same_events(mesh_of(6, 6, 1, 1, 1, depth), {.load = 0.3, .flits = flits});
      expect_same_events(mesh_of(6, 6, 2, 2, 3, depth), {.load = 0.5, .flits = flits});
    }
  }
}

TEST(Planes, TheSameInOneAndThreeDimensions) {
  NetworkConfig line{.size = {70, 1, 1}, .router = {.local_ports = 1, .vcs = 2, .dims = 1}};
  expect_same_events(line, {.load = 0.05});
  NetworkConfig cube{.size = {5, 4, 6}, .router = {.local_ports = 2, .vcs = 2, .dims = 3}};
  expect_same_events(cube, {.load = 0.3, .cycles = 300});
}

/// Routers of three dimensions with a local port for each external one: rows of 16 words.
NetworkConfig cube_of(int x, int y, int z, int vcs, int local_vcs, int depth,
                      std::array<bool, 3> rings = {}) {
  NetworkConfig config{.size = {x, y, z}};
  config.router.dims = 3;
  config.router.local_ports = 6;
  config.router.vcs = vcs;
  config.router.local_vcs = local_vcs;
  config.router.depth = depth;
  config.router.torus = rings;
  return config;
}

TEST(Planes, TheSameWithUpToTwelvePorts) {
  for (const int vcs : {1, 2, 3, 4}) {
    for (const double load : {0.1, 0.9}) {
      expect_same_events(cube_of(4, 4, 4, vcs, vcs, 4), {.load = load, .cycles = 300});
      if (HasFatalFailure()) return;
    }
  }
  for (const int depth : {1, 2, 7, 8}) {
    expect_same_events(cube_of(3, 5, 3, 1, 2, depth),
                       {.load = 0.9, .flits = "1,2,9", .cycles = 300});
  }
  expect_same_events(cube_of(7, 5, 6, 1, 1, 4), {.load = 0.5, .cycles = 200});
  expect_same_events(cube_of(5, 4, 6, 2, 2, 4, {true, true, true}), {.load = 0.9, .cycles = 300});
  expect_same_events(plh(cube_of(3, 9, 5, 4, 1, 3, {true, true, true})),
                     {.load = 0.9, .cycles = 200});
  expect_same_events(cube_of(5, 3, 6, 3, 1, 4, {false, true, true}), {.load = 0.9, .cycles = 300});
  NetworkConfig control = cube_of(4, 3, 3, 1, 1, 4);
  control.router.control_vc = true;
  control.router.local_ports = 5;
  expect_same_events(control, {.load = 0.7, .cycles = 300});
  NetworkConfig three = cube_of(4, 4, 5, 2, 1, 4);
  three.router.local_ports = 3;
  expect_same_events(three, {.load = 0.7, .cycles = 300});
}

TEST(Planes, ServeMoreThanEightPortsWithOneStageAndUpToFourVcs) {
  const NetworkConfig cube = cube_of(4, 4, 4, 4, 4, 8);
  EXPECT_TRUE(systemc::PlaneNetwork::covers(cube));
  EXPECT_FALSE(systemc::PlaneNetwork::covers(cube_of(4, 4, 4, 5, 1, 4)));
  EXPECT_FALSE(systemc::PlaneNetwork::covers(cube_of(4, 4, 4, 1, 5, 4)));
  EXPECT_FALSE(systemc::PlaneNetwork::covers(cube_of(4, 4, 4, 1, 1, 9)));
  EXPECT_FALSE(systemc::PlaneNetwork::covers(pipelined(cube, 2, 0)));
  EXPECT_FALSE(systemc::PlaneNetwork::covers(pipelined(cube, 1, 1)));
  NetworkConfig eight = cube;
  eight.router.local_ports = 2;
  EXPECT_TRUE(systemc::PlaneNetwork::covers(pipelined(eight, 4, 1)));
}

TEST(Planes, TheSameInRings) {
  for (const int vcs : {2, 3, 4, 8}) {
    for (const double load : {0.05, 0.6}) {
      expect_same_events(torus_of(8, 8, 1, vcs), {.load = load});
      if (vcs >= 3) expect_same_events(plh(torus_of(8, 8, 1, vcs)), {.load = load});
      if (HasFatalFailure()) return;
    }
  }
  for (const int depth : {1, 2, 7}) {
    expect_same_events(torus_of(6, 5, 1, 2, depth), {.load = 0.5, .flits = "1,2,9"});
  }
}

// Words of routers end within rings, between them, and within a ring of the other dimension.
TEST(Planes, TheSameInRingsOfEverySize) {
  expect_same_events(torus_of(2, 2, 1, 2), {.load = 0.5});
  expect_same_events(torus_of(3, 4, 4, 2), {.load = 0.5});
  expect_same_events(torus_of(1, 9, 1, 2), {.load = 0.4});
  expect_same_events(torus_of(5, 14, 2, 2), {.load = 0.4, .cycles = 300});
  expect_same_events(plh(torus_of(10, 10, 3, 4)), {.load = 0.4, .cycles = 300});
  expect_same_events(torus_of(16, 16, 1, 2), {.load = 0.3, .cycles = 200});
  expect_same_events(torus_of(33, 5, 1, 2), {.load = 0.3, .cycles = 300});
  expect_same_events(torus_of(65, 3, 1, 2), {.load = 0.15, .cycles = 300});
  expect_same_events(torus_of(130, 1, 1, 2), {.load = 0.05});
}

TEST(Planes, TheSameWithRingsInSomeDimensions) {
  NetworkConfig config = torus_of(7, 6, 1, 2);
  config.router.torus = {false, true, false};
  expect_same_events(config, {.load = 0.4});
  config.router.torus = {true, false, false};
  config.router.local_vcs = 3;
  expect_same_events(config, {.load = 0.4});
  NetworkConfig cube{.size = {5, 3, 6}, .router = {.local_ports = 2, .vcs = 2, .dims = 3}};
  cube.router.torus = {true, true, true};
  expect_same_events(cube, {.load = 0.4, .cycles = 300});
  cube.router.torus = {false, true, true};
  expect_same_events(cube, {.load = 0.4, .cycles = 300});
  const NetworkConfig ring{
      .size = {70, 1, 1},
      .router = {.local_ports = 2, .vcs = 2, .dims = 1, .torus = {true, false, false}}};
  expect_same_events(ring, {.load = 0.1});
}

TEST(Planes, TheSameInOnePortRouters) {
  for (const int vcs : {1, 2, 3}) {
    for (const double load : {0.05, 0.5}) {
      expect_same_events(one_port(mesh_of(8, 8, 1, vcs, 2, 4)), {.load = load});
      if (HasFatalFailure()) return;
    }
  }
  for (const int depth : {1, 3, 8}) {
    expect_same_events(one_port(mesh_of(5, 7, 1, 1, 1, depth)), {.load = 0.4, .flits = "1,2,9"});
  }
  expect_same_events(one_port(mesh_of(12, 12, 1, 2, 1, 4)), {.load = 0.3, .cycles = 300});
  expect_same_events(one_port(torus_of(6, 6, 1, 2)), {.load = 0.4});
  expect_same_events(one_port(plh(torus_of(9, 9, 1, 4))), {.load = 0.4, .cycles = 300});
  NetworkConfig line{.size = {20, 1, 1}, .router = {.local_ports = 1, .dims = 1}};
  expect_same_events(one_port(line), {.load = 0.1});
}

TEST(Planes, TheSameWithStagesAndLinkRegisters) {
  for (const int stages : {1, 2, 3, 4}) {
    for (const int registers : {0, 1, 4}) {
      if (stages + registers == 1) continue;
      for (const double load : {0.05, 0.5}) {
        for (const int vcs : {1, 2}) {
          expect_same_events(pipelined(mesh_of(8, 8, 1, vcs, vcs, 6), stages, registers),
                             {.load = load, .cycles = 400});
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(Planes, TheSameInPipelinesOfEveryDepthAndPacketLength) {
  for (const int stages : {1, 2, 3, 4}) {
    for (const int depth : {1, 2, 3, 4, 8, 13}) {
      for (const char* flits : {"1", "1,2,9"}) {
        expect_same_events(pipelined(mesh_of(5, 5, 1, 1, 2, depth), stages, stages == 1 ? 2 : 0),
                           {.load = 0.5, .flits = flits, .cycles = 300});
        expect_same_events(pipelined(mesh_of(5, 5, 3, 3, 1, depth), stages, 1),
                           {.load = 0.7, .flits = flits, .cycles = 300});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Planes, TheSameInPipelinesOfOtherNetworks) {
  for (const int stages : {1, 2, 3, 4}) {
    const int registers = stages % 2 == 1 ? 2 : 1;
    const auto compare = [&](NetworkConfig config, double load) {
      expect_same_events(pipelined(config, stages, registers), {.load = load, .cycles = 300});
    };
    compare(mesh_of(12, 12, 1, 2, 2, 4), 0.3);
    compare(mesh_of(65, 2, 2, 5, 1, 4), 0.1);
    compare(torus_of(6, 5, 1, 2, 5), 0.6);
    compare(plh(torus_of(9, 9, 4, 3, 8)), 0.6);
    compare(one_port(mesh_of(7, 7, 1, 1, 1, 4)), 0.4);
    compare(one_port(torus_of(9, 9, 1, 2, 6)), 0.4);
    compare(one_port(mesh_of(6, 6, 1, 2, 1, 16)), 0.4);
    compare(torus_of(6, 6, 2, 4, 10), 0.6);
    NetworkConfig control = mesh_of(5, 5, 1, 1, 1, 4);
    control.router.control_vc = true;
    compare(control, 0.5);
    NetworkConfig cube{.size = {5, 4, 6}, .router = {.local_ports = 2, .vcs = 2, .dims = 3}};
    compare(cube, 0.3);
    if (HasFatalFailure()) return;
  }
}

TEST(Planes, TheSameWithControlVcs) {
  for (NetworkConfig config : {mesh_of(8, 8, 1, 1, 1, 4), mesh_of(6, 6, 4, 2, 1, 4),
                               torus_of(6, 6, 1, 2), one_port(mesh_of(5, 5, 1, 1, 2, 4))}) {
    config.router.control_vc = true;
    expect_same_events(config, {.load = 0.4, .cycles = 300});
  }
}

TEST(Planes, TheSameInTheOrderYx) {
  for (const NetworkConfig& config :
       {mesh_of(8, 8, 1, 1, 1, 4), mesh_of(7, 5, 4, 2, 1, 3), torus_of(6, 5, 3, 2),
        plh(torus_of(5, 8, 2, 4)), cube_of(4, 3, 5, 2, 1, 4),
        pipelined(torus_of(6, 6, 4, 3, 5), 4, 2)}) {
    expect_same_events(in_order_yx(config), {.load = 0.5, .cycles = 300});
    if (HasFatalFailure()) return;
  }
}

TEST(Planes, TheSameWithRotatingVcs) {
  for (const NetworkConfig& config :
       {mesh_of(8, 8, 1, 1, 1, 4), mesh_of(8, 8, 1, 2, 1, 4), mesh_of(7, 5, 4, 3, 2, 3),
        mesh_of(9, 9, 1, 8, 3, 2), torus_of(6, 5, 3, 5), plh(torus_of(5, 8, 2, 7)),
        cube_of(4, 3, 5, 4, 1, 4), one_port(mesh_of(6, 6, 1, 4, 2, 4)),
        one_port(torus_of(5, 6, 1, 4)), in_order_yx(mesh_of(6, 6, 2, 4, 1, 4)),
        pipelined(mesh_of(8, 8, 1, 4, 2, 6), 2, 1), pipelined(mesh_of(6, 7, 2, 3, 1, 5), 3, 0),
        pipelined(torus_of(6, 6, 4, 5, 5), 4, 2)}) {
    for (const char* const flits : {"1", "5"}) {
      for (const PlaneBackend backend : kBackends) {
        if (!runs_here(backend)) continue;
        expect_same_events(rotating(config), {.load = 0.5, .flits = flits, .cycles = 300}, backend);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Planes, DoNotServeTheVcWithMostCredits) {
  NetworkConfig config = mesh_of(4, 4, 1, 2, 1, 4);
  EXPECT_TRUE(systemc::PlaneNetwork::covers(rotating(config)));
  config.router.vc_selection = systemc::VcSelectionKind::kMostCredits;
  EXPECT_FALSE(systemc::PlaneNetwork::covers(config));
}

TEST(Planes, DoNotServeArbitersOtherThanRoundRobin) {
  NetworkConfig config = mesh_of(4, 4, 1, 1, 1, 4);
  EXPECT_TRUE(systemc::PlaneNetwork::covers(config));
  for (const auto arbiters :
       {systemc::ArbiterKind::kMatrix, systemc::ArbiterKind::kFixedPriority}) {
    config.router.arbiters = arbiters;
    EXPECT_FALSE(systemc::PlaneNetwork::covers(config));
  }
}

TEST(Planes, EveryProcessorSKernelDoesTheSame) {
  for (const PlaneBackend backend : kBackends) {
    if (!runs_here(backend)) continue;
    for (const int depth : {1, 3}) {
      expect_same_packets(mesh_of(6, 6, 1, 1, 1, depth),
                          {.load = 0.4, .flits = "1,2,9", .cycles = 1000}, backend);
      expect_same_packets(pipelined(mesh_of(6, 6, 1, 1, 1, depth), 2, 1),
                          {.load = 0.4, .flits = "1,2,9", .cycles = 1000}, backend);
    }
    for (const int vcs : {1, 2, 4, 8}) {
      expect_same_packets(mesh_of(8, 8, 1, vcs, vcs, 4), {.load = 0.3, .cycles = 2000}, backend);
      expect_same_packets(mesh_of(9, 9, 4, vcs, 1, 8), {.load = 0.5, .cycles = 1000}, backend);
      expect_same_packets(one_port(mesh_of(9, 9, 1, vcs, 1, 8)), {.load = 0.3, .cycles = 1000},
                          backend);
      expect_same_packets(pipelined(mesh_of(9, 9, 4, vcs, 1, 8), 4, 1),
                          {.load = 0.5, .cycles = 1000}, backend);
      if (vcs <= 4) {
        expect_same_packets(cube_of(5, 4, 6, vcs, 1, 4), {.load = 0.7, .cycles = 500}, backend);
      }
      if (vcs == 1) continue;
      expect_same_packets(pipelined(torus_of(8, 8, 1, vcs, 6), 3, 1), {.load = 0.6, .cycles = 1000},
                          backend);
      expect_same_packets(torus_of(8, 8, 1, vcs), {.load = 0.6, .cycles = 1000}, backend);
      expect_same_packets(torus_of(9, 9, 4, vcs), {.load = 0.6, .cycles = 1000}, backend);
      if (vcs <= 4) {
        expect_same_packets(cube_of(5, 4, 6, vcs, 1, 4, {true, true, true}),
                            {.load = 0.7, .cycles = 500}, backend);
      }
      expect_same_packets(one_port(torus_of(9, 9, 1, vcs)), {.load = 0.4, .cycles = 1000}, backend);
    }
  }
}

TEST(Planes, WithoutAnObserverToo) {
  for (const double load : {0.001, 0.02, 0.3, 0.9}) {
    for (const int vcs : {1, 2}) {
      expect_same_packets(mesh_of(8, 8, 1, vcs, vcs, 4), {.load = load, .cycles = 5000});
      expect_same_packets(mesh_of(20, 20, 1, vcs, 1, 4), {.load = load / 2, .cycles = 2000});
      expect_same_packets(pipelined(mesh_of(12, 12, 1, vcs, 1, 6), 2, 1),
                          {.load = load / 2, .cycles = 2000});
    }
  }
}

// What the longer tests have, in as few cycles as fill the buffers: for the sanitizers.
TEST(PlanesForAShortTime, OfEveryKindAndProcessorDoWhatRoutersByThemselvesDo) {
  NetworkConfig control = mesh_of(5, 5, 2, 2, 1, 4);
  control.router.control_vc = true;
  const NetworkConfig line{.size = {70, 1, 1}, .router = {.local_ports = 1, .vcs = 2, .dims = 1}};
  const NetworkConfig networks[] = {
      mesh_of(8, 8, 1, 1, 1, 4),
      mesh_of(5, 7, 4, 8, 1, 8),
      mesh_of(1, 9, 1, 1, 1, 1),
      in_order_yx(mesh_of(7, 6, 4, 1, 1, 4)),
      torus_of(9, 8, 1, 2),
      in_order_yx(torus_of(6, 5, 3, 2)),
      plh(torus_of(5, 14, 2, 4)),
      cube_of(3, 5, 5, 4, 2, 3),
      cube_of(5, 3, 5, 3, 1, 4, {false, true, true}),
      one_port(mesh_of(5, 7, 1, 3, 2, 3)),
      one_port(torus_of(6, 6, 1, 2)),
      pipelined(mesh_of(9, 9, 1, 2, 2, 13), 2, 0),
      pipelined(torus_of(6, 6, 4, 3, 5), 4, 2),
      pipelined(one_port(mesh_of(7, 7, 1, 2, 1, 4)), 3, 1),
      control,
      line,
  };
  for (const NetworkConfig& network : networks) {
    const Traffic traffic{.load = 0.6, .flits = "1,2,9", .cycles = 80};
    expect_same_events(network, traffic);
    for (const PlaneBackend backend : kBackends) {
      if (runs_here(backend)) expect_same_packets(network, traffic, backend);
    }
    if (HasFatalFailure()) return;
  }
}

void expect_same_counts(const OpenLoopResult& routers, const OpenLoopResult& planes) {
  EXPECT_EQ(routers.channels.outputs(), planes.channels.outputs());
  EXPECT_EQ(routers.channels.injections(), planes.channels.injections());
  EXPECT_EQ(routers.flit_hops, planes.flit_hops);
  EXPECT_EQ(routers.cycles, planes.cycles);
  EXPECT_EQ(routers.packets_of_window.delivered_flits(),
            planes.packets_of_window.delivered_flits());
  for (int b = 0; b < kBufferClasses; ++b) {
    for (Vc v = 0; v < 2; ++v) {
      const auto& fill = routers.occupancy.fill(static_cast<BufferClass>(b), v);
      const auto& other = planes.occupancy.fill(static_cast<BufferClass>(b), v);
      EXPECT_EQ(fill.samples, other.samples);
      EXPECT_EQ(fill.flits, other.flits);
      EXPECT_EQ(fill.most, other.most);
    }
  }
}

TEST(Planes, CountWhatAnObserverCounts) {
  for (const NetworkConfig& config :
       {mesh_of(8, 8, 1, 2, 2, 4), mesh_of(9, 9, 2, 1, 1, 3), torus_of(9, 9, 1, 2),
        cube_of(3, 4, 6, 1, 1, 4), one_port(mesh_of(8, 8, 1, 1, 1, 4)),
        pipelined(mesh_of(8, 8, 1, 2, 2, 8), 2, 2), pipelined(mesh_of(8, 8, 1, 1, 1, 4), 1, 1)}) {
    const auto measure = [&](KernelKind kind, PlaneBackend backend) {
      Simulated one(config, {.load = 0.25}, kind, backend);
      return run_open_loop(one.network(), one.endpoints(), std::vector<bool>(config.nodes(), true),
                           {.warm_up = 300, .measure = 1500, .drain_limit = 1000}, {});
    };
    const OpenLoopResult routers = measure(KernelKind::kRouters, PlaneBackend::kBest);
    for (const PlaneBackend backend : kBackends) {
      if (!runs_here(backend)) continue;
      expect_same_counts(routers, measure(KernelKind::kAutomatic, backend));
    }
  }
}

/// The flits on each channel, from `begin` on and before `end`.
class Channels final : public systemc::FabricObserver {
 public:
  Channels(const NetworkConfig& config, Cycle begin, Cycle end)
      : ports_(static_cast<std::size_t>(config.router.ports())),
        locals_(static_cast<std::size_t>(config.router.local_ports)),
        begin_(begin),
        end_(end),
        outputs(config.nodes() * ports_),
        injections(config.nodes() * locals_) {}
  void moved(Cycle now, NodeId node, Port, Vc, Port out, const systemc::Flit&) override {
    outputs[node * ports_ + out] += now >= begin_ && now < end_;
  }
  void injected(Cycle now, NodeId node, Port local, const systemc::Flit&) override {
    injections[node * locals_ + local] += now >= begin_ && now < end_;
  }

 private:
  std::size_t ports_, locals_;
  Cycle begin_, end_;

 public:
  std::vector<std::uint64_t> outputs, injections;
};

// With two stages and more, a flit is on its channel in the cycle after its grant. So the first
// flits of the measurement are granted before it.
TEST(Planes, CountTheFlitsOfTheMeasurementWhoeverWatches) {
  for (const int stages : {1, 2, 3, 4}) {
    const NetworkConfig config = pipelined(mesh_of(6, 6, 1, 1, 1, 8), stages, 0);
    for (const Cycle warm_up : {0u, 1u, 200u}) {
      const auto measure = [&](KernelKind kind, PlaneBackend backend, bool watched) {
        SCOPED_TRACE(describe(config, {}));
        Simulated one(config, {.load = 0.4}, kind, backend);
        Channels channels(config, warm_up, warm_up + 150);
        const OpenLoopResult r =
            run_open_loop(one.network(), one.endpoints(), std::vector<bool>(config.nodes(), true),
                          {.warm_up = warm_up, .measure = 150, .drain_limit = 300},
                          watched ? std::vector<systemc::FabricObserver*>{&channels}
                                  : std::vector<systemc::FabricObserver*>{});
        if (watched) {
          EXPECT_EQ(r.channels.outputs(), channels.outputs);
          EXPECT_EQ(r.channels.injections(), channels.injections);
        }
        return r;
      };
      const OpenLoopResult routers = measure(KernelKind::kRouters, PlaneBackend::kBest, true);
      expect_same_counts(routers, measure(KernelKind::kRouters, PlaneBackend::kBest, false));
      for (const PlaneBackend backend : kBackends) {
        if (!runs_here(backend)) continue;
        for (const bool watched : {false, true}) {
          expect_same_counts(routers, measure(KernelKind::kAutomatic, backend, watched));
        }
      }
    }
  }
}

/// When somebody asks for a router: never, before sources and sinks are there, or after that.
enum class Asked : std::uint8_t { kNever, kBefore, kAfter };

/// `cycles` are enough for 100 packets.
void expect_routers_if_asked_for(double load, Cycle cycles) {
  std::vector<std::string> packets;
  std::vector<systemc::RouterState> states;
  for (const Asked asked : {Asked::kNever, Asked::kBefore, Asked::kAfter}) {
    const systemc::Elaboration elaboration;
    const NetworkConfig config = mesh_of(5, 4, 2, 2, 1, 4);
    SyntheticWorkload workload({.injection = {.load = load}, .length = PacketLength("5")}, config);
    systemc::Fabric fabric("fabric");
    systemc::Network network("network", fabric, config);
    if (asked == Asked::kBefore) (void)network.router(7);
    Endpoints endpoints("traffic", network, workload);
    Arrivals arrivals;
    endpoints.add_observer(arrivals);
    if (asked == Asked::kAfter) (void)network.router(7);
    EXPECT_EQ(endpoints.to_router.size(), asked == Asked::kNever ? 0u : 40u);
    fabric.run_until(cycles);
    EXPECT_FALSE(network.planes().empty());
    EXPECT_TRUE(network.count_flits());
    fabric.run_until(cycles + cycles / 5);
    EXPECT_GT(network.flits_by(7, 0), 0u);
    if (asked == Asked::kNever) {
      EXPECT_THROW((void)network.router(7), std::logic_error);
    } else {
      EXPECT_STREQ(network.router(7).name(), "network.router_2_1");
      EXPECT_STREQ(endpoints.to_router[0].name(), "traffic.to_router_0");
      systemc::RouterState state;
      network.router(7).state(state);
      EXPECT_EQ(state, states.front());
    }
    std::string order;
    for (const Packet& p : arrivals.packets) {
      order += std::to_string(p.id) + " " + std::to_string(p.tail_ejected) + "\n";
    }
    packets.push_back(order);
    states.push_back(network.states()[7]);
    EXPECT_GT(arrivals.packets.size(), 100u);
    EXPECT_EQ(packets.back(), packets.front());
    EXPECT_EQ(states.back(), states.front());
  }
}

TEST(Planes, HaveRoutersOnlyIfSomebodyAsksForOneInTime) {
  expect_routers_if_asked_for(0.3, 500);
  expect_routers_if_asked_for(0.02, 5000);  // the network is often empty
}

TEST(Planes, OfTwoNetworksAlikeDoNotMeet) {
  const systemc::Elaboration elaboration;
  const NetworkConfig config = mesh_of(3, 3, 1, 1, 1, 4);
  Script one_script({{3, 0, 5, 4}}), other_script({{3, 0, 5, 4}, {9, 8, 1, 4}});
  systemc::Fabric fabric("fabric");
  systemc::Network one("one", fabric, config), other("other", fabric, config);
  Endpoints one_traffic("one_traffic", one, one_script);
  Endpoints other_traffic("other_traffic", other, other_script);
  EXPECT_EQ(fabric.run_until(kNever), systemc::RunStatus::kQuiet);
  EXPECT_EQ(one_traffic.packets_ejected(), 1u);
  EXPECT_EQ(other_traffic.packets_ejected(), 2u);
  EXPECT_FALSE(one.planes().empty());
  EXPECT_FALSE(other.planes().empty());
}

TEST(Planes, ATraceEndsInTheSameCycle) {
  const auto end_of = [](KernelKind kind, std::uint32_t flits, int stages, int registers) {
    const systemc::Elaboration elaboration;
    Script script({{3, 0, 5, flits}, {40, 5, 0, flits}});
    systemc::Fabric fabric("fabric");
    fabric.set_kernel(kind);
    systemc::Network network("network", fabric,
                             pipelined(mesh_of(4, 4, 1, 1, 1, 2), stages, registers));
    Endpoints endpoints("traffic", network, script);
    EXPECT_EQ(fabric.run_until(kNever), systemc::RunStatus::kQuiet);
    EXPECT_EQ(endpoints.packets_ejected(), 2u);
    return fabric.now();
  };
  for (const std::uint32_t flits : {1u, 7u}) {
    for (const int stages : {1, 2, 3, 4}) {
      for (const int registers : {0, 3}) {
        EXPECT_EQ(end_of(KernelKind::kRouters, flits, stages, registers),
                  end_of(KernelKind::kAutomatic, flits, stages, registers));
      }
    }
  }
}

// Packets get their numbers when they are created, and their paths when they start. So the packet
// that starts first may have a greater number than any that has a place.
TEST(Planes, GiveAPathToPacketsThatWaitedLong) {
  std::vector<Script::Message> messages(256, {0, 0, 15, 4});
  for (NodeId source = 1; source < 9; ++source) messages.push_back({0, source, 15 - source, 30});
  const auto packets = [&](KernelKind kind) {
    const systemc::Elaboration elaboration;
    Script script(messages);
    systemc::Fabric fabric("fabric");
    fabric.set_kernel(kind);
    systemc::Network network("network", fabric, mesh_of(4, 4, 1, 1, 1, 4));
    Endpoints endpoints("traffic", network, script);
    Arrivals arrivals;
    endpoints.add_observer(arrivals);
    EXPECT_EQ(fabric.run_until(100'000), systemc::RunStatus::kQuiet);
    std::vector<std::pair<std::uint64_t, Cycle>> ends;
    for (const Packet& p : arrivals.packets) ends.emplace_back(p.id, p.tail_ejected);
    std::ranges::sort(ends);
    EXPECT_EQ(ends.size(), messages.size());
    return ends;
  };
  EXPECT_EQ(packets(KernelKind::kRouters), packets(KernelKind::kAutomatic));
}

TEST(Planes, InWhateverOrderTheFabricSteps) {
  expect_same_packets(mesh_of(8, 8, 1, 2, 2, 4), {.load = 0.3, .cycles = 3000}, PlaneBackend::kBest,
                      true);
}

}  // namespace
}  // namespace annelid::traffic
