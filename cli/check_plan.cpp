#include "cli/check_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/memory_layout.hpp"
#include "cli/network_keys.hpp"
#include "systemc/random.hpp"

namespace annelid::cli {
namespace {

using reference::Algorithm;
using reference::Network;
using reference::Operation;

/// "8x8", "16", "4x4x5"; rings: "t" for each dimension that is one, "m" for one that is not.
NetworkConfig network_of(std::array<int, 3> size, const char* rings) {
  NetworkConfig network;
  network.size = size;
  RouterConfig& router = network.router;
  router.dims = static_cast<int>(std::string_view(rings).size());
  for (std::size_t d = 0; d < static_cast<std::size_t>(router.dims); ++d) {
    router.torus[d] = rings[d] == 't';
  }
  router.local_ports = 2 * router.dims;
  router.vcs = router.has_rings() ? 2 : 1;
  router.depth = router.default_depth();
  return network;
}

std::vector<std::uint32_t> parameters_of(const Algorithm& a) {
  if (a.name == "fibonacci-tree") return {0, 1, 2, 5};
  if (a.name == "edn" && a.operation == Operation::kBroadcast) return {0, 1};
  return {0};
}

std::uint64_t flit_hops(const Network& net, const reference::Schedule& schedule) {
  std::uint64_t sum = 0;
  for (const reference::Step& step : schedule.steps) {
    for (const reference::Message& m : step) {
      sum += (2 + (m.bytes + 7) / 8) *
             static_cast<std::uint64_t>(1 + reference::distance(net, m.from, m.to));
    }
  }
  return sum;
}

/// Buffers of all processes together, bytes.
std::uint64_t buffers(const Collective& c) {
  const reference::Inputs inputs = c.inputs();
  std::uint64_t all = 0;
  for (int i = 0; i < c.network.nodes(); ++i) {
    const reference::Node n = reference::node_at(c.network, i);
    all += reference::source_bytes(inputs, n) + reference::target_bytes(inputs, n);
  }
  return all;
}

bool is_affordable(const Collective& c, bool quick) {
  const std::uint64_t most_bytes = std::uint64_t{quick ? 4U : 256U} << 20;
  const std::uint64_t most_flit_hops = quick ? 200'000 : 60'000'000;
  if (buffers(c) > most_bytes || layout_of(c).end > std::uint64_t{1} << 31) return false;
  const reference::Schedule schedule = c.schedule();
  constexpr std::uint64_t kLongestMessage = std::uint64_t{16} << 20;
  for (const reference::Step& step : schedule.steps) {
    for (const reference::Message& m : step) {
      if (m.bytes > kLongestMessage) return false;
    }
  }
  return flit_hops(c.network, schedule) <= most_flit_hops;
}

/// Makes one call after the other different from the last in all that is not said.
class CallMaker {
 public:
  CallMaker(const Algorithm& algorithm, const Network& network, const CheckScope& scope)
      : algorithm_(algorithm),
        network_(network),
        parameters_(parameters_of(algorithm)),
        quick_(scope.quick),
        random_(scope.seed, algorithm.code) {}

  void add(int root, std::uint64_t bytes) {
    Collective c;
    c.algorithm = &algorithm_;
    c.network = network_;
    if (c.has_root()) c.root = reference::node_at(network_, root);
    if (algorithm_.operation != Operation::kBarrier) c.bytes = bytes;
    c.parameter = parameters_[made_ % parameters_.size()];
    c.seed = random_() >> 34;  // short enough to type
    if (made_ % 3 == 2 || algorithm_.operation == Operation::kBarrier) c.skew = 50U << made_ % 6;
    if (c.reduces()) {
      // Both numbers of choices are odd to each other: all pairs come.
      c.op = static_cast<reference::Operator>(made_ % reference::kOperators);
      c.type = static_cast<reference::ElementType>(made_ % reference::kElementTypes);
      const std::uint64_t element = bytes_of(c.type);
      c.bytes = (bytes + element - 1) / element * element;
    }
    if (!is_affordable(c, quick_)) return;
    ++made_;
    calls_.push_back(c);
  }

  int any_root() {
    return static_cast<int>(random_.below(static_cast<std::uint32_t>(network_.nodes())));
  }

  std::vector<Collective> calls() && { return std::move(calls_); }

 private:
  const Algorithm& algorithm_;
  const Network network_;
  const std::vector<std::uint32_t> parameters_;
  const bool quick_;
  Random random_;
  std::size_t made_ = 0;
  std::vector<Collective> calls_;
};

}  // namespace

std::vector<NetworkConfig> check_networks(const CheckScope& scope) {
  std::vector<NetworkConfig> networks = {
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

std::vector<Collective> check_calls(const Algorithm& algorithm, const NetworkConfig& config,
                                    const CheckScope& scope) {
  std::vector<std::uint64_t> payloads = {0, 1, 7, 8, 64, 1000};
  if (!scope.quick) payloads.push_back(65536);
  const Network network = reference_network(config);
  const int nodes = network.nodes();
  CallMaker maker(algorithm, network, scope);
  const bool every = nodes <= (scope.quick ? 16 : 64);
  const int roots = !has_root(algorithm.operation) ? 3
                    : every                        ? nodes
                    : scope.quick                  ? 6
                    : nodes <= 1024                ? 12
                                                   : 2;
  for (int i = 0; i < roots; ++i) {
    maker.add(every && has_root(algorithm.operation) ? i : maker.any_root(),
              payloads[static_cast<std::size_t>(i) % payloads.size()]);
  }
  for (int again = 0; again < (nodes <= 256 && !scope.quick ? 2 : 1); ++again) {
    for (const std::uint64_t bytes : payloads) maker.add(maker.any_root(), bytes);
  }
  // Reductions: as many calls as there are pairs of an operator and a type, on small networks.
  const bool reduces =
      algorithm.operation == Operation::kReduce || algorithm.operation == Operation::kAllReduce;
  for (std::size_t i = 0; reduces && nodes <= 16 && i < 28; ++i) maker.add(maker.any_root(), 64);
  return std::move(maker).calls();
}

std::string run_command(const CheckJob& job, const Collective& c) {
  const NetworkConfig& n = job.network;
  std::string size, topology;
  for (int d = 0; d < n.dims(); ++d) {
    size += fmt::format("{}{}", d == 0 ? "" : "x", n.size_of(d));
    topology += fmt::format("{}{}", d == 0 ? "" : ",", n.is_ring(d) ? "torus" : "mesh");
  }
  std::string text =
      fmt::format("annelid run --operation {} --algorithm {} --size {} --topology {}",
                  name_of(c.operation()), c.algorithm->name, size, topology);
  if (n.router.one_port()) text += " --router one-port";
  text += " --firmware " + name_of(job.firmware);
  if (c.has_root()) {
    const Address root = n.address(static_cast<NodeId>(reference::index_of(c.network, c.root)));
    text += " --root " + node_text(n, root);
  }
  text += fmt::format(" --bytes {} --seed {}", c.bytes, c.seed);
  if (c.reduces()) text += fmt::format(" --operator {} --type {}", name_of(c.op), name_of(c.type));
  if (c.parameter != 0) text += fmt::format(" --parameter {}", c.parameter);
  if (c.skew != 0) text += fmt::format(" --skew {}", c.skew);
  return text;
}

std::string describe(const CheckJob& job) {
  return fmt::format("{} {} on {}, {}, {}", job.algorithm->name, name_of(job.algorithm->operation),
                     describe_network(job.network),
                     job.network.router.one_port() ? "one-port" : "all-port",
                     name_of(job.firmware));
}

}  // namespace annelid::cli
