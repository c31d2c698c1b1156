#include "studies/check/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "simulation/scenario/auto_choice.hpp"
#include "simulation/scenario/count_keys.hpp"
#include "simulation/scenario/hybrid_keys.hpp"
#include "simulation/scenario/memory_layout.hpp"
#include "simulation/scenario/mode_keys.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/prepared_keys.hpp"
#include "simulation/scenario/radix_keys.hpp"
#include "simulation/scenario/rank_keys.hpp"
#include "studies/check/cost.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::studies {
namespace {

using reference::Algorithm;

// Seconds of one call, as estimated.
constexpr double kCheap = 0.005;  ///< made in all combinations of firmware and router
constexpr double kDear = 0.05;    ///< made on each firmware; beyond, once
constexpr double kLong = 0.5;     ///< beyond, once for each payload, on one network of four
constexpr std::size_t kNetworksPerLongCall = 4;
constexpr double kMostSeconds = 10;  ///< beyond, not made

/// Algorithms by rank know no dimensions: one network of three shows as much.
constexpr std::size_t kNetworksPerRankAlgorithm = 3;

/// "8x8", "16", "4x4x5"; rings: "t" for each dimension that is one, "m" for one that is not.
systemc::NetworkConfig network_of(std::array<int, 3> size, const char* rings) {
  systemc::NetworkConfig network;
  network.size = size;
  systemc::RouterConfig& router = network.router;
  router.dims = static_cast<int>(std::string_view(rings).size());
  for (std::size_t d = 0; d < static_cast<std::size_t>(router.dims); ++d) {
    router.torus[d] = rings[d] == 't';
  }
  router.local_ports = 2 * router.dims;
  router.vcs = router.has_rings() ? 2 : 1;
  router.depth = router.default_depth();
  return network;
}

systemc::NetworkConfig with_router(systemc::NetworkConfig network, systemc::RouterKind kind) {
  network.router.kind = kind;
  network.router.local_ports = network.router.one_port() ? 1 : 2 * network.router.dims;
  return network;
}

/// Why a call cannot be made.
std::optional<LeftOut::Why> obstacle(const simulation::Collective& call, const CallCost& cost,
                                     bool quick) {
  using enum LeftOut::Why;
  const std::uint64_t most_bytes = std::uint64_t{quick ? 4U : 256U} << 20;
  if (std::max(cost.longest(call.bytes), static_cast<double>(simulation::longest_buffer(call))) >
      static_cast<double>(simulation::kLongestMessage)) {
    return kTooLong;
  }
  if (simulation::layout_of(call).end > simulation::kMostNodeMemory ||
      simulation::buffer_bytes(call) > most_bytes)
    return kTooLarge;
  constexpr double kQuickFlitHops = 200'000;
  const bool affordable = quick ? cost.flit_hops(call.bytes) <= kQuickFlitHops
                                : cost.seconds(call.bytes, true) <= kMostSeconds;
  return affordable ? std::nullopt : std::optional(kTooDear);
}

/// Deals the calls of an algorithm out to the combinations of a firmware and a router. In their
/// order the first and the second differ in both, and so do the third and the fourth: a call that
/// two of them make, or two calls of a network that one each makes, see either of both.
class Dealer {
 public:
  Dealer(std::size_t firmwares, std::size_t routers)
      : firmwares_(firmwares), routers_(routers), all_(firmwares * routers) {}

  void begin_network() { single_ = (single_ + firmwares_ - 1) / firmwares_ * firmwares_; }

  /// Places of the `count` combinations whose turn it is to make a call with this payload.
  std::vector<std::size_t> deal(std::uint64_t bytes, std::size_t count) {
    std::size_t& next = count == 1 ? single_ : next_[bytes];
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < count; ++i) places.push_back(next++ % all_);
    return places;
  }

  [[nodiscard]] std::size_t combinations() const { return all_; }
  [[nodiscard]] std::size_t firmwares() const { return firmwares_; }
  [[nodiscard]] std::size_t firmware(std::size_t place) const { return place % firmwares_; }
  [[nodiscard]] std::size_t router(std::size_t place) const {
    return (place % firmwares_ + place / firmwares_) % routers_;
  }

 private:
  const std::size_t firmwares_, routers_, all_;
  std::size_t single_ = 0;                     ///< of calls that one combination makes
  std::map<std::uint64_t, std::size_t> next_;  ///< of others, by payload
};

/// Plans one algorithm, network by network.
class AlgorithmPlan {
 public:
  AlgorithmPlan(const CheckRequest& request, const Algorithm& algorithm, CheckPlan& plan)
      : request_(request),
        algorithm_(algorithm),
        plan_(plan),
        dealer_(request.firmwares.size(), request.routers.size()) {}

  /// On a network that the algorithm supports; `long_ones`: also those that others stand for.
  void add(const systemc::NetworkConfig& config, const std::vector<simulation::Collective>& calls,
           bool long_ones) {
    const reference::Network network = simulation::reference_network(config);
    costs_.clear();
    std::vector<CheckJob> jobs = jobs_on(config);
    std::set<std::uint64_t> seen;
    dealer_.begin_network();
    for (const simulation::Collective& call : calls) {
      const CallCost& cost = cost_of(network, call.bytes);
      if (const auto why = obstacle(call, cost, request_.scope.quick)) {
        plan_.left_out.push_back({&algorithm_, call.bytes, network.nodes(), *why});
        continue;
      }
      const bool first = seen.insert(call.bytes).second;
      const bool sampled =
          long_ones || (first && (networks_ + seen.size()) % kNetworksPerLongCall == 0);
      const std::size_t count = times(cost.seconds(call.bytes, true), sampled);
      if (count == 0) {
        plan_.left_out.push_back(
            {&algorithm_, call.bytes, network.nodes(), LeftOut::Why::kSampled});
      }
      for (const std::size_t place : dealer_.deal(call.bytes, count)) {
        const bool native = jobs[place].firmware.kind == simulation::FirmwareChoice::Kind::kNative;
        jobs[place].calls.push_back(call);
        jobs[place].seconds += cost.seconds(call.bytes, !native);
      }
    }
    for (CheckJob& job : jobs) {
      if (!job.calls.empty()) plan_.jobs.push_back(std::move(job));
    }
    ++networks_;
  }

 private:
  /// The messages of pipelines do not grow with the bytes; their number does.
  const CallCost& cost_of(const reference::Network& network, std::uint64_t bytes) {
    const bool in_packets = algorithm_.by_rank && simulation::is_in_packets(algorithm_);
    const std::uint64_t which = in_packets ? bytes : 0;
    const auto known = costs_.find(which);
    if (known != costs_.end()) return known->second;
    return costs_
        .emplace(which,
                 in_packets ? CallCost(algorithm_, network, bytes) : CallCost(algorithm_, network))
        .first->second;
  }

  /// By place of their combinations, without calls.
  [[nodiscard]] std::vector<CheckJob> jobs_on(const systemc::NetworkConfig& config) const {
    std::vector<CheckJob> jobs;
    for (std::size_t place = 0; place < dealer_.combinations(); ++place) {
      jobs.push_back({&algorithm_,
                      with_router(config, request_.routers[dealer_.router(place)]),
                      request_.firmwares[dealer_.firmware(place)],
                      {},
                      CallCost::seconds_before(config.nodes()),
                      request_.eager_bytes});
    }
    return jobs;
  }

  /// How many combinations make a call. `sampled`: also if it is long.
  [[nodiscard]] std::size_t times(double seconds, bool sampled) const {
    if (request_.every || seconds <= kCheap) return dealer_.combinations();
    if (seconds <= kDear) return dealer_.firmwares();
    return seconds <= kLong || sampled ? 1 : 0;
  }

  const CheckRequest& request_;
  const Algorithm& algorithm_;
  CheckPlan& plan_;
  Dealer dealer_;
  std::map<std::uint64_t, CallCost> costs_;  ///< on this network, by bytes if they matter
  std::size_t networks_ = 0;                 ///< so far
};

}  // namespace

std::vector<systemc::NetworkConfig> check_networks(const CheckScope& scope) {
  std::vector<systemc::NetworkConfig> networks = {
      network_of({4, 4, 1}, "mm"),  network_of({8, 8, 1}, "mm"),  network_of({5, 3, 1}, "mm"),
      network_of({6, 6, 1}, "mm"),  network_of({7, 1, 1}, "m"),   network_of({4, 4, 4}, "mmm"),
      network_of({3, 2, 4}, "mmm"), network_of({4, 4, 1}, "tt"),  network_of({8, 8, 1}, "tt"),
      network_of({5, 4, 1}, "tm"),  network_of({4, 4, 3}, "ttm"), network_of({4, 4, 4}, "ttt"),
      network_of({8, 1, 1}, "t"),   network_of({1, 1, 1}, "mm")};
  if (scope.quick) return networks;
  const std::array kMore = {
      network_of({5, 5, 1}, "mm"),     network_of({7, 7, 1}, "mm"),   network_of({8, 4, 1}, "mm"),
      network_of({4, 8, 1}, "mm"),     network_of({10, 10, 1}, "mm"), network_of({12, 12, 1}, "mm"),
      network_of({14, 14, 1}, "mm"),   network_of({16, 16, 1}, "mm"), network_of({16, 8, 1}, "mm"),
      network_of({9, 11, 1}, "mm"),    network_of({1, 9, 1}, "mm"),   network_of({20, 20, 1}, "mm"),
      network_of({24, 24, 1}, "mm"),   network_of({28, 28, 1}, "mm"), network_of({32, 32, 1}, "mm"),
      network_of({4, 4, 5}, "mmm"),    network_of({8, 8, 4}, "mmm"),  network_of({4, 4, 12}, "mmm"),
      network_of({5, 4, 3}, "mmm"),    network_of({2, 2, 1}, "tt"),   network_of({16, 16, 1}, "tt"),
      network_of({32, 32, 1}, "tt"),   network_of({6, 7, 1}, "tt"),   network_of({8, 8, 5}, "ttt"),
      network_of({2, 2, 7}, "ttt"),    network_of({8, 8, 9}, "ttm"),  network_of({13, 1, 1}, "t"),
      network_of({16, 16, 15}, "mmm"), network_of({64, 64, 1}, "mm"), network_of({64, 64, 1}, "tt"),
      network_of({16, 16, 15}, "ttt")};
  networks.insert(networks.end(), kMore.begin(), kMore.end());
  return networks;
}

CheckPlan plan_check(const CheckRequest& request) {
  CheckPlan plan;
  for (const Algorithm* algorithm : request.algorithms) {
    AlgorithmPlan part(request, *algorithm, plan);
    for (const RankNumbers& ranks : request.ranks) {
      part.add(ranks.network,
               check_calls_of_ranks(*algorithm, simulation::reference_network(ranks.network),
                                    ranks.numbers, request.scope),
               true);
    }
    const std::size_t step = algorithm->by_rank ? kNetworksPerRankAlgorithm : 1;
    for (std::size_t i = 0; i < request.networks.size(); i += step) {
      const reference::Network network = simulation::reference_network(request.networks[i]);
      if (!algorithm->serves(network)) continue;
      part.add(request.networks[i], check_calls(*algorithm, network, request.scope), false);
    }
  }
  return plan;
}

namespace {

bool has_other_eager_bytes(const CheckJob& job) {
  return job.eager_bytes != nic::NicConfig{}.eager_bytes;
}

}  // namespace

std::string run_command(const CheckJob& job, const simulation::Collective& c) {
  const systemc::NetworkConfig& n = job.network;
  std::string text =
      fmt::format("annelid run --operation {} --algorithm {} {}", name_of(c.operation()),
                  c.by_auto ? simulation::kAuto : c.algorithm->name, simulation::shape_options(n));
  if (n.router.one_port()) text += " --router one-port";
  if (n.router.control_vc != simulation::kControlVcWithNics) {
    text += fmt::format(" --control-vc {}", n.router.control_vc);
  }
  if (job.half_duplex()) text += " --half-duplex true";
  if (has_other_eager_bytes(job)) text += fmt::format(" --eager-bytes {}", job.eager_bytes);
  text += " --firmware " + shell_word(name_of(job.firmware));
  if (c.has_root()) {
    text += " --root " + node_text(n, simulation::node_address(c.root));
  }
  const bool has_data = simulation::has_data(c.operation());
  if (has_data && c.lengths.empty()) text += fmt::format(" --bytes {}", c.bytes);
  text += simulation::counts_option(c);
  if (has_data || c.skew != 0) text += fmt::format(" --seed {}", c.seed);
  if (c.reduces()) text += fmt::format(" --operator {} --type {}", name_of(c.op), name_of(c.type));
  text += simulation::parameter_option(c) + simulation::mode_options(c);
  if (c.ranks.listed) {
    std::string nodes;
    for (const reference::Node& node : c.ranks.listed->nodes()) {
      nodes += (nodes.empty() ? "" : " ") + node_text(n, simulation::node_address(node));
    }
    text += " --group " + shell_word(nodes);
  } else if (c.by_auto ? simulation::fallback(c.operation()).by_rank : c.algorithm->by_rank) {
    text += fmt::format(" --ranks {}", reference::rank_count(c.network, c.ranks));
    const bool left_open = c.by_auto && simulation::embeds_itself(c);
    if (!left_open) text += fmt::format(" --embedding {}", name_of(c.ranks.embedding));
  }
  text += simulation::hybrid_options(c);
  if (c.skew != 0) text += fmt::format(" --skew {}", c.skew);
  text += simulation::prepared_options(c);
  if (c.prepared) text += fmt::format(" --repeat {}", kStarts);
  return text;
}

std::string describe(const CheckJob& job) {
  const systemc::RouterConfig& router = job.network.router;
  const char* const control = router.control_vc == simulation::kControlVcWithNics ? ""
                              : router.control_vc                                 ? ", control VCs"
                                                  : ", no control VCs";
  const std::string eager =
      has_other_eager_bytes(job) ? fmt::format(", eager up to {} bytes", job.eager_bytes) : "";
  const bool prepared = !job.calls.empty() && job.calls.front().prepared;
  return fmt::format("{} {} on {}, {}{}{}, {}{}", job.algorithm->name,
                     name_of(job.algorithm->operation), simulation::describe_network(job.network),
                     router.one_port() ? "one-port" : "all-port", control, eager,
                     name_of(job.firmware), prepared ? ", prepared" : "");
}

}  // namespace annelid::studies
