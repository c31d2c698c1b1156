// Traffic of one's own on an Annelid network: a Workload decides which packets come into being.
//
// Node 0 is a memory. Every other node sends it a short request every 200 cycles, and the
// memory answers each request with a long packet as soon as the request has arrived.
#include <annelid/systemc/modules/network.hpp>
#include <annelid/traffic/open_loop.hpp>
#include <cstdio>
#include <systemc>
#include <vector>

namespace {

using annelid::Cycle;
using annelid::NodeId;
using annelid::traffic::Packet;
using annelid::traffic::PacketSink;

constexpr NodeId kMemory = 0;
constexpr Cycle kPeriod = 200;
constexpr std::uint32_t kRequest = 2, kAnswer = 10;  // flits

class MemoryTraffic : public annelid::traffic::Workload {
 public:
  explicit MemoryTraffic(NodeId nodes) : nodes_(nodes) {}

  /// The first cycle, from this one on, in which there may be something to create.
  [[nodiscard]] Cycle next(Cycle from) const override {
    return waiting_.empty() ? (from + kPeriod - 1) / kPeriod * kPeriod : from;
  }

  void create(Cycle now, PacketSink& sink) override {
    for (const NodeId node : waiting_) sink.send(kMemory, node, kAnswer);
    waiting_.clear();
    if (now % kPeriod != 0) return;
    for (NodeId node = kMemory + 1; node < nodes_; ++node) sink.send(node, kMemory, kRequest);
  }

  /// The tail of a packet has left the network.
  void ejected(const Packet& packet) override {
    if (packet.destination == kMemory) waiting_.push_back(packet.source);
  }

 private:
  NodeId nodes_;
  std::vector<NodeId> waiting_;  // for an answer
};

}  // namespace

int sc_main(int, char**) {
  annelid::systemc::NetworkConfig config{.size = {4, 4, 1}};
  config.router.local_ports = 1;
  annelid::systemc::Fabric fabric("fabric");
  annelid::systemc::Network network("network", fabric, config);
  MemoryTraffic workload(config.nodes());
  annelid::traffic::Endpoints endpoints("endpoints", network, workload);

  const std::vector<bool> sends(config.nodes(), true);  // every node is a source
  const annelid::traffic::OpenLoopResult result = annelid::traffic::run_open_loop(
      network, endpoints, sends, {.warm_up = 1000, .measure = 10000, .drain_limit = 1000}, {});
  const annelid::traffic::Samples& latency = result.packets_of_window.total_latency();
  std::printf("%llu packets in the measurement, %s\n",
              static_cast<unsigned long long>(result.packets),
              result.drained ? "all arrived" : "not all arrived");
  std::printf("offered %.4f, accepted %.4f flits per node and cycle\n", result.offered,
              result.accepted);
  if (latency.count() > 0) {  // a mean of nothing is no number
    std::printf("latency: mean %.1f cycles, longest %llu\n", *latency.mean(),
                static_cast<unsigned long long>(*latency.max()));
  }
  return result.drained && result.packets > 0 ? 0 : 1;
}
