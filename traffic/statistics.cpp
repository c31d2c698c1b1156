#include "traffic/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "systemc/network/route.hpp"

namespace annelid::traffic {
namespace {

constexpr std::uint64_t kLeastPackets = 30;  // for an interval
constexpr double kStudent = 2.776;           // 97.5 % of Student's t with 5 - 1 degrees of freedom

}  // namespace

PacketStatistics::PacketStatistics(const systemc::NetworkConfig& network, Cycle begin, Cycle end)
    : config_(network),
      begin_(begin),
      end_(end),
      created_(network.nodes()),
      delivered_(network.nodes()) {
  address_.reserve(network.nodes());
  for (NodeId n = 0; n < network.nodes(); ++n) address_.push_back(network.address(n));
  // The first cycle of a batch is the least of which batch_of says so, or the window's end.
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    Cycle& first = first_cycle_[i];
    first = begin + window_cycles() / batches_.size() * i;
    while (first < end && batch_of(first) < i) ++first;
    while (first > begin && batch_of(first - 1) >= i) --first;
  }
}

std::size_t PacketStatistics::batch_of(Cycle created) const {
  const auto since = static_cast<double>(created - begin_);
  const double part = since / static_cast<double>(window_cycles());
  const auto number = static_cast<std::size_t>(part * static_cast<double>(batches_.size()));
  return std::min(number, batches_.size() - 1);  // rounding may reach the end
}

// Mostly it is the batch of the packet before.
PacketStatistics::Batch& PacketStatistics::batch(const Packet& packet) {
  while (packet.created < first_cycle_[batch_]) --batch_;
  while (batch_ + 1 < batches_.size() && packet.created >= first_cycle_[batch_ + 1]) ++batch_;
  return batches_[batch_];
}

void PacketStatistics::created(const Packet& p) {
  if (!in_window(p.created)) return;
  created_[p.source] += p.flits;
  Batch& b = batch(p);
  ++b.created;
  b.sum_created += p.created - begin_;
}

void PacketStatistics::ejected(const Packet& p) {
  if (in_window(p.tail_ejected)) delivered_[p.source] += p.flits;
  if (!in_window(p.created)) return;
  Batch& b = batch(p);
  ++b.ejected;
  b.sum_ejected += p.tail_ejected - begin_;
  total_.add(p.tail_ejected - p.created);
  network_.add(p.tail_ejected - p.injected);
  hops_.add(static_cast<std::uint64_t>(
      systemc::hops(config_, address_[p.source], address_[p.destination])));
}

void PacketStatistics::merge(Exchange& exchange) {
  for (Samples* each : {&total_, &network_, &hops_}) each->merge(exchange);
  exchange.sum(created_);
  exchange.sum(delivered_);
  std::vector<std::uint64_t> sums;
  for (const Batch& b : batches_) {
    sums.insert(sums.end(), {b.created, b.ejected, b.sum_created, b.sum_ejected});
  }
  exchange.sum(sums);
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    batches_[i] = {sums[4 * i], sums[4 * i + 1], sums[4 * i + 2], sums[4 * i + 3]};
  }
}

double PacketStatistics::Batch::latencies(Cycle now) const {
  const auto until_now = static_cast<double>(created - ejected) * static_cast<double>(now);
  return until_now + static_cast<double>(sum_ejected) - static_cast<double>(sum_created);
}

// The ratio of two sums over batches, of latencies and of packets: a batch deviates from it by its
// latencies less the mean for each of its packets.
LatencyEstimate PacketStatistics::latency_of_quarter(std::size_t quarter, Cycle now) const {
  const std::span<const Batch> batches(&batches_[quarter * kBatches], kBatches);
  const Cycle since = now - begin_;
  std::uint64_t packets = 0;
  double latencies = 0, squares = 0;
  for (const Batch& b : batches) {
    packets += b.created;
    latencies += b.latencies(since);
  }
  if (packets == 0) return {};
  const auto count = static_cast<double>(packets);
  const double mean = latencies / count;
  if (packets < kLeastPackets) return {mean, {}};
  for (const Batch& b : batches) {
    const double deviation = b.latencies(since) - mean * static_cast<double>(b.created);
    squares += deviation * deviation;
  }
  constexpr auto kN = static_cast<double>(kBatches);
  return {mean, kStudent * std::sqrt(squares * kN / (kN - 1)) / count};
}

}  // namespace annelid::traffic
