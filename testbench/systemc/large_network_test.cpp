// The greatest network: how long it takes to build, what it weighs, and that it works.
#include <gmock/gmock.h>

#include <chrono>
#include <cstdio>
#include <fstream>

#include "systemc/modules/network.hpp"
#include "testbench/sanitized.hpp"
#include "testbench/systemc/traffic_node.hpp"

namespace annelid::systemc {
namespace {

/// Resident memory of this process.
std::size_t resident_bytes() {
  std::size_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * 4096;
}

#ifdef ANNELID_SANITIZED
constexpr bool kPlainMemory = false;  // the sanitizer's own memory would be counted
#else
constexpr bool kPlainMemory = true;
#endif

TEST(LargeNetwork, Of65536RoutersIsBuiltInSecondsAndWeighsAtMost8KiBPerRouter) {
  const std::size_t before = resident_bytes();
  const auto start = std::chrono::steady_clock::now();
  Fabric fabric("fabric");
  Network network("network", fabric, {.size = {256, 256, 1}, .router = {.vcs = 2}});
  ASSERT_EQ(fabric.run_until(10), RunStatus::kQuiet);  // elaborated
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const std::size_t bytes = (resident_bytes() - before) / 65536;
  RecordProperty("bytes_per_router", static_cast<int>(bytes));
  std::printf("%zu bytes per router, built in %.2f s\n", bytes, seconds.count());
  EXPECT_LT(seconds.count(), 30);  // a loaded machine, or a debug build
  if (kPlainMemory) {
    EXPECT_LE(bytes, 8192u);
  }
}

/// One endpoint, so that most of a great network can stay without.
class Corner : public sc_core::sc_module, public Clocked {
 public:
  Corner(const sc_core::sc_module_name& name, Network& network, NodeId node)
      : sc_module(name), traffic_({.load = 0, .keep_arrivals = true}, network.config(), node) {
    for (int l = 0; l < 4; ++l) {
      const auto i = static_cast<std::size_t>(l);
      end[i].bind(traffic_.end(l));
      network.attach(node, l, port[i], end[i]);
    }
    traffic_.connect(network.fabric(), network.fabric().add(*this));
  }
  Cycle step(Cycle now) override { return traffic_.step(now, nullptr); }
  TrafficNode& traffic() { return traffic_; }

  std::array<sc_core::sc_port<LinkIf>, 4> port;
  std::array<sc_core::sc_export<LinkIf>, 4> end;

 private:
  void end_of_elaboration() override {
    for (int l = 0; l < 4; ++l) traffic_.connect(l, *port[static_cast<std::size_t>(l)][0]);
  }
  TrafficNode traffic_;
};

/// A message of 9 flits whose tail is `cycles` behind the cycle in which it is sent.
void expect_from_corner_to_corner(const NetworkConfig& config, Cycle cycles) {
  Fabric fabric("fabric");
  Network network("network", fabric, config);
  Corner from("from", network, 0), to("to", network, 65535);
  ASSERT_EQ(fabric.run_until(10), RunStatus::kQuiet);
  const Cycle sent = fabric.now() + 1;
  from.traffic().send({255, 255, 0}, 1, 9);
  ASSERT_EQ(fabric.run_until(5000), RunStatus::kQuiet);
  ASSERT_EQ(to.traffic().arrivals().size(), 1u);
  EXPECT_EQ(to.traffic().arrivals()[0].tail_cycle, sent + cycles);
}

TEST(LargeNetwork, CarriesAMessageFromCornerToCorner) {
  expect_from_corner_to_corner({.size = {256, 256, 1}}, 510 + 9);
}

TEST(LargeNetwork, CarriesAMessageInTheTimeOfOneHopIfItIsIdeal) {
  expect_from_corner_to_corner({.size = {256, 256, 1}, .ideal = true}, 1 + 9);
}

}  // namespace
}  // namespace annelid::systemc
