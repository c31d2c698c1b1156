// Synthetic traffic: an open-loop source and a sink for each node. It judges nothing; it counts and
// keeps records.
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "base/random.hpp"
#include "systemc/fabric/fabric.hpp"
#include "systemc/modules/delayed_credits.hpp"
#include "systemc/modules/network.hpp"
#include "systemc/network/config.hpp"
#include "systemc/network/link.hpp"

namespace annelid::systemc {

struct TrafficConfig {
  double load = 0.1;        ///< offered, in flits per node and cycle
  int packet_flits = 8;     ///< of every packet, at least 1
  double sink_stall = 0.0;  ///< probability that a port with flits drains none of them in a cycle
  std::uint64_t packets = ~std::uint64_t{0};  ///< per node; then the source falls silent
  std::uint64_t seed = 1;
  bool keep_arrivals = false;
};

struct TrafficCounts {
  std::uint64_t packets_created = 0, packets_injected = 0, packets_ejected = 0;
  std::uint64_t flits_injected = 0, flits_ejected = 0;
  std::uint64_t latency_sum = 0;  ///< cycles from creation to the tail on the ejection channel, of
                                  ///< the ejected packets of two flits or more
  TrafficCounts& operator+=(const TrafficCounts& other);
};

/// A packet that came out of the network.
struct Arrival {
  HeadFields head;
  Cycle head_cycle = 0, tail_cycle = 0;  ///< on the ejection channel
  std::uint32_t flits = 0;
  Port local = 0;
  Vc vc = 0;
  friend bool operator==(const Arrival&, const Arrival&) = default;
};

/// One node's source and sink, free of SystemC's kernel. Destinations are uniform over the other
/// nodes; gaps between packets are geometric. A packet takes the injection port of its first output
/// modulo L, and the local VCs in turn, those for data and for control. Flit 1 carries the cycle of
/// the packet's creation, flit k > 1 carries source, sequence number and k.
class TrafficNode {
 public:
  TrafficNode(const TrafficConfig& config, const NetworkConfig& network, NodeId node);
  ~TrafficNode();

  /// What it needs before the first step: the clock, and the routers' ends of its links.
  void connect(Scheduler& scheduler, int handle);
  void connect(int local, LinkIf& router_end);
  /// Its own end of link `local`, for the router.
  [[nodiscard]] LinkIf& end(int local);

  /// The credits of a sink that never stalls go with those of other nodes from now on; who gives
  /// them has the handle, and is woken for it.
  void share_drains(DelayedCredits& drains, int handle);

  /// One cycle, as Clocked::step.
  Cycle step(Cycle now, FabricObserver* observer);

  /// A packet beside the random ones: from now on it is queued for injection.
  void send(Address destination, std::uint16_t tag, int flits);
  void set_load(double load);

  [[nodiscard]] const TrafficCounts& counts() const { return counts_; }
  [[nodiscard]] const std::vector<Arrival>& arrivals() const { return arrivals_; }

 private:
  struct Packet {
    Cycle created;
    HeadFields head;
    std::uint32_t sequence;
    std::uint32_t flits;
  };
  class PacketQueue;
  struct Channel;
  class Local;

  void choose_load(double load);
  void plan_next(Cycle now);
  void create(Cycle now);
  void queue(Cycle now, Address destination, std::uint16_t tag, int flits);
  void wake(Cycle at);
  void awaken(std::size_t l, Cycle now);
  void inject(Local& local, Cycle now, FabricObserver* observer);
  void drain(Local& local);
  void receive(const Local& local, const Flit& flit, Cycle now);
  [[nodiscard]] Channel& channel(const Local& local, Vc vc);

  TrafficConfig config_;
  NetworkConfig network_;
  NodeId node_;
  Address address_;
  Random source_random_, sink_random_;
  Scheduler* scheduler_ = nullptr;
  DelayedCredits* drains_ = nullptr;  // null: step() drains
  int handle_ = 0, drains_handle_ = 0;
  double log_no_packet_ = 0;  // of the probability of a cycle without a new packet
  Cycle next_packet_ = kNever;
  std::uint32_t sequence_ = 0;
  std::size_t vcs_;
  std::vector<Local> locals_;
  std::vector<Channel> channels_;  // by local * VCs + VC
  unsigned busy_ = 0;              // locals that may have something to do in the next cycle
  Cycle awake_in_ = kNever;        // the scheduler knows that the node is to be stepped in it
  TrafficCounts counts_;
  std::vector<Arrival> arrivals_;
};

/// A TrafficNode at every node of a network.
class Traffic : public sc_core::sc_module, private Clocked {
 public:
  Traffic(const sc_core::sc_module_name& name, Network& network, const TrafficConfig& config);
  ~Traffic() override;

  [[nodiscard]] TrafficNode& node(NodeId node);
  [[nodiscard]] TrafficCounts counts() const;
  void set_load(double load);

 private:
  class Endpoint;
  Cycle step(Cycle now) override;  // only to return credits

  DelayedCredits drains_;
  std::vector<std::unique_ptr<Endpoint>> endpoints_;
};

}  // namespace annelid::systemc
