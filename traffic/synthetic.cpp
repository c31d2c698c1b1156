#include "traffic/synthetic.hpp"

#include <algorithm>

namespace annelid::traffic {

SyntheticWorkload::SyntheticWorkload(const SyntheticConfig& config,
                                     const systemc::NetworkConfig& network)
    : SyntheticWorkload(config, network, systemc::Slab(network, 0, 1)) {}

SyntheticWorkload::SyntheticWorkload(const SyntheticConfig& config,
                                     const systemc::NetworkConfig& network,
                                     const systemc::Slab& slab)
    : config_(config),
      pattern_(config.pattern, network),
      process_(config.injection, config.length.mean()) {
  sources_.reserve(network.nodes());
  for (NodeId n = 0; n < network.nodes(); ++n) {
    Source& s = sources_.emplace_back(Source{Random(config.seed, n)});
    if (!slab.has(n)) {
      if (process_.has_bursts()) bursts_.emplace_back();
      continue;
    }
    if (process_.has_bursts()) bursts_.push_back(process_.first_burst(s.random));
    if (!pattern_.sends(n)) continue;
    s.next = next_of(n, 0);
    if (s.next.at != kNever) agenda_.add(n, s.next.at);
  }
}

Creation SyntheticWorkload::next_of(NodeId node, Cycle from) {
  InjectionProcess::Burst always;
  return process_.next(from, bursts_.empty() ? always : bursts_[node], sources_[node].random);
}

void SyntheticWorkload::create(Cycle now, PacketSink& sink) {
  agenda_.take(now, due_);
  if (due_.size() > 1) std::ranges::sort(due_);
  for (const NodeId n : due_) {
    Source& s = sources_[n];
    if (!s.next.packet) s.next = next_of(n, now);  // maybe in this cycle
    if (s.next.packet && s.next.at == now) {
      const NodeId to = pattern_.destination(n, s.random);
      sink.send(n, to, config_.length.draw(s.random));
      s.next = next_of(n, now + 1);
    }
    if (s.next.at != kNever) agenda_.add(n, s.next.at);
  }
}

}  // namespace annelid::traffic
