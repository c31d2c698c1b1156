#include "traffic/analysis.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace annelid::traffic {
namespace {

/// Hops along dimension d, positive up, negative down: section 5.1.
int way(const systemc::NetworkConfig& network, int d, int from, int to) {
  const int size = network.size_of(d);
  if (!network.is_ring(d)) return to - from;
  const int up = ((to - from) % size + size) % size;
  return 2 * up <= size ? up : up - size;
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
    for (int d = 0; d < network_.dims(); ++d) {
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
  struct Line {
    std::array<std::vector<double>, 2> pass, leave, arrive;
  };

  Line count_pairs(int d) const {
    const int size = network_.size_of(d);
    Line line;
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
    const Line line = count_pairs(d);
    double before = 1, after = 1;  // nodes along the dimensions before and after d
    for (int e = 0; e < d; ++e) before *= network_.size_of(e);
    for (int e = d + 1; e < network_.dims(); ++e) after *= network_.size_of(e);
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

// Flit k of a packet can leave in cycle k, but not before the place that flit k - D had filled is
// free again. The loop between routers is the longest one; in the ideal network, the receiving
// NIC's (section 9).
std::uint64_t serialization(const systemc::NetworkConfig& network, std::uint64_t flits) {
  const systemc::RouterConfig& router = network.router;
  const std::uint64_t between_routers =
      2 + 2 * static_cast<std::uint64_t>(router.link_registers) + (router.stages > 1 ? 2u : 0u);
  const std::uint64_t loop = network.ideal ? 3 : between_routers;
  const auto depth = static_cast<std::uint64_t>(router.depth);
  const std::uint64_t last = flits - 1;
  return depth >= loop ? last : last / depth * loop + last % depth;
}

std::uint64_t zero_load_latency(const systemc::NetworkConfig& network, int hops,
                                std::uint64_t flits) {
  const systemc::RouterConfig& router = network.router;
  if (network.ideal) return 2 + serialization(network, flits);
  const int switches = router.one_port() ? hops + router.dims : hops + 1;
  return static_cast<std::uint64_t>(router.stages * switches + router.link_registers * hops) +
         serialization(network, flits);
}

Analysis analyze(const systemc::NetworkConfig& network, const Demand& demand,
                 const PacketLength& length) {
  const systemc::RouterConfig& router = network.router;
  Analysis a;
  a.rates = expected_rates(network, demand);
  double offered = 0, hops = 0, external = 0, ejection = 0;
  for (const double rate : a.rates.injections) offered += rate;
  for (NodeId n = 0; n < network.nodes(); ++n) {
    for (int o = 0; o < router.ports(); ++o) {
      const double rate =
          a.rates
              .outputs[n * static_cast<std::size_t>(router.ports()) + static_cast<std::size_t>(o)];
      if (router.is_external(o)) hops += rate;
      double& most = router.is_ejection(o) ? ejection : external;
      most = std::max(most, rate);
    }
  }
  a.mean_hops = network.ideal ? 1 : hops / offered;
  const double switches = router.one_port() ? a.mean_hops + router.dims : a.mean_hops + 1;
  a.zero_load_latency =
      network.ideal ? 2 : router.stages * switches + router.link_registers * a.mean_hops;
  for (const PacketLength::Choice& c : length.choices()) {
    a.zero_load_latency += c.probability * static_cast<double>(serialization(network, c.flits));
  }
  const double injection = *std::max_element(a.rates.injections.begin(), a.rates.injections.end());
  const double most = std::max({external, ejection, injection});
  a.ideal_throughput = 1 / most;
  a.bound_by_injection = external < most && injection == most;
  a.bound_by_ejection = external < most && !a.bound_by_injection;
  return a;
}

}  // namespace annelid::traffic
