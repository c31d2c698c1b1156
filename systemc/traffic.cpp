#include "systemc/traffic.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "systemc/route.hpp"
#include "systemc/slot.hpp"

namespace annelid {

TrafficCounts& TrafficCounts::operator+=(const TrafficCounts& other) {
  packets_created += other.packets_created;
  packets_injected += other.packets_injected;
  packets_ejected += other.packets_ejected;
  flits_injected += other.flits_injected;
  flits_ejected += other.flits_ejected;
  latency_sum += other.latency_sum;
  return *this;
}

/// The receiving end of a local link: notes what comes for the next cycle, and wakes the node.
class TrafficNode::End final : public LinkIf {
 public:
  End(TrafficNode& node, int local) : node_(node), local_(local) {}

  void put_flit(const Flit& flit) override {
    node_.arrived(local_, flit);
    note(&Local::flit_inbox, flit.vc);
  }
  void put_credit(Vc vc) override { note(&Local::credit_inbox, vc); }

 private:
  void note(std::array<std::uint8_t, 2> Local::*inbox, Vc vc) {
    const Cycle now = node_.scheduler_->now();
    (node_.locals_[static_cast<std::size_t>(local_)].*inbox)[now & 1] =
        static_cast<std::uint8_t>(1u << vc);
    node_.arrived_[now & 1] |= 1u << local_;
    node_.scheduler_->wake(node_.handle_, now + 1);
  }

  TrafficNode& node_;
  int local_;
};

TrafficNode::TrafficNode(const TrafficConfig& config, const NetworkConfig& network, NodeId node)
    : config_(config),
      network_(network),
      node_(node),
      address_(network.address(node)),
      source_random_(config.seed, 2 * std::uint64_t{node}),
      sink_random_(config.seed, 2 * std::uint64_t{node} + 1),
      locals_(static_cast<std::size_t>(network.router.local_ports)) {
  if (network.nodes() < 2) {
    throw ConfigError("network.size", "1 node", "at least 2, for traffic between them");
  }
  if (config.packet_flits < 1) {
    throw ConfigError("traffic.packet_flits", std::to_string(config.packet_flits), "at least 1");
  }
  for (std::size_t l = 0; l < locals_.size(); ++l) {
    locals_[l].end = std::make_unique<End>(*this, static_cast<int>(l));
    locals_[l].streams.resize(static_cast<std::size_t>(network.router.local_vcs));
    for (Stream& stream : locals_[l].streams) stream.credits = network.router.depth;
    locals_[l].credit = (1u << network.router.local_vcs) - 1;
  }
  plan_next(kNever);  // the first gap starts before cycle 0
}

TrafficNode::~TrafficNode() = default;

void TrafficNode::connect(Scheduler& scheduler, int handle) {
  scheduler_ = &scheduler;
  handle_ = handle;
}

void TrafficNode::connect(int local, LinkIf& router_end) {
  locals_[static_cast<std::size_t>(local)].router = &router_end;
}

LinkIf& TrafficNode::end(int local) { return *locals_[static_cast<std::size_t>(local)].end; }

void TrafficNode::set_load(double load) {
  config_.load = load;
  plan_next(scheduler_->now());
  scheduler_->wake(handle_, scheduler_->now() + 1);
}

// A geometric gap is what one Bernoulli trial per cycle gives, for one random number per packet.
void TrafficNode::plan_next(Cycle now) {
  const double per_cycle = config_.load / config_.packet_flits;
  if (per_cycle <= 0 || sequence_ >= config_.packets) {
    next_packet_ = kNever;
  } else if (per_cycle >= 1) {
    next_packet_ = now + 1;
  } else {
    const double failures = std::log(1 - source_random_.uniform()) / std::log(1 - per_cycle);
    next_packet_ = now + 1 + static_cast<Cycle>(failures);
  }
}

void TrafficNode::create(Cycle now) {
  NodeId to = source_random_.below(network_.nodes() - 1);
  to += to >= node_;
  queue(now, network_.address(to), static_cast<std::uint16_t>(sequence_), config_.packet_flits);
  plan_next(now);
}

void TrafficNode::send(Address destination, std::uint16_t tag, int flits) {
  queue(scheduler_->now(), destination, tag, flits);
  scheduler_->wake(handle_, scheduler_->now() + 1);
}

void TrafficNode::queue(Cycle now, Address destination, std::uint16_t tag, int flits) {
  const auto port = first_output(network_, address_, destination) % locals_.size();
  auto& streams = locals_[port].streams;
  const std::size_t vc = sequence_ % streams.size();
  streams[vc].queue.push_back(
      {now, {destination, address_, tag}, sequence_, static_cast<std::uint32_t>(flits)});
  locals_[port].queued |= 1u << vc;
  note_ready(port);
  ++sequence_;
  ++counts_.packets_created;
}

Cycle TrafficNode::step(Cycle now, FabricObserver* observer) {
  if (now == next_packet_) create(now);
  const unsigned arrived = std::exchange(arrived_[(now + 1) & 1], 0u);
  for (unsigned rest = arrived | ready_ | occupied_; rest != 0;) {
    const unsigned l = take_lowest(rest);
    Local& local = locals_[l];
    if ((arrived >> l & 1) != 0) absorb(local, now);
    if ((local.queued & local.credit) != 0) inject(static_cast<int>(l), local, now, observer);
    if (local.occupied != 0) drain(local);
    note_ready(l);
    occupied_ = (occupied_ & ~(1u << l)) | unsigned{local.occupied != 0} << l;
  }
  return (ready_ | occupied_) != 0 ? now + 1 : next_packet_;
}

void TrafficNode::note_ready(std::size_t l) {
  const bool ready = (locals_[l].queued & locals_[l].credit) != 0;
  ready_ = (ready_ & ~(1u << l)) | unsigned{ready} << l;
}

void TrafficNode::absorb(Local& local, Cycle now) {
  const auto parity = (now + 1) & 1;
  if (const unsigned credit = local.credit_inbox[parity]; credit != 0) {
    ++local.streams[static_cast<std::size_t>(std::countr_zero(credit))].credits;
    local.credit |= credit;
    local.credit_inbox[parity] = 0;
  }
  if (const unsigned flit = local.flit_inbox[parity]; flit != 0) {
    ++local.buffered[static_cast<std::size_t>(std::countr_zero(flit))];
    local.occupied |= flit;
    local.flit_inbox[parity] = 0;
  }
}

void TrafficNode::inject(int l, Local& local, Cycle now, FabricObserver* observer) {
  const unsigned ready = local.queued & local.credit;
  const auto vc = static_cast<Vc>(round_robin(ready, local.next_stream));
  local.next_stream = static_cast<Vc>(vc + 1u == local.streams.size() ? 0 : vc + 1u);

  Stream& stream = local.streams[vc];
  const Packet& packet = stream.queue.front();
  const std::uint32_t flits = packet.flits;
  const HeadFields head = packet.head;
  const std::uint32_t k = stream.sent++;
  Flit flit{.vc = vc, .head = k == 0, .tail = k + 1 == flits};
  flit.data = k == 0   ? pack(head)
              : k == 1 ? packet.created
                       : std::uint64_t{node_} << 48 | std::uint64_t{packet.sequence} << 16 | k;
  if (--stream.credits == 0) local.credit &= ~(1u << vc);
  ++counts_.flits_injected;
  counts_.packets_injected += flit.head;
  if (flit.tail) {
    stream.queue.pop_front();
    stream.sent = 0;
    if (stream.queue.empty()) local.queued &= ~(1u << vc);
  }
  local.router->put_flit(flit);
  if (observer == nullptr) return;
  if (flit.head) {
    const std::uint32_t bytes = flits > 2 ? (flits - 2) * 8 : 0;
    observer->packet(now, node_, static_cast<Port>(l), {.head = head, .bytes = bytes, .step = 1});
  }
  observer->injected(now, node_, static_cast<Port>(l), flit);
}

void TrafficNode::drain(Local& local) {
  if (config_.sink_stall > 0 && sink_random_.uniform() < config_.sink_stall) return;
  const auto vc = static_cast<Vc>(round_robin(local.occupied, local.next_drain));
  local.next_drain = static_cast<Vc>(vc + 1u == local.streams.size() ? 0 : vc + 1u);
  if (--local.buffered[vc] == 0) local.occupied &= ~(1u << vc);
  local.router->put_credit(vc);
}

// Called while the flit is on the ejection channel; only its place in the buffer waits a cycle.
void TrafficNode::arrived(int l, const Flit& flit) {
  Local& local = locals_[static_cast<std::size_t>(l)];
  const Cycle now = scheduler_->now();
  Arrival& packet = local.open[flit.vc];
  if (flit.head) {
    packet = {unpack_head(flit.data), now, now, 0, static_cast<Port>(l), flit.vc};
  }
  if (packet.flits == 1) local.created[flit.vc] = flit.data;
  ++packet.flits;
  ++counts_.flits_ejected;
  if (!flit.tail) return;
  packet.tail_cycle = now;
  ++counts_.packets_ejected;
  if (packet.flits > 1) counts_.latency_sum += now - local.created[flit.vc];
  if (config_.keep_arrivals) arrivals_.push_back(packet);
}

/// The SystemC side of a TrafficNode: ports, exports, and its place in the fabric's agenda.
class Traffic::Endpoint final : public sc_core::sc_module, public Clocked {
 public:
  Endpoint(const sc_core::sc_module_name& name, Network& network, NodeId node,
           const TrafficConfig& config)
      : sc_module(name),
        to_router("to_router", static_cast<std::size_t>(network.config().router.local_ports)),
        from_router("from_router", static_cast<std::size_t>(network.config().router.local_ports)),
        fabric_(network.fabric()),
        traffic_(config, network.config(), node) {
    for (std::size_t l = 0; l < to_router.size(); ++l) {
      from_router[l].bind(traffic_.end(static_cast<int>(l)));
      network.attach(node, static_cast<int>(l), to_router[l], from_router[l]);
    }
    traffic_.connect(fabric_, fabric_.add(*this));
  }

  Cycle step(Cycle now) override { return traffic_.step(now, fabric_.observer()); }
  [[nodiscard]] TrafficNode& traffic() { return traffic_; }

  sc_core::sc_vector<sc_core::sc_port<LinkIf>> to_router;
  sc_core::sc_vector<sc_core::sc_export<LinkIf>> from_router;

 private:
  void end_of_elaboration() override {
    for (std::size_t l = 0; l < to_router.size(); ++l) {
      traffic_.connect(static_cast<int>(l), *to_router[l][0]);
    }
  }

  Fabric& fabric_;
  TrafficNode traffic_;
};

Traffic::Traffic(const sc_core::sc_module_name& name, Network& network, const TrafficConfig& config)
    : sc_module(name) {
  for (NodeId node = 0; node < network.config().nodes(); ++node) {
    const std::string endpoint = "node_" + std::to_string(node);
    endpoints_.push_back(std::make_unique<Endpoint>(endpoint.c_str(), network, node, config));
  }
}

Traffic::~Traffic() = default;

TrafficNode& Traffic::node(NodeId node) { return endpoints_[node]->traffic(); }

TrafficCounts Traffic::counts() const {
  TrafficCounts sum;
  for (const auto& endpoint : endpoints_) sum += endpoint->traffic().counts();
  return sum;
}

void Traffic::set_load(double load) {
  for (const auto& endpoint : endpoints_) endpoint->traffic().set_load(load);
}

}  // namespace annelid
