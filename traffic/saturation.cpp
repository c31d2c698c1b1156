#include "traffic/saturation.hpp"

#include <algorithm>
#include <cmath>

namespace annelid::traffic {
namespace {

constexpr double kLeastShare = 0.95, kPackets = 2, kDeviations = 3, kLatencyChange = 0.1;
constexpr double kRounding = 1e-9;  // of a sum of rates

/// The deviation of the flits that a source creates in so many cycles: a sum of a random number of
/// random lengths.
double deviation_of_flits(const SyntheticConfig& traffic, Cycle cycles) {
  const double mean = traffic.length.mean();
  double squares = 0;
  for (const PacketLength::Choice& c : traffic.length.choices()) {
    squares += c.probability * c.flits * c.flits;
  }
  const double packets = traffic.injection.load / mean * static_cast<double>(cycles);
  const double of_packets = variance_of_packets(traffic.injection, mean, cycles);
  return std::sqrt(packets * (squares - mean * mean) + of_packets * mean * mean);
}

double missing(const Shortfall& s) {
  return kLeastShare * static_cast<double>(s.created) - static_cast<double>(s.delivered);
}

bool differ(const LatencyEstimate& a, const LatencyEstimate& b) {
  if (!a.half_width || !b.half_width) return false;
  const double difference = std::abs(*a.mean - *b.mean);
  return difference > kLatencyChange * std::min(*a.mean, *b.mean) &&
         difference > *a.half_width + *b.half_width;
}

}  // namespace

const Shortfall& Saturation::worst() const {
  return *std::ranges::max_element(short_sources, {}, missing);
}

Saturation judge_saturation(const SyntheticConfig& traffic, const Analysis& analysis,
                            const OpenLoopResult& measured) {
  Saturation s;
  const PacketStatistics& packets = measured.packets_of_window;
  const double longest = traffic.length.choices().back().flits;
  s.tolerance = std::max(kPackets * longest,
                         kDeviations * deviation_of_flits(traffic, packets.window_cycles()));
  for (NodeId n = 0; n < packets.created_flits().size(); ++n) {
    const Shortfall source{n, packets.created_flits()[n], packets.delivered_flits()[n]};
    if (missing(source) > s.tolerance) s.short_sources.push_back(source);
  }
  s.channel_load = analysis.busiest.rate * traffic.injection.load;
  if (s.channel_load >= 1 - kRounding) s.channel = analysis.busiest;
  s.third_quarter = packets.latency_of_quarter(2, measured.cycles);
  s.last_quarter = packets.latency_of_quarter(3, measured.cycles);
  s.latency = differ(s.third_quarter, s.last_quarter);
  s.empty = measured.packets == 0;
  return s;
}

}  // namespace annelid::traffic
