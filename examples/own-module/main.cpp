// A clocked SystemC module of one's own at every node of an Annelid network, run by plain sc_start.
//
// Each node sends packets to the node on the other side of the diagonal, (x, y) to (y, x), and
// takes what comes. A PacketTracker watches the network, and says in the end how long packets took
// and which channels were busy.
#include <algorithm>
#include <annelid/systemc/analysis/packet_tracker.hpp>
#include <annelid/systemc/modules/local_port.hpp>
#include <annelid/systemc/modules/network.hpp>
#include <cstdio>
#include <memory>
#include <systemc>
#include <vector>

namespace {

using annelid::Address;
using annelid::Cycle;
using annelid::NodeId;
using annelid::systemc::Flit;

constexpr unsigned kPackets = 20, kFlits = 6;

/// Sends `packets` packets of kFlits flits to one node, as fast as the network takes them.
class Processor : public sc_core::sc_module {
 public:
  sc_core::sc_in_clk clock;
  sc_core::sc_port<annelid::systemc::LocalPortIf> network;

  SC_HAS_PROCESS(Processor);
  Processor(const sc_core::sc_module_name& name, Address self, Address partner, unsigned packets)
      : sc_module(name), self_(self), partner_(partner), packets_(packets) {
    SC_CTHREAD(send, clock.pos());
    SC_CTHREAD(receive, clock.pos());
  }

  unsigned received = 0;  // flits

 private:
  void send() {
    for (unsigned packet = 0; packet < packets_; ++packet) {
      for (unsigned i = 0; i < kFlits; ++i) {
        // At the edge of cycle t: a flit that is sent now is on the injection channel in cycle t.
        while (!network->can_send()) wait();
        Flit flit{.data = i, .head = i == 0, .tail = i + 1 == kFlits};
        if (flit.head) {  // routers read the head alone: where to, where from, and a tag
          flit.data = annelid::systemc::pack(annelid::systemc::HeadFields{
              .destination = partner_, .source = self_, .tag = static_cast<std::uint16_t>(packet)});
        }
        network->send(flit);
        wait();
      }
    }
  }

  void receive() {
    for (;;) {
      if (network->front() != nullptr) {  // came out of the router in cycle t - 1, or earlier
        network->receive();               // its credit goes back in cycle t
        ++received;
      }
      wait();
    }
  }

  Address self_, partner_;
  unsigned packets_;
};

}  // namespace

int sc_main(int, char**) {
  annelid::systemc::NetworkConfig config{.size = {4, 4, 1}};
  config.router.local_ports = 1;
  config.router.vcs = 2;

  annelid::systemc::Fabric fabric("fabric",
                                  sc_core::sc_time(2, sc_core::SC_NS));  // a cycle is 2 ns
  annelid::systemc::Network network("network", fabric, config);
  annelid::systemc::PacketTracker tracker(config);
  fabric.set_observer(&tracker);

  sc_core::sc_clock clock("clock", fabric.cycle_time());
  std::vector<std::unique_ptr<annelid::systemc::LocalPort>> ports;
  std::vector<std::unique_ptr<Processor>> processors;
  for (NodeId node = 0; node < config.nodes(); ++node) {
    const Address at = config.address(node), across{.x = at.y, .y = at.x};
    const unsigned packets = at == across ? 0 : kPackets;  // the network carries nothing to oneself
    ports.push_back(std::make_unique<annelid::systemc::LocalPort>(
        sc_core::sc_gen_unique_name("port"), network, node));
    processors.push_back(
        std::make_unique<Processor>(sc_core::sc_gen_unique_name("processor"), at, across, packets));
    processors.back()->clock(clock);
    processors.back()->network(*ports.back());
  }

  sc_core::sc_start(2, sc_core::SC_US);  // 1000 cycles
  tracker.flush();

  Cycle sum = 0, longest = 0, last = 0;
  for (const annelid::systemc::PacketRecord& packet : tracker.packets()) {
    const Cycle latency = packet.tail_ejected - packet.injected;
    sum += latency;
    longest = std::max(longest, latency);
    last = std::max(last, packet.tail_ejected);
  }
  unsigned received = 0;
  for (const auto& processor : processors) received += processor->received;
  std::printf("%llu cycles, %zu packets, %u flits received, %llu in flight\n",
              static_cast<unsigned long long>(fabric.now()), tracker.packets().size(), received,
              static_cast<unsigned long long>(fabric.flits_in_flight()));
  std::printf("latency: mean %.1f cycles, longest %llu; the last flit left in cycle %llu\n",
              static_cast<double>(sum) / static_cast<double>(tracker.packets().size()),
              static_cast<unsigned long long>(longest), static_cast<unsigned long long>(last));

  std::uint64_t most = 0;
  NodeId busy_node = 0;
  annelid::Port busy_port = 0;
  for (NodeId node = 0; node < config.nodes(); ++node) {
    for (annelid::Port port = 0; port < config.router.external_ports(); ++port) {
      if (tracker.channel_load(node, port) <= most) continue;
      most = tracker.channel_load(node, port);
      busy_node = node;
      busy_port = port;
    }
  }
  const char* const directions[] = {"+x", "-x", "+y", "-y"};
  const Address busy = config.address(busy_node);
  std::printf("busiest channel: %s of node %d,%d carried %llu flits\n", directions[busy_port],
              busy.x, busy.y, static_cast<unsigned long long>(most));
  return received == tracker.packets().size() * kFlits ? 0 : 1;
}
