#include "bench/plain_network.hpp"

#include <algorithm>
#include <stdexcept>

#include "systemc/route.hpp"

namespace annelid {

/// A router's end of a local link.
class PlainNetwork::Inlet final : public LinkIf {
 public:
  Inlet(PlainNetwork& network, NodeId node, Port port)
      : network_(network), node_(node), port_(port) {}
  void put_flit(const Flit& flit) override {
    network_.kernels_[node_].take_flit(port_, flit, network_.now_);
    wake();
  }
  void put_credit(Vc vc) override {
    network_.kernels_[node_].take_credit(port_, vc, network_.now_);
    wake();
  }

 private:
  void wake() { network_.awake_[(network_.now_ + 1) & 1][node_] = 1; }

  PlainNetwork& network_;
  NodeId node_;
  Port port_;
};

PlainNetwork::PlainNetwork(const NetworkConfig& config, const TrafficConfig& traffic) {
  const NodeId nodes = config.nodes();
  rings_.assign(nodes, std::vector<Flit>(RouterKernel::ring_flits(config.router)));
  kernels_.reserve(nodes);
  for (NodeId n = 0; n < nodes; ++n) {
    kernels_.emplace_back(config, config.address(n), n, rings_[n].data());
    nodes_.push_back(std::make_unique<TrafficNode>(traffic, config, n));
  }
  due_.assign(nodes, 0);
  for (auto& awake : awake_) awake.assign(nodes, 0);
  join_routers(config);
  join_nodes(config);
}

PlainNetwork::~PlainNetwork() = default;

void PlainNetwork::join_routers(const NetworkConfig& config) {
  for (NodeId n = 0; n < config.nodes(); ++n) {
    for (Port p = 0; p < config.router.external_ports(); ++p) {
      const Neighbour next = neighbour(config, config.address(n), p);
      if (!next.exists) continue;
      const NodeId there = config.id(next.address);
      kernels_[n].join(p, {.kernel = &kernels_[there], .index = there, .port = opposite(p)});
    }
  }
}

void PlainNetwork::join_nodes(const NetworkConfig& config) {
  for (NodeId n = 0; n < config.nodes(); ++n) {
    nodes_[n]->connect(*this, static_cast<int>(n));
    for (int l = 0; l < config.router.local_ports; ++l) {
      const auto port = config.router.injection_input(l);
      inlets_.push_back(std::make_unique<Inlet>(*this, n, port));
      nodes_[n]->connect(l, *inlets_.back());
      kernels_[n].join(port, {.other = &nodes_[n]->end(l)});
    }
  }
}

void PlainNetwork::run(Cycle cycles) {
  for (const Cycle end = now_ + cycles; now_ < end; ++now_) {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (due_[n] > now_) continue;
      due_[n] = kNever;  // a wake during the step may set it
      due_[n] = std::min(nodes_[n]->step(now_, nullptr), due_[n]);
    }
    auto& awake = awake_[now_ & 1];
    context_.now = now_;
    context_.awake_next = awake_[(now_ + 1) & 1].data();
    for (std::size_t n = 0; n < kernels_.size(); ++n) {
      if (awake[n] == 0) continue;
      awake[n] = 0;
      if (kernels_[n].step<false>(context_)) context_.awake_next[n] = 1;
    }
  }
}

TrafficCounts PlainNetwork::counts() const {
  TrafficCounts sum;
  for (const auto& node : nodes_) sum += node->counts();
  return sum;
}

int PlainNetwork::add(Clocked&) { throw std::logic_error("PlainNetwork has no components"); }

void PlainNetwork::wake(int handle, Cycle at) {
  Cycle& due = due_[static_cast<std::size_t>(handle)];
  due = std::min(due, at);
}

}  // namespace annelid
