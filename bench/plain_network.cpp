#include "bench/plain_network.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "systemc/network/route.hpp"

namespace annelid {

namespace {

void join_routers(const systemc::NetworkConfig& config, systemc::RouterAssembly& routers) {
  for (NodeId n = 0; n < config.nodes(); ++n) {
    for (Port p = 0; p < config.router.external_ports(); ++p) {
      const systemc::Neighbour next = neighbour(config, config.address(n), p);
      if (next.exists) routers.join(n, p, config.id(next.address), systemc::opposite(p));
    }
  }
}

}  // namespace

PlainNetwork::PlainNetwork(const systemc::NetworkConfig& config,
                           const systemc::TrafficConfig& traffic) {
  const NodeId nodes = config.nodes();
  auto routers = systemc::RouterAssembly::make(config, *this);
  routers->reserve(nodes);
  for (NodeId n = 0; n < nodes; ++n) {
    routers->add(config.address(n), n);
    nodes_.push_back(std::make_unique<systemc::TrafficNode>(traffic, config, n));
  }
  due_.assign(nodes + 1, 0);
  join_routers(config, *routers);
  join_nodes(config, *routers);
  routers_ = systemc::RouterAssembly::start(std::move(routers));
}

PlainNetwork::~PlainNetwork() = default;

void PlainNetwork::join_nodes(const systemc::NetworkConfig& config,
                              systemc::RouterAssembly& routers) {
  for (NodeId n = 0; n < config.nodes(); ++n) {
    nodes_[n]->connect(*this, static_cast<int>(n));
    nodes_[n]->share_drains(drains_, static_cast<int>(nodes_.size()));
    for (int l = 0; l < config.router.local_ports; ++l) {
      const int link = config.router.first_local() + l;
      nodes_[n]->connect(l, routers.end(n, link));
      routers.join(n, link, nodes_[n]->end(l));
    }
  }
}

void PlainNetwork::run(Cycle cycles) {
  for (const Cycle end = now_ + cycles; now_ < end; ++now_) {
    drains_.give(now_);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (due_[n] > now_) continue;
      due_[n] = kNever;  // a wake during the step may set it
      due_[n] = std::min(nodes_[n]->step(now_, nullptr), due_[n]);
    }
    routers_->step_plainly(now_);
  }
}

systemc::TrafficCounts PlainNetwork::counts() const {
  systemc::TrafficCounts sum;
  for (const auto& node : nodes_) sum += node->counts();
  return sum;
}

int PlainNetwork::add(systemc::Clocked&) {
  throw std::logic_error("PlainNetwork has no components");
}

void PlainNetwork::wake(int handle, Cycle at) {
  Cycle& due = due_[static_cast<std::size_t>(handle)];
  due = std::min(due, at);
}

}  // namespace annelid
