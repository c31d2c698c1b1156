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
    const Cycle first = s.process.next(0, s.random);
    if (first != kNever) agenda_.add(n, first);
  }
}

void SyntheticWorkload::create(Cycle now, PacketSink& sink) {
  agenda_.take(now, due_);
  std::ranges::sort(due_);
  for (const NodeId n : due_) {
    Source& s = sources_[n];
    const NodeId to = pattern_.destination(n, s.random);
    sink.send(n, to, config_.length.draw(s.random));
    const Cycle next = s.process.next(now + 1, s.random);
    if (next != kNever) agenda_.add(n, next);
  }
}

}  // namespace annelid::traffic
