// Waveforms of a real network under traffic, against a record of what its observers were told.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "systemc/analysis/observer_tee.hpp"
#include "systemc/analysis/packet_tracker.hpp"
#include "systemc/modules/network.hpp"
#include "systemc/network/route.hpp"
#include "testbench/parameter_name.hpp"
#include "testbench/systemc/names.hpp"
#include "testbench/systemc/traffic_node.hpp"
#include "testbench/waves/scratch.hpp"
#include "testbench/waves/wave_file.hpp"
#include "waves/wave_trace.hpp"

namespace annelid::waves {
namespace {

constexpr Port kFirstLocal = systemc::RouterConfig{}.first_local();

// Everything that happened: by cycle, and the registers at the start of each.
struct Record final : systemc::FabricObserver {
  struct Injected {
    Cycle cycle;
    NodeId node;
    Port local;
    systemc::Flit flit;
  };
  struct Moved {
    Cycle cycle;
    NodeId node;
    Port in;
    Vc in_vc;
    Port out;
    systemc::Flit flit;
  };
  explicit Record(systemc::Network& of) : network(of) {}
  void cycle(Cycle t) override { states.emplace_back(t, network.states()); }
  void injected(Cycle t, NodeId node, Port local, const systemc::Flit& flit) override {
    injections.push_back({t, node, local, flit});
  }
  void moved(Cycle t, NodeId node, Port in, Vc in_vc, Port out,
             const systemc::Flit& flit) override {
    moves.push_back({t, node, in, in_vc, out, flit});
  }
  void blocked(Cycle, NodeId, Port, Vc, Port, systemc::BlockCause) override { ++blocks; }

  systemc::Network& network;
  std::vector<Injected> injections;
  std::vector<Moved> moves;
  std::uint64_t blocks = 0;
  std::vector<std::pair<Cycle, std::vector<systemc::RouterState>>> states;
};

systemc::NetworkConfig mesh_4x4(int stages = 1, int link_registers = 0) {
  systemc::NetworkConfig config{{4, 4, 1}, {}};
  config.router.stages = stages;
  config.router.link_registers = link_registers;
  config.router.vcs = 2;
  config.router.local_ports = 2;
  config.router.depth = 3;
  return config;
}

std::string scope(const systemc::NetworkConfig& config, NodeId node, Port port,
                  const systemc::RouterConfig& router = {}) {
  const Address at = config.address(node);
  return "noc.n_" + std::to_string(at.x) + "_" + std::to_string(at.y) + "." +
         port_name(router, port);
}

struct Simulation {
  explicit Simulation(const std::filesystem::path& path, bool keep_record = true,
                      const systemc::NetworkConfig& mesh = mesh_4x4())
      : config(mesh),
        traffic("traffic", network,
                {.load = 0.8, .packet_flits = 5, .sink_stall = 0.3, .packets = 12}),
        wave(path, config, {},
             [this](NodeId node, unsigned ports, systemc::RouterState& state) {
               network.router(node).registers(ports, state);
             }),
        record(network),
        tracker(config),
        tee({&wave, &record, &tracker}) {
    fabric.set_observer(keep_record ? static_cast<systemc::FabricObserver*>(&tee) : &wave);
    EXPECT_EQ(fabric.run_until(5000), systemc::RunStatus::kQuiet);
    wave.close();
    tracker.flush();
  }
  systemc::NetworkConfig config;
  systemc::Fabric fabric{"fabric"};
  systemc::Network network{"network", fabric, config};
  systemc::Traffic traffic;
  WaveTrace wave;
  Record record;
  systemc::PacketTracker tracker;
  systemc::ObserverTee tee;
};

TEST(WaveOfTraffic, ShowsEveryFlitOnItsChannelAndNoOther) {
  const Scratch scratch;
  const Simulation run(scratch / "w.fst");
  const WaveFile file(scratch / "w.fst");
  ASSERT_GT(run.record.moves.size(), 1000u);
  ASSERT_GT(run.record.blocks, 100u);

  std::map<std::string, std::set<Cycle>> busy;  // by channel
  int marked = 0;
  const auto check = [&](const std::string& channel, Cycle t, const systemc::Flit& flit) {
    EXPECT_TRUE(busy[channel].insert(t).second);
    EXPECT_EQ(file.bits(channel + ".valid", t), 1u);
    EXPECT_EQ(file.bits(channel + ".data[63:0]", t), flit.data) << channel << " at " << t;
    EXPECT_EQ(file.bits(channel + ".vc[2:0]", t), flit.vc);
    const std::string text = file.text(channel + ".flit", t);
    EXPECT_EQ(text.front(), flit.head ? 'H' : flit.tail ? 'T' : 'B');
    const std::string way =
        file.text(channel + ".source", t) + ">" + file.text(channel + ".destination", t);
    EXPECT_NE(text.find(way), std::string::npos);
    // The generator marks its flits from the third on with their source; other bodies have 0 here.
    const auto source = static_cast<NodeId>(flit.data >> 48);
    if (!flit.head && source != 0) {
      ++marked;
      EXPECT_EQ(file.text(channel + ".source", t),
                systemc::node_name({}, run.config.address(source)));
    }
  };
  for (const auto& event : run.record.injections) {
    check(scope(run.config, event.node, kFirstLocal + event.local) + ".in", event.cycle,
          event.flit);
  }
  for (const auto& event : run.record.moves) {
    const std::string out = scope(run.config, event.node, event.out) + ".out";
    check(out, event.cycle, event.flit);
    EXPECT_EQ(file.text(out + ".from", event.cycle),
              port_name({}, event.in) + "." + std::to_string(event.in_vc));
  }
  EXPECT_GT(marked, 1000);
  for (const auto& [channel, cycles] : busy) {
    for (Cycle t = 0; t < file.end(); ++t) {
      EXPECT_EQ(file.bits(channel + ".valid", t), cycles.count(t)) << channel << " at " << t;
    }
  }
}

void expect_registers_of_every_cycle(const systemc::NetworkConfig& config) {
  const Scratch scratch;
  const Simulation run(scratch / "w.fst", true, config);
  const WaveFile file(scratch / "w.fst");
  std::uint64_t flits_seen = 0;
  for (const auto& [t, states] : run.record.states) {
    for (NodeId node = 0; node < run.config.nodes(); ++node) {
      for (Port p = 0; p < run.config.router.ports(); ++p) {
        const std::string port = scope(run.config, node, p);
        if (!file.has(port + ".in.valid")) continue;  // the rim
        ASSERT_EQ(file.bits(port + ".out.pointer[3:0]", t), states[node].out_pointer[p])
            << port << " at " << t;
        ASSERT_EQ(file.bits(port + ".in.pointer[2:0]", t), states[node].in_pointer[p]);
        for (Vc v = 0; v < run.config.router.link_vcs(p); ++v) {
          const systemc::InputVcState& input = states[node].input[p][v];
          const systemc::OutputVcState& output = states[node].output[p][v];
          std::string in = port + ".in.vc", out = port + ".out.vc";
          in += std::to_string(v);
          out += std::to_string(v);
          ASSERT_EQ(file.bits(in + ".count[6:0]", t), input.count) << in << " at " << t;
          ASSERT_EQ(file.bits(in + ".active", t), input.active) << in << " at " << t;
          if (config.router.stages >= 3) {
            ASSERT_EQ(file.bits(in + ".routed", t), input.routed) << in << " at " << t;
          }
          ASSERT_EQ(file.bits(in + ".out_port[3:0]", t), input.out_port);
          ASSERT_EQ(file.bits(out + ".credits[6:0]", t), output.credits) << out << " at " << t;
          ASSERT_EQ(file.bits(out + ".owned", t), output.owned);
          ASSERT_EQ(file.text(out + ".owner", t).empty(), !output.owned) << out << " at " << t;
          ASSERT_EQ(file.text(in + ".front", t).empty(), input.count == 0);
          flits_seen += input.count;
        }
      }
    }
  }
  EXPECT_GT(flits_seen, 1000u);
}

// The waveform reads the registers only where and while something may change them.
TEST(WaveOfTraffic, ShowsTheRegistersOfEveryCycle) { expect_registers_of_every_cycle(mesh_4x4()); }
TEST(WaveOfTraffic, ShowsTheRegistersOfTwoStages) { expect_registers_of_every_cycle(mesh_4x4(2)); }
TEST(WaveOfTraffic, ShowsTheRegistersOfThreeStagesAndALinkRegister) {
  expect_registers_of_every_cycle(mesh_4x4(3, 1));
}
TEST(WaveOfTraffic, ShowsTheRegistersOfFourStagesAndTwoLinkRegisters) {
  expect_registers_of_every_cycle(mesh_4x4(4, 2));
}

// By packet: for how many cycles which other packets held it.
using Holders = std::map<std::string, std::map<std::string, std::uint64_t>>;

Holders holders_in(const WaveFile& file, const systemc::NetworkConfig& config) {
  Holders all;
  for (NodeId node = 0; node < config.nodes(); ++node) {
    for (Port p = 0; p < config.router.ports(); ++p) {
      const std::string port = scope(config, node, p, config.router);
      if (!file.has(port + ".in.valid")) continue;
      for (Vc v = 0; v < config.router.input_vcs(p); ++v) {
        const std::string vc = port + ".in.vc" + std::to_string(v);
        for (Cycle t = file.begin(); t < file.end(); ++t) {
          const std::string front = file.text(vc + ".front", t);
          const std::string held_by = file.text(vc + ".held_by", t);
          for (std::size_t at = 0, end = 0; at < held_by.size(); at = end + 2) {
            end = std::min(held_by.find(", ", at), held_by.size());
            ++all[front.substr(2)][held_by.substr(at, end - at)];
          }
        }
      }
    }
  }
  return all;
}

Holders holders_by(const systemc::PacketTracker& tracker, const systemc::RouterConfig& router) {
  const auto name = [&](const systemc::PacketRecord& packet) {
    const systemc::HeadFields& head = packet.info.head;
    return node_name(router, head.source) + ">" + node_name(router, head.destination) + " #" +
           std::to_string(head.tag);
  };
  Holders all;
  for (const systemc::PacketRecord& packet : tracker.packets()) {
    for (const systemc::Blocker& blocker : packet.blockers) {
      all[name(packet)][name(tracker.packets()[blocker.packet])] += blocker.cycles;
    }
  }
  return all;
}

systemc::NetworkConfig of_4x4(const systemc::RouterConfig& router) { return {{4, 4, 1}, router}; }

class WaveOfWaits : public ::testing::TestWithParam<systemc::NetworkConfig> {};

// The tracker counts contention. It shares no code with the waveform.
TEST_P(WaveOfWaits, NamesThePacketsThatThePacketTrackerBlames) {
  const Scratch scratch;
  const systemc::NetworkConfig& config = GetParam();
  const Simulation run(scratch / "w.fst", true, config);
  const Holders found = holders_in(WaveFile(scratch / "w.fst"), config);
  const Holders expected = holders_by(run.tracker, config.router);
  EXPECT_GT(expected.size(), 50u);
  EXPECT_EQ(found, expected);
}

INSTANTIATE_TEST_SUITE_P(WaveOfTraffic, WaveOfWaits,
                         ::testing::Values(of_4x4({}), of_4x4({.vcs = 2, .depth = 2}),
                                           of_4x4({.vcs = 2, .stages = 2, .link_registers = 1}),
                                           of_4x4({.local_ports = 2, .vcs = 3, .stages = 3}),
                                           of_4x4({.vcs = 2, .depth = 3, .stages = 4}),
                                           of_4x4({.depth = 2, .control_vc = true}),
                                           of_4x4({.vcs = 2, .torus = {true, true, false}}),
                                           of_4x4({.local_ports = 1,
                                                   .kind = systemc::RouterKind::kOnePort})),
                         test::ParameterName());

// What a reader can check by eye: the sender's credits and the receiver's flits are the depth.
TEST(WaveOfTraffic, CreditsAndFlitsOfAChannelAreItsDepthInEveryCycle) {
  const Scratch scratch;
  const Simulation run(scratch / "w.fst", false);
  const WaveFile file(scratch / "w.fst");
  int channels = 0;
  for (NodeId node = 0; node < run.config.nodes(); ++node) {
    for (Port p = 0; p < run.config.router.external_ports(); ++p) {
      const systemc::Neighbour next = neighbour(run.config, run.config.address(node), p);
      if (!next.exists) continue;
      ++channels;
      const std::string out = scope(run.config, node, p) + ".out.vc1.credits[6:0]";
      const std::string in = scope(run.config, run.config.id(next.address), systemc::opposite(p)) +
                             ".in.vc1.count[6:0]";
      for (Cycle t = 0; t <= file.end(); ++t) {
        ASSERT_EQ(file.bits(out, t) + file.bits(in, t), 3u) << out << " at " << t;
      }
    }
  }
  EXPECT_EQ(channels, 48);
}

}  // namespace
}  // namespace annelid::waves
