#include "testbench/systemc/traffic_node.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "systemc/network/route.hpp"
#include "systemc/network/slot.hpp"

namespace annelid::systemc {

TrafficCounts& TrafficCounts::operator+=(const TrafficCounts& other) {
  packets_created += other.packets_created;
  packets_injected += other.packets_injected;
  packets_ejected += other.packets_ejected;
  flits_injected += other.flits_injected;
  flits_ejected += other.flits_ejected;
  latency_sum += other.latency_sum;
  return *this;
}

/// First in, first out, in one piece of memory.
class TrafficNode::PacketQueue {
 public:
  [[nodiscard]] bool empty() const { return packets_.empty(); }
  [[nodiscard]] const Packet& front() const { return packets_[first_]; }
  void push(const Packet& packet) { packets_.push_back(packet); }
  void pop() {
    ++first_;
    if (first_ == packets_.size() || first_ == kMostSpent) {
      packets_.erase(packets_.begin(), packets_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
  }

 private:
  static constexpr std::size_t kMostSpent = 64;  // packets before the first, which are over
  std::vector<Packet> packets_;
  std::size_t first_ = 0;
};

/// A VC of a local link, both ways.
struct TrafficNode::Channel {
  std::uint32_t credits;
  std::uint32_t sent = 0;  // flits of the queue's front packet
  PacketQueue queue;
  std::uint32_t buffered = 0;  // flits to drain
  // The packet that is arriving: its flits up to now, the data of its first two and of one more.
  std::uint32_t received = 0;
  std::array<std::uint64_t, 3> data{};
  Cycle head_cycle = 0;
};

/// The node's end of a local link. What the router puts there waits in an inbox for a later cycle;
/// the node is woken for a credit only if a packet waits for it, and for a flit only if its sink
/// may stall.
class TrafficNode::Local final : public LinkIf {
 public:
  void put_flit(const Flit& flit) override {
    const Cycle now = node->scheduler_->now();
    node->receive(*this, flit, now);
    if (node->drains_ != nullptr) {
      if (node->drains_->add(now, *router, flit.vc)) {
        node->scheduler_->wake(node->drains_handle_, now + 1);
      }
      return;
    }
    absorb(now);
    flit_inbox = {now, static_cast<std::uint8_t>(1u << flit.vc)};
    node->awaken(number, now);
  }
  void put_credit(Vc vc) override {
    const Cycle now = node->scheduler_->now();
    absorb(now);
    credit_inbox = {now, static_cast<std::uint8_t>(1u << vc)};
    if ((queued >> vc & 1) != 0) node->awaken(number, now);
  }

  /// What came before cycle `now`.
  void absorb(Cycle now) {
    // Without a jump, as no processor foresees whether there is a credit.
    const unsigned credited = credit_inbox.take(now);
    channels[std::countr_zero(credited | 1u << kMaxVcs) % kMaxVcs].credits += credited != 0;
    credit |= static_cast<std::uint8_t>(credited);
    if (const unsigned vc = flit_inbox.take(now); vc != 0) {
      ++channels[std::countr_zero(vc)].buffered;
      occupied |= static_cast<std::uint8_t>(vc);
    }
  }
  /// Whether there may be anything to do in the next cycle.
  [[nodiscard]] bool busy() const {
    return (queued & (credit | credit_inbox.vc)) != 0 || (occupied | flit_inbox.vc) != 0;
  }

  struct Inbox {
    Cycle at = 0;
    std::uint8_t vc = 0;  // bit vc: at most one
    unsigned take(Cycle now) {
      const unsigned due = at < now ? 0xff : 0;
      return std::exchange(vc, static_cast<std::uint8_t>(vc & ~due)) & due;
    }
  };

  TrafficNode* node = nullptr;
  LinkIf* router = nullptr;
  Channel* channels = nullptr;  // by VC
  Inbox flit_inbox, credit_inbox;
  std::uint8_t number = 0;
  std::uint8_t queued = 0, credit = 0;    // VCs with packets to send, with credits
  std::uint8_t occupied = 0;              // VCs with flits to drain
  Vc next_injection = 0, next_drain = 0;  // round-robin over the VCs
};

TrafficNode::Channel& TrafficNode::channel(const Local& local, Vc vc) { return local.channels[vc]; }

TrafficNode::TrafficNode(const TrafficConfig& config, const NetworkConfig& network, NodeId node)
    : config_(config),
      network_(network),
      node_(node),
      address_(network.address(node)),
      source_random_(config.seed, 2 * std::uint64_t{node}),
      sink_random_(config.seed, 2 * std::uint64_t{node} + 1),
      vcs_(static_cast<std::size_t>(network.router.all_local_vcs())),
      locals_(static_cast<std::size_t>(network.router.local_ports)) {
  if (network.nodes() < 2) {
    throw ConfigError("network.size", "1 node", "at least 2, for traffic between them");
  }
  if (config.packet_flits < 1) {
    throw ConfigError("traffic.packet_flits", std::to_string(config.packet_flits), "at least 1");
  }
  for (std::size_t l = 0; l < locals_.size(); ++l) {
    locals_[l].node = this;
    locals_[l].number = static_cast<std::uint8_t>(l);
    locals_[l].credit = static_cast<std::uint8_t>((1u << vcs_) - 1);
  }
  channels_.resize(locals_.size() * vcs_);
  for (Channel& channel : channels_) {
    channel.credits = static_cast<std::uint32_t>(network.router.depth);
  }
  for (Local& local : locals_) local.channels = &channels_[local.number * vcs_];
  choose_load(config.load);
  plan_next(kNever);  // the first gap starts before cycle 0
}

TrafficNode::~TrafficNode() = default;

void TrafficNode::connect(Scheduler& scheduler, int handle) {
  scheduler_ = &scheduler;
  handle_ = handle;
}

void TrafficNode::share_drains(DelayedCredits& drains, int handle) {
  if (config_.sink_stall > 0) return;
  drains_ = &drains;
  drains_handle_ = handle;
}

void TrafficNode::connect(int local, LinkIf& router_end) {
  locals_[static_cast<std::size_t>(local)].router = &router_end;
}

LinkIf& TrafficNode::end(int local) { return locals_[static_cast<std::size_t>(local)]; }

void TrafficNode::set_load(double load) {
  choose_load(load);
  plan_next(scheduler_->now());
  wake(scheduler_->now() + 1);
}

void TrafficNode::choose_load(double load) {
  config_.load = load;
  const double per_cycle = load / config_.packet_flits;
  log_no_packet_ = per_cycle < 1 ? std::log(1 - per_cycle) : 0;
}

// A geometric gap is what one Bernoulli trial per cycle gives, for one random number per packet.
void TrafficNode::plan_next(Cycle now) {
  const double per_cycle = config_.load / config_.packet_flits;
  if (per_cycle <= 0 || sequence_ >= config_.packets) {
    next_packet_ = kNever;
  } else if (per_cycle >= 1) {
    next_packet_ = now + 1;
  } else {
    const double failures = std::log(1 - source_random_.uniform()) / log_no_packet_;
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
  wake(scheduler_->now() + 1);
}

void TrafficNode::queue(Cycle now, Address destination, std::uint16_t tag, int flits) {
  const auto l = first_output(network_, address_, destination) % locals_.size();
  Local& local = locals_[l];
  const auto vc = static_cast<Vc>(sequence_ % vcs_);
  channel(local, vc).queue.push(
      {now, {destination, address_, tag}, sequence_, static_cast<std::uint32_t>(flits)});
  local.queued |= static_cast<std::uint8_t>(1u << vc);
  busy_ |= unsigned{local.busy()} << l;
  ++sequence_;
  ++counts_.packets_created;
}

void TrafficNode::wake(Cycle at) {
  if (awake_in_ == at) return;
  awake_in_ = at;
  scheduler_->wake(handle_, at);
}

void TrafficNode::awaken(std::size_t l, Cycle now) {
  busy_ |= 1u << l;
  wake(now + 1);
}

Cycle TrafficNode::step(Cycle now, FabricObserver* observer) {
  if (now == next_packet_) create(now);
  for (unsigned rest = busy_; rest != 0;) {
    const unsigned l = take_lowest(rest);
    Local& local = locals_[l];
    local.absorb(now);
    if ((local.queued & local.credit) != 0) inject(local, now, observer);
    if (local.occupied != 0) drain(local);
    if (!local.busy()) busy_ &= ~(1u << l);
  }
  if (busy_ == 0) return next_packet_;
  return awake_in_ = now + 1;
}

void TrafficNode::inject(Local& local, Cycle now, FabricObserver* observer) {
  const auto vc = static_cast<Vc>(round_robin(local.queued & local.credit, local.next_injection));
  local.next_injection = static_cast<Vc>(vc + 1u == vcs_ ? 0 : vc + 1u);

  Channel& channel = this->channel(local, vc);
  const Packet& packet = channel.queue.front();
  const std::uint32_t flits = packet.flits;
  const HeadFields head = packet.head;
  const std::uint32_t k = channel.sent++;
  const std::uint64_t later = std::uint64_t{node_} << 48 | std::uint64_t{packet.sequence} << 16 | k;
  const std::array<std::uint64_t, 3> data = {pack(head), packet.created, later};
  const Flit flit{.data = data[std::min(k, 2u)], .vc = vc, .head = k == 0, .tail = k + 1 == flits};
  if (--channel.credits == 0) local.credit &= static_cast<std::uint8_t>(~(1u << vc));
  ++counts_.flits_injected;
  counts_.packets_injected += flit.head;
  if (flit.tail) {
    channel.queue.pop();
    channel.sent = 0;
    if (channel.queue.empty()) local.queued &= static_cast<std::uint8_t>(~(1u << vc));
  }
  local.router->put_flit(flit);
  if (observer == nullptr) return;
  if (flit.head) {
    const std::uint32_t bytes = flits > 2 ? (flits - 2) * 8 : 0;
    observer->packet(now, node_, local.number, {.head = head, .bytes = bytes, .step = 1});
  }
  observer->injected(now, node_, local.number, flit);
}

void TrafficNode::drain(Local& local) {
  if (config_.sink_stall > 0 && sink_random_.uniform() < config_.sink_stall) return;
  const auto vc = static_cast<Vc>(round_robin(local.occupied, local.next_drain));
  local.next_drain = static_cast<Vc>(vc + 1u == vcs_ ? 0 : vc + 1u);
  if (--channel(local, vc).buffered == 0) local.occupied &= static_cast<std::uint8_t>(~(1u << vc));
  local.router->put_credit(vc);
}

// While the flit is on the ejection channel; only its place in the buffer waits a cycle. Which flit
// of its packet it is cannot be foreseen, so but for the tail there is no jump.
void TrafficNode::receive(const Local& local, const Flit& flit, Cycle now) {
  Channel& channel = this->channel(local, flit.vc);
  const std::uint32_t k = flit.head ? 0 : channel.received;
  channel.received = k + 1;
  channel.data[std::min(k, 2u)] = flit.data;
  channel.head_cycle = flit.head ? now : channel.head_cycle;
  ++counts_.flits_ejected;
  if (!flit.tail) return;
  ++counts_.packets_ejected;
  if (k > 0) counts_.latency_sum += now - channel.data[1];
  if (!config_.keep_arrivals) return;
  arrivals_.push_back(
      {unpack_head(channel.data[0]), channel.head_cycle, now, k + 1, local.number, flit.vc});
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
  const int handle = network.fabric().add(*this);
  for (NodeId node = 0; node < network.config().nodes(); ++node) {
    const std::string endpoint = "node_" + std::to_string(node);
    endpoints_.push_back(std::make_unique<Endpoint>(endpoint.c_str(), network, node, config));
    endpoints_.back()->traffic().share_drains(drains_, handle);
  }
}

Cycle Traffic::step(Cycle now) {
  drains_.give(now);
  return kNever;
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

}  // namespace annelid::systemc
