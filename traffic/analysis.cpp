#include "traffic/analysis.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "traffic/zero_load.hpp"

namespace annelid::traffic {
namespace {

/// Hops along dimension d, positive up, negative down: section 5.1.
int way(const systemc::NetworkConfig& network, int d, int from, int to) {
  const int size = network.size_of(d);
  if (!network.is_ring(d)) return to - from;
  const int up = ((to - from) % size + size) % size;
  return 2 * up <= size ? up : up - size;
}

/// The order in which packets take the dimensions: section 5.1.
std::vector<int> order_of_dimensions(const systemc::NetworkConfig& network) {
  std::vector<int> order(static_cast<std::size_t>(network.dims()));
  std::iota(order.begin(), order.end(), 0);
  switch (network.router.routing) {
    case systemc::RoutingKind::kXy:
      return order;
    case systemc::RoutingKind::kYx:
      std::ranges::reverse(order);
      return order;
  }
  throw std::logic_error("a routing function that the analysis does not know");
}

int step(const systemc::NetworkConfig& network, int d, int at, bool up) {
  const int size = network.size_of(d);
  return (at + (up ? 1 : size - 1)) % size;
}

/// Adds the rates of demands to channels.
class RateCounter {
 public:
  explicit RateCounter(const systemc::NetworkConfig& network)
      : network_(network),
        router_(network.router),
        order_(order_of_dimensions(network)),
        ports_(static_cast<std::size_t>(router_.ports())),
        locals_(static_cast<std::size_t>(router_.local_ports)) {
    rates_.outputs.resize(network.nodes() * ports_);
    rates_.injections.resize(network.nodes() * locals_);
  }

  /// One pair, hop by hop.
  void add(const Flow& flow) {
    Address at = network_.address(flow.source);
    const Address to = network_.address(flow.destination);
    int first = -1, last = -1;  // external outputs
    for (const int d : order_) {
      const int distance = way(network_, d, at[d], to[d]);
      const bool up = distance > 0;
      const int output = 2 * d + (up ? 0 : 1);
      for (int i = 0; i < std::abs(distance); ++i) {
        if (!network_.ideal) out(network_.id(at), output) += flow.share;
        at[d] = static_cast<std::uint8_t>(step(network_, d, at[d], up));
        if (first < 0) first = output;
        last = output;
      }
      if (has_through_) out(network_.id(at), through(d)) += flow.share;
    }
    inject(flow.source, first) += flow.share;
    rates_.last_hops[static_cast<std::size_t>(last / 2)] += flow.share;
    if (!has_through_) eject(flow.destination, last) += flow.share;
  }

  /// Every source's `share`, evenly to all other nodes. Dimension order makes the number of pairs
  /// that use a channel a product of one number per dimension.
  void add_uniform(double share) {
    if (share == 0) return;
    const double per_pair = share / (network_.nodes() - 1);
    for (int d = 0; d < network_.dims(); ++d) add_uniform(d, per_pair);
  }

  ChannelRates take() { return std::move(rates_); }

 private:
  /// Per coordinate of a dimension: pairs (from, to) that pass the output up or down there; `to`
  /// for which a packet from there starts up or down; `from` from which one arrives there up or
  /// down.
  struct PairCounts {
    std::array<std::vector<double>, 2> pass, leave, arrive;
  };

  PairCounts count_pairs(int d) const {
    const int size = network_.size_of(d);
    PairCounts line;
    for (auto* counts : {&line.pass, &line.leave, &line.arrive}) {
      for (auto& direction : *counts) direction.resize(static_cast<std::size_t>(size));
    }
    for (int from = 0; from < size; ++from) {
      for (int to = 0; to < size; ++to) {
        const int distance = way(network_, d, from, to);
        if (distance == 0) continue;
        const std::size_t down = distance < 0 ? 1 : 0;
        line.leave[down][static_cast<std::size_t>(from)] += 1;
        line.arrive[down][static_cast<std::size_t>(to)] += 1;
        for (int at = from; at != to; at = step(network_, d, at, down == 0)) {
          line.pass[down][static_cast<std::size_t>(at)] += 1;
        }
      }
    }
    return line;
  }

  void add_uniform(int d, double per_pair) {
    const PairCounts line = count_pairs(d);
    double before = 1, after = 1;  // nodes along the dimensions that come before and after d
    bool is_after = false;
    for (const int e : order_) {
      if (e != d) (is_after ? after : before) *= network_.size_of(e);
      is_after |= e == d;
    }
    // The last hop is along d for pairs that differ there, and not in the dimensions after it.
    rates_.last_hops[static_cast<std::size_t>(d)] +=
        per_pair * before * network_.nodes() * (network_.size_of(d) - 1);
    for (NodeId n = 0; n < network_.nodes(); ++n) {
      const std::size_t at = network_.address(n)[d];
      for (std::size_t down = 0; down < 2; ++down) {
        const int output = 2 * d + static_cast<int>(down);
        // Sources differ freely before d, destinations after it.
        if (!network_.ideal) out(n, output) += per_pair * before * line.pass[down][at] * after;
        // The first hop is along d: the same coordinates before, any after.
        inject(n, output) += per_pair * line.leave[down][at] * after;
        // The last hop is along d: the same coordinates after, any before.
        if (!has_through_) eject(n, output) += per_pair * line.arrive[down][at] * before;
      }
      // All but the messages to oneself, wherever they turn.
      if (has_through_) out(n, through(d)) += per_pair * (network_.nodes() - 1);
    }
  }

  [[nodiscard]] int through(int d) const { return 2 * router_.dims + d; }
  double& out(NodeId node, int output) {
    return rates_.outputs[node * ports_ + static_cast<std::size_t>(output)];
  }
  double& inject(NodeId node, int first_output) {
    return rates_.injections[node * locals_ + static_cast<std::size_t>(first_output) % locals_];
  }
  /// An all-port router, and the ideal network, ejects at the last external input modulo L; +x
  /// arrives at input -x.
  double& eject(NodeId node, int last_output) {
    const std::size_t input = static_cast<std::size_t>(last_output) ^ 1u;
    return out(node, router_.ejection_output(static_cast<int>(input % locals_)));
  }

  const systemc::NetworkConfig& network_;
  const systemc::RouterConfig& router_;
  std::vector<int> order_;  ///< of dimensions
  std::size_t ports_, locals_;
  bool has_through_ = router_.one_port() && !network_.ideal;  ///< switch after switch in a router
  ChannelRates rates_;
};

}  // namespace

ChannelRates expected_rates(const systemc::NetworkConfig& network, const Demand& demand) {
  RateCounter counter(network);
  counter.add_uniform(demand.uniform);
  for (const Flow& flow : demand.flows) counter.add(flow);
  return counter.take();
}

namespace {

/// Latency of an idle network, over all pairs and lengths.
double mean_zero_load(const systemc::NetworkConfig& network, const Analysis& a,
                      const PacketLength& length) {
  const auto longest = length.choices().back().flits;
  std::vector<std::vector<std::uint64_t>> behind;  // by dimension of the last hop
  behind.reserve(static_cast<std::size_t>(network.dims()));
  for (int d = 0; d < network.dims(); ++d) behind.push_back(behind_head(network, d, longest));
  const auto& last_hops = a.rates.last_hops;
  const double pairs = std::accumulate(last_hops.begin(), last_hops.end(), 0.0);
  double latency = head_latency(network, a.mean_hops);
  for (const PacketLength::Choice& c : length.choices()) {
    const auto first = static_cast<double>(behind[0][c.flits - 1]);
    double tail = first;
    for (std::size_t d = 1; d < behind.size(); ++d) {
      tail += last_hops[d] / pairs * (static_cast<double>(behind[d][c.flits - 1]) - first);
    }
    latency += c.probability * tail;
  }
  return latency;
}

}  // namespace

Analysis analyze(const systemc::NetworkConfig& network, const Demand& demand,
                 const PacketLength& length) {
  const systemc::RouterConfig& router = network.router;
  const auto ports = static_cast<std::size_t>(router.ports());
  const auto locals = static_cast<std::size_t>(router.local_ports);
  Analysis a;
  a.rates = expected_rates(network, demand);
  const auto& injections = a.rates.injections;
  double hops = 0;
  BusyChannel external, ejection, injection;
  injection.kind = BusyChannel::Kind::kInjection;
  ejection.kind = BusyChannel::Kind::kEjection;
  const auto note = [](BusyChannel& most, double rate, std::size_t index, std::size_t per_node) {
    if (rate <= most.rate) return;
    most.rate = rate;
    most.node = static_cast<NodeId>(index / per_node);
    most.port = static_cast<Port>(index % per_node);
  };
  for (std::size_t i = 0; i < a.rates.outputs.size(); ++i) {
    const auto output = static_cast<int>(i % ports);
    if (router.is_external(output)) hops += a.rates.outputs[i];
    note(router.is_ejection(output) ? ejection : external, a.rates.outputs[i], i, ports);
  }
  for (std::size_t i = 0; i < injections.size(); ++i) note(injection, injections[i], i, locals);
  const double offered = std::accumulate(injections.begin(), injections.end(), 0.0);
  a.mean_hops = network.ideal ? 1 : hops / offered;
  a.zero_load_latency = mean_zero_load(network, a, length);
  a.busiest = external;
  if (injection.rate > a.busiest.rate) a.busiest = injection;
  if (ejection.rate > a.busiest.rate) a.busiest = ejection;
  a.ideal_throughput = 1 / a.busiest.rate;
  return a;
}

}  // namespace annelid::traffic
