#include "traffic/meters.hpp"

#include <algorithm>

#include "systemc/network/route.hpp"

namespace annelid::traffic {

ChannelMeter::ChannelMeter(const systemc::NetworkConfig& network)
    : ports_(static_cast<std::size_t>(network.router.ports())),
      local_ports_(static_cast<std::size_t>(network.router.local_ports)),
      outputs_(network.nodes() * ports_),
      injections_(network.nodes() * local_ports_) {}

void ChannelMeter::take(const systemc::Network& network, const Endpoints& endpoints) {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    outputs_[i] = network.flits_by(static_cast<NodeId>(i / ports_), static_cast<Port>(i % ports_));
  }
  for (std::size_t i = 0; i < injections_.size(); ++i) {
    injections_[i] = endpoints.injections(static_cast<NodeId>(i / local_ports_),
                                          static_cast<int>(i % local_ports_));
  }
}

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

void OccupancyMeter::sample(systemc::Network& network) {
  const systemc::NetworkConfig& config = network.config();
  const systemc::RouterConfig& router = config.router;
  for (NodeId n = 0; n < config.nodes(); ++n) {
    for (Port p = 0; p < router.ports(); ++p) {
      BufferClass buffer = BufferClass::kInternal;
      if (router.is_injection(p)) {
        buffer = BufferClass::kInjection;
      } else if (router.is_external(p)) {
        if (!neighbour(config, config.address(n), p).exists) continue;
        buffer = BufferClass::kExternal;
      } else if (config.ideal) {
        continue;
      }
      for (Vc v = 0; v < router.input_data_vcs(p); ++v) {
        Fill& fill = fills_[static_cast<std::size_t>(buffer)][v];
        const auto flits = static_cast<int>(network.flits_in(n, p, v));
        ++fill.samples;
        fill.flits += static_cast<std::uint64_t>(flits);
        fill.most = std::max(fill.most, flits);
      }
    }
  }
  ++times_;
}

}  // namespace annelid::traffic
