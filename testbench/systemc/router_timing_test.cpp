// Fidelity to docs/microarchitecture.md, section 6: cycles of packets in an otherwise idle network.
#include <gmock/gmock.h>

#include "systemc/fabric.hpp"
#include "systemc/network.hpp"
#include "systemc/route.hpp"
#include "systemc/traffic.hpp"

namespace annelid {
namespace {

/// Sends one packet at a time and looks at the cycles of its arrival.
class IdleNetwork {
 public:
  explicit IdleNetwork(const NetworkConfig& config) : network_("network", fabric_, config) {
    EXPECT_EQ(fabric_.run_until(10), RunStatus::kQuiet);  // every component's first step is over
  }

  void expect_unloaded_latency(NodeId from, NodeId to, int flits) {
    const Address source = network_.config().address(from), target = network_.config().address(to);
    const Cycle sent = fabric_.now() + 1;  // created now, on the injection channel in the next
    traffic_.node(from).send(target, 5, flits);
    ASSERT_EQ(fabric_.run_until(sent + 10000), RunStatus::kQuiet);
    ASSERT_FALSE(traffic_.node(to).arrivals().empty());
    const Arrival& arrival = traffic_.node(to).arrivals().back();
    const int h = hops(network_.config(), source, target);
    EXPECT_EQ(arrival.head, (HeadFields{target, source, 5}));
    EXPECT_EQ(arrival.flits, static_cast<std::uint32_t>(flits));
    EXPECT_EQ(arrival.head_cycle, sent + static_cast<Cycle>(h + 1));
    EXPECT_EQ(arrival.tail_cycle, sent + static_cast<Cycle>(h + flits));
    ++packets_;
    EXPECT_EQ(traffic_.counts().packets_ejected, packets_);
  }

  /// Cycles between head and tail of a packet on the ejection channel.
  Cycle length_on_ejection(NodeId from, NodeId to, int flits) {
    traffic_.node(from).send(network_.config().address(to), 5, flits);
    EXPECT_EQ(fabric_.run_until(fabric_.now() + 10000), RunStatus::kQuiet);
    const Arrival& arrival = traffic_.node(to).arrivals().back();
    return arrival.tail_cycle - arrival.head_cycle;
  }

  [[nodiscard]] std::uint64_t packets() const { return packets_; }

 private:
  Fabric fabric_{"fabric"};
  Network network_;
  Traffic traffic_{"traffic", network_, {.load = 0, .keep_arrivals = true}};
  std::uint64_t packets_ = 0;
};

TEST(RouterTiming, TheTailIsEjectedAfterHopsPlusFlitsForAllPairsOf4x4) {
  IdleNetwork network({.size = {4, 4, 1}});
  for (NodeId from = 0; from < 16; ++from) {
    for (NodeId to = 0; to < 16; ++to) {
      if (from == to) continue;
      for (int flits : {1, 2, 7}) network.expect_unloaded_latency(from, to, flits);
    }
  }
  EXPECT_EQ(network.packets(), 16u * 15 * 3);
}

TEST(RouterTiming, AndForSamplesOf8x8WithOtherRouters) {
  IdleNetwork network({.size = {8, 8, 1}, .router = {3, 4, 2, 2}});
  for (NodeId from = 0; from < 64; from += 7) {
    for (NodeId to = 0; to < 64; to += 5) {
      if (from != to) network.expect_unloaded_latency(from, to, static_cast<int>(1 + from + to));
    }
  }
  EXPECT_GT(network.packets(), 100u);
}

TEST(RouterTiming, AndOnALineOfTheGreatestLength) {
  IdleNetwork network({.size = {256, 1, 1}, .router = {1, 1, 1, 64}});
  network.expect_unloaded_latency(0, 255, 3);
  network.expect_unloaded_latency(255, 0, 300);
  EXPECT_EQ(network.packets(), 2u);
}

TEST(RouterTiming, AChannelRunsAtFullRateWithDepth2) {
  IdleNetwork network({.size = {4, 1, 1}, .router = {.depth = 2}});
  EXPECT_EQ(network.length_on_ejection(0, 3, 101), 100u);
}

TEST(RouterTiming, AChannelRunsAtHalfRateWithDepth1) {
  IdleNetwork network({.size = {4, 1, 1}, .router = {.depth = 1}});
  EXPECT_EQ(network.length_on_ejection(0, 3, 101), 200u);
}

}  // namespace
}  // namespace annelid
