#include "traffic/statistics.hpp"

#include "systemc/network/route.hpp"

namespace annelid::traffic {

PacketStatistics::PacketStatistics(const systemc::NetworkConfig& network, Cycle begin, Cycle end)
    : config_(network), begin_(begin), end_(end), delivered_(network.nodes()) {}

void PacketStatistics::ejected(const Packet& p) {
  if (p.tail_ejected >= begin_ && p.tail_ejected < end_) delivered_[p.source] += p.flits;
  if (p.created < begin_ || p.created >= end_) return;
  total_.add(p.tail_ejected - p.created);
  network_.add(p.tail_ejected - p.injected);
  hops_.add(static_cast<std::uint64_t>(
      systemc::hops(config_, config_.address(p.source), config_.address(p.destination))));
}

}  // namespace annelid::traffic
