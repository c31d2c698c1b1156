#include "testbench/nic/fuzz/fuzz_case.hpp"

#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "testbench/nic/fuzz/world.hpp"

namespace annelid::nic::fuzz {
namespace {

template <typename T>
T pick(Random& random, std::initializer_list<T> values) {
  return values.begin()[random.below(static_cast<std::uint32_t>(values.size()))];
}

NicConfig random_config(Random& random, std::size_t world) {
  NicConfig config;
  systemc::NetworkConfig& network = config.network;
  systemc::RouterConfig& router = network.router;
  network.size = {static_cast<int>(2 + random.below(3)), static_cast<int>(1 + random.below(4)), 1};
  router.local_ports = static_cast<int>(1 + random.below(4));
  if (random.below(6) == 0) {
    router.kind = systemc::RouterKind::kOnePort;
    router.local_ports = 1;
  }
  router.vcs = static_cast<int>(1 + random.below(2));
  router.local_vcs = static_cast<int>(1 + random.below(2));
  router.depth = static_cast<int>(1 + random.below(4));
  if (random.below(3) == 0) {
    router.torus = {true, random.below(2) == 0, false};
    router.vcs = 2;  // the classes of a ring
  }
  // Every case has one in which what is rare happens, or can be seen.
  if (world % 4 == 1) {
    network.size = {2, static_cast<int>(1 + random.below(2)), 1};
    router.control_vc = true;
  }
  if (world % 4 == 3) {  // packets of several sources share an ejection port
    network.size = {4, static_cast<int>(2 + random.below(3)), 1};
    router.local_ports = 1;
    router.local_vcs = 2;
  }
  constexpr std::array kEager{0u, 8u, 64u, 4096u};
  config.eager_bytes = kEager[world % kEager.size()];
  config.memory_bytes = std::uint64_t{1} << 31;
  config.alpha = pick<Cycle>(random, {0, 0, 0, 1, 40});
  config.gamma = pick<Cycle>(random, {0, 0, 0, 1, 25});
  config.memory_flits = pick<std::uint32_t>(random, {0, 0, 0, 1, 2, 5});
  config.combine_lanes = pick<std::uint32_t>(random, {0, 1, 2});
  config.half_duplex = random.below(4) == 0;
  if (world % 4 == 2) {
    router.local_vcs = 1;
    config.gamma = config.memory_flits = 0;
  }
  return config;
}

std::string describe(const NicConfig& c, const Traffic& t) {
  const systemc::RouterConfig& r = c.network.router;
  std::string text = std::to_string(c.network.size[0]) + 'x' + std::to_string(c.network.size[1]);
  text += r.torus[0] ? r.torus[1] ? " torus" : " x-ring" : r.torus[1] ? " y-ring" : " mesh";
  text += (r.one_port() ? " one-port, L" : ", L") + std::to_string(r.local_ports) + " V" +
          std::to_string(r.vcs) + " VL" + std::to_string(r.local_vcs) +
          (r.control_vc ? " control D" : " D") + std::to_string(r.depth) + " E" +
          std::to_string(c.eager_bytes) + " A" + std::to_string(c.alpha) + " G" +
          std::to_string(c.gamma) + " B" + std::to_string(c.memory_flits) + " C" +
          std::to_string(c.combine_lanes);
  if (c.half_duplex) text += " half duplex";
  return text + ", seed " + std::to_string(t.seed) + " pace " + std::to_string(t.pace) + " skew " +
         std::to_string(t.skew);
}

}  // namespace

void run_case(std::uint64_t seed, std::uint64_t flits, std::size_t networks) {
  Random random(seed, 5);
  std::vector<std::unique_ptr<World>> worlds;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < networks; ++i) {
    Traffic traffic{.seed = seed * 100 + i, .flits = (flits + networks - 1) / networks};
    const NicConfig config = random_config(random, i);
    traffic.pace = pick<unsigned>(random, {0, 5, 50, 500});
    traffic.skew = pick<Cycle>(random, {0, 1000, 100'000});
    traffic.hot_spot = i == 3;
    traffic.causal = i % 4 == 2 || random.below(2) == 0;
    if (i % 4 == 1) {
      traffic.pace = 0;
      traffic.skew = 100'000;
      traffic.causal = false;
    }
    names.push_back(describe(config, traffic));
    worlds.push_back(
        std::make_unique<World>(random_plan(config, traffic), "world_" + std::to_string(i)));
  }
  Counts counts;
  for (std::size_t i = 0; i < networks; ++i) {
    SCOPED_TRACE(names[i]);
    worlds[i]->run();
    if (::testing::Test::HasFailure()) return;
    counts += worlds[i]->counts();
  }
  std::cout << to_string(counts);
  EXPECT_GE(counts.flits, flits);
  const WireCounts& wire = counts.wire;
  const std::pair<const char*, std::uint64_t> all[] = {
      {"to the own node", counts.own},
      {"strided", counts.strided},
      {"triggered", counts.triggered},
      {"by explicit port", counts.explicit_port},
      {"quiet", counts.quiet},
      {"empty", counts.empty},

      {"combined", counts.combined},
      {"combined behind another", counts.chained},
      {"combined with an operand apart", counts.apart},
      {"failed", counts.failed},
      {"eager, direct", counts.eager_direct},
      {"eager, placed", counts.eager_placed},
      {"no place for a send", counts.sends_full},
      {"no place for a receive", counts.receives_full},
      {"before its receive", counts.unexpected},
      {"waited for another", counts.waited},
      {"data", wire.data},
      {"eager", wire.eager},
      {"offers", wire.offers},
      {"parks", wire.parks},
      {"asks", wire.asks},
      {"frees", wire.frees},
      {"kept hits", wire.kept_hits},
      {"waiting hits", wire.waiting_hits},
      {"control that says several things", wire.several},
      {"alternating virtual channels", wire.alternating}};
  EXPECT_TRUE(flits < 500'000 || counts.longest > 0) << "none of 64 KiB";
  for (const auto& [what, count] : all) EXPECT_GT(count, 0u) << what << ": it never happened";
}

}  // namespace annelid::nic::fuzz
