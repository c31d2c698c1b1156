#include "traffic/synthetic.hpp"

#include <algorithm>

namespace annelid::traffic {

SyntheticWorkload::SyntheticWorkload(const SyntheticConfig& config,
                                     const systemc::NetworkConfig& network)
    : config_(config), pattern_(config.pattern, network) {
  const double mean = config.length.mean();
  validate(config.injection, mean);
  sources_.reserve(network.nodes());
  for (NodeId n = 0; n < network.nodes(); ++n) {
    Random random(config.seed, n);
    const InjectionProcess process(config.injection, mean, random);
    sources_.push_back({random, process});
    if (!pattern_.sends(n)) continue;
    Source& s = sources_.back();
    s.next = s.process.next(0, s.random);
    if (s.next.at != kNever) agenda_.add(n, s.next.at);
  }
}

void SyntheticWorkload::create(Cycle now, PacketSink& sink) {
  agenda_.take(now, due_);
  if (due_.size() > 1) std::ranges::sort(due_);
  for (const NodeId n : due_) {
    Source& s = sources_[n];
    if (!s.next.packet) s.next = s.process.next(now, s.random);  // maybe in this cycle
    if (s.next.packet && s.next.at == now) {
      const NodeId to = pattern_.destination(n, s.random);
      sink.send(n, to, config_.length.draw(s.random));
      s.next = s.process.next(now + 1, s.random);
    }
    if (s.next.at != kNever) agenda_.add(n, s.next.at);
  }
}

}  // namespace annelid::traffic
