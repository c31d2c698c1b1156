#include "studies/check/calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/random.hpp"
#include "reference/intercom/logical_mesh.hpp"
#include "simulation/scenario/auto_choice.hpp"
#include "simulation/scenario/count_keys.hpp"
#include "simulation/scenario/hybrid_keys.hpp"
#include "simulation/scenario/memory_layout.hpp"
#include "simulation/scenario/radix_keys.hpp"
#include "simulation/scenario/rank_keys.hpp"
#include "simulation/scenario/shift_keys.hpp"

namespace annelid::studies {
namespace {

using reference::Algorithm;
using reference::Network;
using reference::Operation;

/// The parameters, and three packets that are received in other ways if the algorithm can do that.
std::vector<std::uint32_t> with_receives(const Algorithm& a,
                                         std::vector<std::uint32_t> parameters) {
  if (simulation::has_receives(a)) {
    parameters.insert(parameters.end(),
                      {3 | simulation::kReceiveInTurn, 3 | simulation::kReceiveStepwise});
  }
  return parameters;
}

bool has_mixed_radices(const Algorithm& a) {
  return a.operation == Operation::kAllToAll && a.name == "radix";
}

std::vector<std::uint32_t> parameters_of(const Algorithm& a) {
  if (a.name == "fibonacci-tree") return {0, 1, 2, 5};
  if (simulation::has_last(a))
    return with_receives(a, {0, 1, simulation::kLastIsRoot, 3, simulation::kLastIsRoot | 2});
  if (simulation::is_in_packets(a)) return with_receives(a, {0, 1, 3});
  if (a.name == "edn" && a.operation == Operation::kBroadcast) return {0, 1};
  if (has_mixed_radices(a)) return {0, 3, 5, 8, 0xFFFF};
  if (a.name == "radix") return {0, 3, 5, 8, 1U << 20U};
  if (a.name == "leaders") return {0, 1, 2, 3, 40};
  return {0};
}

/// Where the numbers of ranks are what is varied.
std::vector<std::uint32_t> parameters_of_numbers(const Algorithm& a) {
  if (!simulation::is_in_packets(a)) return parameters_of(a);
  std::vector<std::uint32_t> parameters = {0, 1, 2, 3, 7};
  if (simulation::has_last(a)) {
    for (std::size_t i = 0; i < 5; ++i)
      parameters.push_back(parameters[i] | simulation::kLastIsRoot);
  }
  return with_receives(a, std::move(parameters));
}

/// Makes one call after the other different from the last in all that is not said.
class CallMaker {
 public:
  CallMaker(const Algorithm& algorithm, const Network& network, const CheckScope& scope,
            std::vector<std::uint32_t> parameters)
      : algorithm_(algorithm),
        network_(network),
        parameters_(std::move(parameters)),
        prepared_(scope.prepared),
        random_(scope.seed, algorithm.code) {}

  void add(int root, std::uint64_t bytes) {
    simulation::Collective c = next(root, bytes);
    choose_operator(c);
    push(c);
  }

  /// With an operator that does not commute, if the algorithm keeps the order of the ranks at all:
  /// from rank 0, and an odd last process as root.
  void add_in_order(std::uint64_t bytes) {
    simulation::Collective c = next(0, bytes);
    if (!c.reduces() || algorithm_.keeps_order == nullptr) return;
    if (c.has_root()) c.root = reference::members(network_, c.ranks).front();
    if (simulation::has_last(algorithm_)) c.parameter |= simulation::kLastIsRoot;
    if (!algorithm_.keeps_order(c.request())) c.hybrid = {};
    if (!algorithm_.keeps_order(c.request())) return;
    push_in_order(c);
  }

  /// With so many ranks, if the algorithm takes them: two calls and one in order, or all.
  void add_ranks(int count, bool few) {
    if (!takes(count)) return;
    const std::size_t operators =
        simulation::reduces(algorithm_.operation) ? reference::kOperators : 1;
    const std::size_t calls = few ? 2 : std::max(parameters_.size(), operators);
    for (std::size_t i = 0; i < calls; ++i) {
      simulation::Collective c = next_of(count, random_.below(3));
      choose_operator(c);
      push(c);
    }
    if (algorithm_.keeps_order == nullptr) return;
    const std::size_t first = made_;
    for (std::size_t i = 0; i < (few ? 1 : parameters_.size()); ++i) {
      const std::uint32_t place = random_.below(3);
      for (std::uint32_t n = 0; n < 3; ++n) {  // places of the root: one is enough
        simulation::Collective c = next_of(count, (place + n) % 3);
        c.parameter = parameters_[(first + i) % parameters_.size()];
        if (!algorithm_.keeps_order(c.request())) c.hybrid = {};
        if (!algorithm_.keeps_order(c.request())) continue;
        push_in_order(c);
        break;
      }
    }
  }

  int any_root() {
    return static_cast<int>(random_.below(static_cast<std::uint32_t>(network_.nodes())));
  }

  std::vector<simulation::Collective> calls() && { return std::move(calls_); }

 private:
  [[nodiscard]] bool takes(int count) const {
    return algorithm_.takes_ranks == nullptr || algorithm_.takes_ranks(count);
  }
  simulation::Collective next(int root, std::uint64_t bytes) {
    simulation::Collective c;
    c.by_auto = algorithm_.code == simulation::kAutoCode;
    c.algorithm = c.by_auto ? &simulation::fallback(algorithm_.operation) : &algorithm_;
    c.network = network_;
    if (c.has_root()) c.root = reference::node_at(network_, root);
    if (simulation::has_data(algorithm_.operation)) c.bytes = bytes;
    c.parameter = parameters_[made_ % parameters_.size()];
    c.seed = random_() >> 34;  // short enough to type
    if (made_ % 3 == 2 || !simulation::has_data(algorithm_.operation)) c.skew = 50U << made_ % 6;
    if (algorithm_.by_rank) {
      take_ranks(c, any_ranks(c.root));
    } else if (algorithm_.by_list && takes_group()) {
      take_ranks(c, any_group(any_size(), c.root));
    }
    if (simulation::is_hybrid(algorithm_)) take_hybrid(c);
    if (has_mixed_radices(algorithm_) && made_ % 2 == 1) take_radices(c);
    if (algorithm_.operation == Operation::kShift) take_steps(c);
    return c;
  }

  /// A few up or down, and sometimes round more than once.
  void take_steps(simulation::Collective& c) {
    const auto ranks = static_cast<std::int32_t>(reference::rank_count(network_, c.ranks));
    const auto most = static_cast<std::uint32_t>(made_ % 4 == 3 ? 5 * ranks : 2 + ranks / 2);
    const auto steps = static_cast<std::int32_t>(random_.below(most + 1));
    simulation::set_shift(c, made_ % 2 == 0 ? steps : -steps, random_.below(2) == 1);
  }

  /// One to four, as many as the distances have digits.
  void take_radices(simulation::Collective& c) {
    constexpr std::uint32_t kRadices = 5;
    const auto ranks = static_cast<std::uint32_t>(reference::rank_count(network_, c.ranks));
    std::vector<std::uint32_t> radices;
    std::uint32_t distances = 1;
    do {
      radices.push_back(2 + random_.below(kRadices));
      distances *= radices.back();
    } while (distances < ranks && radices.size() < simulation::kMostRadices);
    simulation::set_radices(c, radices);
  }

  void take_ranks(simulation::Collective& c, const reference::Ranks& ranks) {
    c.ranks = ranks;
    c.group = ranks.listed ? "listed" : "";
    c.place = ranks.listed ? 1 : 0;
    if (ranks.listed && !c.has_root()) c.root = ranks.listed->nodes().front();
  }
  /// Whether the next call is made by a listed group.
  [[nodiscard]] bool takes_group() const {
    return made_ % 4 == 1 && algorithm_.code != simulation::kAutoCode;
  }
  /// From 1 to all nodes, as many as the algorithm takes.
  int any_size() {
    return fewer(static_cast<int>(random_.below(static_cast<std::uint32_t>(network_.nodes()))) + 1);
  }
  /// So many ranks, or the next smaller number that the algorithm takes.
  [[nodiscard]] int fewer(int count) const {
    while (!takes(count)) --count;
    return count;
  }
  /// So many nodes in any order, this one among them.
  reference::Ranks any_group(int count, const reference::Node& root) {
    std::vector<reference::Node> nodes;
    nodes.reserve(static_cast<std::size_t>(network_.nodes()));
    for (int i = 0; i < network_.nodes(); ++i) nodes.push_back(reference::node_at(network_, i));
    std::swap(nodes.front(), nodes[static_cast<std::size_t>(index_of(network_, root))]);
    const auto any = [this](std::size_t from, std::size_t end) {
      return from + random_.below(static_cast<std::uint32_t>(end - from));
    };
    for (std::size_t i = 1; i < nodes.size(); ++i) std::swap(nodes[i], nodes[any(i, nodes.size())]);
    nodes.resize(static_cast<std::size_t>(count));
    std::swap(nodes.front(), nodes[any(0, nodes.size())]);
    reference::Ranks ranks;
    ranks.listed = std::make_shared<const reference::NodeList>(std::move(nodes));
    return ranks;
  }

  /// Every fifth call leaves the choice to the processes: of the eight calls with a number of
  /// ranks, it is another one each time.
  void take_hybrid(simulation::Collective& c) {
    c.hybrid = any_hybrid(c.ranks);
    c.hybrid_open = made_ % 5 == 3;
  }

  /// Any factorization of the number of ranks and any template; of those with many messages, one
  /// dimension and the short template.
  reference::HybridChoice any_hybrid(const reference::Ranks& ranks) {
    constexpr std::size_t kMostSizes = 7;
    constexpr std::uint64_t kMostMessages = 65536;
    const int p = reference::rank_count(network_, ranks);
    const auto all = reference::intercom::factorizations(p);
    reference::HybridChoice hybrid;
    hybrid.sizes = all[random_.below(static_cast<std::uint32_t>(all.size()))];
    hybrid.is_long = random_.below(2) == 1;
    hybrid.far_first = random_.below(2) == 1;
    const bool fits = hybrid.sizes.size() <= kMostSizes &&
                      simulation::hybrid_messages(algorithm_.operation, hybrid, p) <= kMostMessages;
    return fits ? hybrid : reference::HybridChoice{};
  }

  /// With so many ranks; the root is the first (0), the last (1) or any (2).
  simulation::Collective next_of(int count, std::uint32_t place) {
    constexpr std::array kBytes = {0, 8, 60, 200, 1004};
    simulation::Collective c =
        next(0, static_cast<std::uint64_t>(kBytes[random_.below(kBytes.size())]));
    if (takes_group() || !algorithm_.by_rank) {
      take_ranks(c, any_group(count, reference::node_at(network_, any_root())));
    } else {
      c.ranks.count = count == network_.nodes() ? 0 : count;
    }
    if (simulation::is_hybrid(algorithm_)) take_hybrid(c);
    if (!c.has_root()) return c;
    const auto members = reference::members(network_, c.ranks);
    const std::uint32_t any = random_.below(static_cast<std::uint32_t>(members.size()));
    c.root = place == 0 ? members.front() : place == 1 ? members.back() : members[any];
    return c;
  }

  void choose_operator(simulation::Collective& c) const {
    if (!c.reduces()) return;
    // Both numbers of choices are odd to each other: all pairs come.
    c.op = static_cast<reference::Operator>(made_ % reference::kOperators);
    c.type = static_cast<reference::ElementType>(made_ % reference::kElementTypes);
  }

  /// All nodes, all but the last, or a little more than half; all if the root were not among them.
  /// Every fourth time it is a listed group of any size.
  reference::Ranks any_ranks(const reference::Node& root) {
    const int nodes = network_.nodes();
    if (takes_group()) {
      return any_group(any_size(), root);
    }
    const std::array counts = {0, std::max(nodes - 1, 1), nodes / 2 + 1};
    reference::Ranks ranks;
    ranks.embedding = static_cast<reference::Embedding>(random_.below(reference::kEmbeddings));
    ranks.count = counts[random_.below(counts.size())];
    if (!reference::rank_at(network_, ranks, root)) ranks.count = 0;
    const int some = ranks.count == 0 ? nodes : ranks.count;
    if (takes(some)) return ranks;
    ranks.count = fewer(some);
    return reference::rank_at(network_, ranks, root) ? ranks : any_group(ranks.count, root);
  }

  /// The NIC has no such operator, so these calls cannot be prepared.
  void push_in_order(simulation::Collective c) {
    if (prepared_) return;
    c.op = reference::Operator::kAffine;
    c.type = reference::ElementType::kUint32;
    push(c);
  }
  void push(simulation::Collective c) {
    if (c.reduces()) {
      const std::uint64_t element = bytes_of(c.op, c.type);
      c.bytes = (c.bytes + element - 1) / element * element;
    }
    if (algorithm_.takes_lengths && made_ % 3 == 1) take_lengths(c);
    if (c.hybrid_open) simulation::choose_hybrid(c, false);  // the job knows its firmware
    c.prepared = prepared_;
    c.in_barrier_mode = !prepared_ && made_ % 4 == 3;
    c.in_develop_mode = !prepared_ && made_ % 5 == 2;
    ++made_;
    calls_.push_back(c);
  }

  /// Blocks of 0 bytes to twice as many as one would have, if they fit.
  static void take_lengths(simulation::Collective& c) {
    const std::uint64_t bytes = c.bytes, most = 2 * bytes;
    if (most * simulation::blocks_of(c) > simulation::kLongestMessage) return;
    simulation::set_lengths(c, simulation::random_lengths(c, 0, most),
                            fmt::format("random:0..{}", most));
    c.bytes = bytes;  // the plan has every length on every network
  }

  const Algorithm& algorithm_;
  const Network network_;
  const std::vector<std::uint32_t> parameters_;
  const bool prepared_;
  Random random_;
  std::size_t made_ = 0;
  std::vector<simulation::Collective> calls_;
};

}  // namespace

std::vector<simulation::Collective> check_calls(const Algorithm& algorithm, const Network& network,
                                                const CheckScope& scope) {
  std::vector<std::uint64_t> payloads = {0, 1, 7, 8, 64, 1000};
  const std::size_t in_turn = payloads.size();
  if (!scope.quick) payloads.push_back(65536);
  const int nodes = network.nodes();
  CallMaker maker(algorithm, network, scope, parameters_of(algorithm));
  const bool every = nodes <= (scope.quick ? 16 : 64);
  const int roots = !simulation::has_root(algorithm.operation) ? 3
                    : every                                    ? nodes
                    : scope.quick                              ? 6
                    : nodes <= 1024                            ? 12
                                                               : 2;
  for (int i = 0; i < roots; ++i) {
    maker.add(every && simulation::has_root(algorithm.operation) ? i : maker.any_root(),
              payloads[static_cast<std::size_t>(i) % in_turn]);
  }
  for (int again = 0; again < (nodes <= 256 && !scope.quick ? 2 : 1); ++again) {
    for (const std::uint64_t bytes : payloads) maker.add(maker.any_root(), bytes);
  }
  // Reductions: as many calls as there are pairs of an operator and a type, on small networks.
  const bool pairs = simulation::reduces(algorithm.operation) && nodes <= 16;
  for (std::size_t i = 0; pairs && i < 28; ++i) maker.add(maker.any_root(), 64);
  for (const std::uint64_t bytes : payloads) maker.add_in_order(bytes);
  return std::move(maker).calls();
}

std::vector<simulation::Collective> check_calls_of_ranks(const Algorithm& algorithm,
                                                         const Network& network,
                                                         const std::vector<int>& numbers,
                                                         const CheckScope& scope) {
  constexpr int kMostForAll = 256;
  CallMaker maker(algorithm, network, scope, parameters_of_numbers(algorithm));
  for (const int count : numbers) maker.add_ranks(count, scope.quick || count > kMostForAll);
  return std::move(maker).calls();
}

}  // namespace annelid::studies
