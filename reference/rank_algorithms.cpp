#include "reference/rank_algorithms.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "reference/exchanges/butterfly.hpp"
#include "reference/exchanges/elimination_butterfly.hpp"
#include "reference/exchanges/leaders.hpp"
#include "reference/exchanges/simultaneous_binomial.hpp"
#include "reference/pipelines/binary_tree.hpp"
#include "reference/pipelines/circulant.hpp"
#include "reference/pipelines/doubly_pipelined.hpp"
#include "reference/pipelines/edst.hpp"
#include "reference/pipelines/linear_pipeline.hpp"
#include "reference/rings/scatter_allgather.hpp"
#include "reference/schedule/network.hpp"
#include "reference/schedule/packets.hpp"
#include "reference/trees/binomial.hpp"
#include "reference/two_trees/two_tree.hpp"

namespace annelid::reference {
namespace {

bool every(const Network&) { return true; }
bool on_no_network(const Network&) { return false; }
bool always(const Request&) { return true; }

int count(const Request& r) { return rank_count(r.network, r.ranks); }
int root(const Request& r) { return rank_of(r.network, r.ranks, r.root); }
bool root_is_first_or_last(const Request& r) { return root(r) == 0 || root(r) == count(r) - 1; }
bool root_is_first(const Request& r) { return root(r) == 0; }
int doublings(int n) { return fewest_steps(static_cast<std::uint64_t>(n), 1); }

/// k of the two-tree algorithms and so on, with c = factor / divisor.
int packets(const Request& r, int factor, std::uint64_t divisor = 1) {
  const int k = packets_of(r.parameter, (r.bytes + 7) / 8, static_cast<std::uint64_t>(factor),
                           divisor * kReckonedStartUp);
  if (static_cast<std::uint64_t>(k) * static_cast<std::uint64_t>(count(r)) >
      DataFlow::kMostMessages) {
    throw std::invalid_argument(std::to_string(k) + " packets to " + std::to_string(count(r)) +
                                " ranks: more than " + std::to_string(DataFlow::kMostMessages) +
                                " messages");
  }
  return k;
}
int two_tree_packets(const Request& r, int processes) {
  return packets(r, two_tree_height(processes), 2);
}
OddProcess odd_process(const Request& r) {
  return (r.parameter >> 16U & 1U) != 0 ? OddProcess::kRoot : OddProcess::kLeaf;
}

// ---- Trees of streams, from a root --------------------------------------------------------------

template <SecondTree kSecond>
StreamTrees two_tree(const Request& r, int root) {
  const int p = count(r);
  return two_tree_streams(p, root, two_tree_packets(r, p - 1), kSecond, odd_process(r));
}
StreamTrees couples(const Request& r, int root) {
  const int p = count(r);
  return two_tree_couples(p, root, two_tree_packets(r, (p - 1) / 2));
}
StreamTrees binomial(const Request& r, int root) { return binomial_tree(count(r), root); }
StreamTrees linear(const Request& r, int root) {
  return linear_pipeline(count(r), root, packets(r, count(r)));
}
StreamTrees binary(const Request& r, int root) {
  return pipelined_binary_tree(count(r), root, packets(r, doublings(count(r))));
}

using Trees = StreamTrees (*)(const Request&, int root);
template <Trees kTrees>
DataFlow broadcast(const Request& r) {
  return broadcast_streams(kTrees(r, root(r)));
}
template <Trees kTrees>
DataFlow reduction(const Request& r) {
  return reduction_streams(kTrees(r, root(r)));
}
template <Trees kTrees>
DataFlow all_reduction(const Request& r) {
  return all_reduction_streams(kTrees(r, 0));
}

// An odd number of processes besides the root that makes a leaf of the last: it is out of order.
bool has_no_extra_leaf(const Request& r) {
  return count(r) % 2 != 0 || odd_process(r) == OddProcess::kRoot;
}
bool two_tree_keeps_order(const Request& r) {
  return root_is_first_or_last(r) && has_no_extra_leaf(r);
}

// ---- Others -------------------------------------------------------------------------------------

DataFlow scatter_allgather(const Request& r) {
  return scatter_allgather_broadcast(count(r), root(r));
}
using PacketFlow = DataFlow (*)(int ranks, int root, int packets);
/// Packets that take a step for each, and one less than the doublings to fill the pipeline.
template <PacketFlow kFlow>
DataFlow in_fewest_steps(const Request& r) {
  return kFlow(count(r), root(r), packets(r, std::max(1, doublings(count(r)) - 1)));
}
DataFlow butterfly_to_root(const Request& r) { return butterfly_reduction(count(r), root(r)); }
DataFlow butterfly_to_all(const Request& r) { return butterfly_all_reduction(count(r)); }
DataFlow rabenseifner_to_root(const Request& r) {
  return rabenseifner_reduction(count(r), root(r));
}
DataFlow rabenseifner_to_all(const Request& r) { return rabenseifner_all_reduction(count(r)); }
int halvings(const Request& r) { return halving_rounds(count(r), (r.bytes + 7) / 8, r.parameter); }
DataFlow elimination_to_root(const Request& r) {
  return elimination_reduction(count(r), halvings(r), root(r));
}
DataFlow elimination_to_all(const Request& r) {
  return elimination_all_reduction(count(r), halvings(r));
}

DataFlow leaders_to_all(const Request& r) { return leaders_all_reduction(count(r), r.parameter); }
bool few_leaders_keep_order(const Request& r) { return leaders_keep_order(count(r), r.parameter); }
template <bool kExclusive>
DataFlow leaders_prefixes(const Request& r) {
  return leaders_scan(count(r), r.parameter, kExclusive);
}

template <SecondTree kSecond, bool kExclusive>
DataFlow two_tree_prefixes(const Request& r) {
  const int p = count(r);
  return two_tree_scan(p, two_tree_packets(r, p), kSecond, kExclusive);
}
template <bool kExclusive>
DataFlow couples_prefixes(const Request& r) {
  const int p = count(r);
  return two_tree_couples_scan(p, two_tree_packets(r, p / 2), kExclusive);
}
template <bool kExclusive>
DataFlow simultaneous(const Request& r) {
  return simultaneous_binomial_scan(count(r), kExclusive);
}
template <bool kExclusive>
DataFlow linear_prefixes(const Request& r) {
  return linear_pipeline_scan(count(r), packets(r, count(r)), kExclusive);
}
template <bool kExclusive>
DataFlow doubly_pipelined(const Request& r) {
  return doubly_pipelined_scan(count(r), packets(r, 4 * doublings(count(r)), 3), kExclusive);
}

// ---- Rows ---------------------------------------------------------------------------------------

using Flow = DataFlow (*)(const Request&);
template <Flow kFlow>
Schedule schedule(const Request& r) {
  require(r.network, r.root);
  const DataFlow flow = kFlow(r);
  return schedule_of(placed(flow, members(r.network, r.ranks)), {r.bytes, flow.parts});
}

template <Flow kFlow>
constexpr Algorithm row(Operation operation, std::string_view name, std::uint8_t code,
                        bool (*keeps_order)(const Request&) = nullptr) {
  return {operation,       name,          code, "every network", every,
          schedule<kFlow>, on_no_network, true, kFlow,           keeps_order};
}

constexpr Algorithm on_hypercubes(Algorithm row) {
  row.takes_ranks = edst_takes;
  return row;
}

constexpr auto kMirrored = SecondTree::kMirrored, kShifted = SecondTree::kShifted;
using enum Operation;
constexpr auto kRows = std::to_array<Algorithm>({
    row<broadcast<two_tree<kMirrored>>>(kBroadcast, "two-tree", 15),
    row<broadcast<two_tree<kShifted>>>(kBroadcast, "two-tree-shifted", 16),
    row<broadcast<couples>>(kBroadcast, "two-tree-couples", 17),
    row<broadcast<binomial>>(kBroadcast, "binomial", 18),
    row<broadcast<linear>>(kBroadcast, "linear-pipeline", 19),
    row<broadcast<binary>>(kBroadcast, "binary-tree", 20),
    row<scatter_allgather>(kBroadcast, "scatter-allgather", 21),
    row<in_fewest_steps<circulant_broadcast>>(kBroadcast, "circulant", 22),
    on_hypercubes(row<in_fewest_steps<edst_broadcast>>(kBroadcast, "edst", 35)),
    row<reduction<two_tree<kMirrored>>>(kReduce, "two-tree", 15, two_tree_keeps_order),
    row<reduction<two_tree<kShifted>>>(kReduce, "two-tree-shifted", 16, two_tree_keeps_order),
    row<reduction<couples>>(kReduce, "two-tree-couples", 17),
    row<reduction<binomial>>(kReduce, "binomial", 18, root_is_first),
    row<reduction<linear>>(kReduce, "linear-pipeline", 19, root_is_first_or_last),
    row<reduction<binary>>(kReduce, "binary-tree", 20, root_is_first_or_last),
    row<in_fewest_steps<circulant_reduction>>(kReduce, "circulant", 22),
    on_hypercubes(row<in_fewest_steps<edst_reduction>>(kReduce, "edst", 35)),
    row<butterfly_to_root>(kReduce, "butterfly", 23, always),
    row<rabenseifner_to_root>(kReduce, "rabenseifner", 24, always),
    row<elimination_to_root>(kReduce, "elimination-butterfly", 29, always),
    row<all_reduction<two_tree<kMirrored>>>(kAllReduce, "two-tree", 15, has_no_extra_leaf),
    row<all_reduction<two_tree<kShifted>>>(kAllReduce, "two-tree-shifted", 16, has_no_extra_leaf),
    row<all_reduction<binomial>>(kAllReduce, "binomial", 18, always),
    row<all_reduction<binary>>(kAllReduce, "binary-tree", 20, always),
    row<butterfly_to_all>(kAllReduce, "butterfly", 23, always),
    row<rabenseifner_to_all>(kAllReduce, "rabenseifner", 24, always),
    row<elimination_to_all>(kAllReduce, "elimination-butterfly", 29, always),
    row<leaders_to_all>(kAllReduce, "leaders", 33, few_leaders_keep_order),
    row<two_tree_prefixes<kMirrored, false>>(kScan, "two-tree", 15, always),
    row<two_tree_prefixes<kShifted, false>>(kScan, "two-tree-shifted", 16, always),
    row<couples_prefixes<false>>(kScan, "two-tree-couples", 17, always),
    row<linear_prefixes<false>>(kScan, "linear-pipeline", 19, always),
    row<simultaneous<false>>(kScan, "simultaneous-binomial", 25, always),
    row<doubly_pipelined<false>>(kScan, "doubly-pipelined", 26, always),
    row<leaders_prefixes<false>>(kScan, "leaders", 33, always),
    row<two_tree_prefixes<kMirrored, true>>(kExscan, "two-tree", 15, always),
    row<two_tree_prefixes<kShifted, true>>(kExscan, "two-tree-shifted", 16, always),
    row<couples_prefixes<true>>(kExscan, "two-tree-couples", 17, always),
    row<linear_prefixes<true>>(kExscan, "linear-pipeline", 19, always),
    row<simultaneous<true>>(kExscan, "simultaneous-binomial", 25, always),
    row<doubly_pipelined<true>>(kExscan, "doubly-pipelined", 26, always),
    row<leaders_prefixes<true>>(kExscan, "leaders", 33, always),
});

}  // namespace

std::span<const Algorithm> rank_algorithms() { return kRows; }

}  // namespace annelid::reference
