#include "traffic/meters.hpp"

#include <algorithm>
#include <span>

#include "systemc/network/route.hpp"

namespace annelid::traffic {

ChannelMeter::ChannelMeter(const systemc::NetworkConfig& network)
    : ports_(static_cast<std::size_t>(network.router.ports())),
      local_ports_(static_cast<std::size_t>(network.router.local_ports)),
      outputs_(network.nodes() * ports_),
      injections_(network.nodes() * local_ports_) {}

void ChannelMeter::clear() {
  std::ranges::fill(outputs_, 0);
  std::ranges::fill(injections_, 0);
}

void ChannelMeter::take(const systemc::Network& network, const Endpoints& endpoints) {
  const systemc::Slab slab = network.slab();
  const std::size_t first = slab.first, end = slab.end;
  for (std::size_t i = first * ports_; i < end * ports_; ++i) {
    outputs_[i] = network.flits_by(static_cast<NodeId>(i / ports_), static_cast<Port>(i % ports_));
  }
  for (std::size_t i = first * local_ports_; i < end * local_ports_; ++i) {
    injections_[i] = endpoints.injections(static_cast<NodeId>(i / local_ports_),
                                          static_cast<int>(i % local_ports_));
  }
}

namespace {

/// Each process has counted for the nodes of its slab.
void gather_slabs(std::vector<std::uint64_t>& counts, std::size_t per_node, Exchange& exchange,
                  const systemc::Slab& slab) {
  const std::span own(&counts[slab.first * per_node], (slab.end - slab.first) * per_node);
  auto to = counts.begin();  // slabs follow each other
  for (const std::vector<std::uint64_t>& part : gathered<std::uint64_t>(exchange, own)) {
    to = std::ranges::copy(part, to).out;
  }
}

}  // namespace

void ChannelMeter::merge(const systemc::Cut& cut) {
  gather_slabs(outputs_, ports_, cut.exchange(), cut.slab());
  gather_slabs(injections_, local_ports_, cut.exchange(), cut.slab());
}

namespace {

bool has_buffer(const systemc::NetworkConfig& config, NodeId node, Port port) {
  return !config.router.is_external(port) || neighbour(config, config.address(node), port).exists;
}

/// The number of nodes that have a buffer at this input.
std::uint64_t buffers_at(const systemc::NetworkConfig& config, Port port) {
  const auto nodes = std::uint64_t{config.nodes()};
  if (!config.router.is_external(port)) return nodes;
  if (config.ideal || config.size_of(port / 2) == 1) return 0;
  if (config.is_ring(port / 2)) return nodes;
  return nodes - nodes / static_cast<std::uint64_t>(config.size_of(port / 2));
}

}  // namespace

const char* name_of(BufferClass buffer) {
  switch (buffer) {
    case BufferClass::kExternal:
      return "external";
    case BufferClass::kInternal:
      return "internal";
    default:
      return "injection";
  }
}

/// The class of the buffers at an input; nothing for the channels inside an ideal network.
std::optional<BufferClass> OccupancyMeter::class_of(const systemc::NetworkConfig& config,
                                                    Port port) {
  if (config.router.is_injection(port)) return BufferClass::kInjection;
  if (config.router.is_external(port)) return BufferClass::kExternal;
  if (config.ideal) return std::nullopt;
  return BufferClass::kInternal;
}

void OccupancyMeter::merge(Exchange& exchange) {
  std::vector<std::uint64_t> sums, most;
  for (const auto& vcs : fills_) {
    for (const Fill& fill : vcs) {
      sums.insert(sums.end(), {fill.samples, fill.flits, fill.used});
      most.push_back(~static_cast<std::uint64_t>(fill.most));
    }
  }
  exchange.sum(sums);
  exchange.least(most);
  std::size_t i = 0;
  for (auto& vcs : fills_) {
    for (Fill& fill : vcs) {
      fill = {sums[3 * i], sums[3 * i + 1], static_cast<int>(~most[i]), sums[3 * i + 2]};
      ++i;
    }
  }
}

template <typename F>
void OccupancyMeter::for_each(const systemc::NetworkConfig& config, F f) {
  const systemc::RouterConfig& router = config.router;
  for (Port p = 0; p < router.ports(); ++p) {
    const std::optional<BufferClass> buffer = class_of(config, p);
    if (!buffer) continue;
    for (Vc v = 0; v < router.input_data_vcs(p); ++v) {
      f(p, v, fills_[static_cast<std::size_t>(*buffer)][v]);
    }
  }
}

void OccupancyMeter::sample(systemc::Network& network) {
  for_each(network.config(), [&](Port p, Vc v, Fill& fill) { sample(network, p, v, fill); });
  ++times_;
}

void OccupancyMeter::note_used(systemc::Network& network) {
  for_each(network.config(), [&](Port p, Vc v, Fill& fill) {
    if (fill.used == 0) note_used(network, p, v, fill);
  });
}

void OccupancyMeter::note_used(systemc::Network& network, Port port, Vc vc, Fill& fill) {
  const systemc::Slab slab = network.slab();
  for (NodeId n = slab.first; n < slab.end && fill.used == 0; ++n) {
    fill.used = has_buffer(network.config(), n, port) && network.was_used(n, port, vc) ? 1 : 0;
  }
}

void OccupancyMeter::sample(systemc::Network& network, Port port, Vc vc, Fill& fill) {
  const systemc::NetworkConfig& config = network.config();
  const systemc::Slab slab = network.slab();
  if (const auto all = network.fill(port, vc)) {
    if (slab.process == 0) fill.samples += buffers_at(config, port);
    fill.flits += all->flits;
    fill.most = std::max(fill.most, all->most);
    return;
  }
  for (NodeId n = slab.first; n < slab.end; ++n) {
    if (!has_buffer(config, n, port)) continue;
    const auto flits = static_cast<int>(network.flits_in(n, port, vc));
    ++fill.samples;
    fill.flits += static_cast<std::uint64_t>(flits);
    fill.most = std::max(fill.most, flits);
  }
}

}  // namespace annelid::traffic
