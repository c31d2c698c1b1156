#include "reference/catalogue.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "reference/all_ports_rows.hpp"
#include "reference/all_to_all/all_to_all.hpp"
#include "reference/all_to_all/shift.hpp"
#include "reference/all_to_all/transpose.hpp"
#include "reference/edn/edn_families.hpp"
#include "reference/edn/edn_optimal.hpp"
#include "reference/groups/dissemination_barrier.hpp"
#include "reference/groups/one_sided.hpp"
#include "reference/intercom_rows.hpp"
#include "reference/rank_algorithms.hpp"
#include "reference/rings/all_gather.hpp"
#include "reference/rings/ring_all_reduce.hpp"
#include "reference/rings/scatter_collect.hpp"
#include "reference/trees/fibonacci_tree.hpp"
#include "reference/trees/line_doubling.hpp"
#include "reference/trees/radix_blocks.hpp"
#include "reference/trees/recursive_doubling.hpp"
#include "reference/trees/reversed.hpp"
#include "reference/trees/single_level.hpp"

namespace annelid::reference {
namespace {

bool any(const Network&) { return true; }
bool any_mesh(const Network& net) { return !net.has_rings(); }
bool none(const Network&) { return false; }

constexpr std::string_view kEveryNetwork = "every network";
constexpr std::string_view kSquares = "networks of up to 4096 nodes";
constexpr auto kEdnOptimal = [](const Request& r) {
  return edn_optimal_broadcast(r.network, r.root, r.bytes);
};
constexpr std::string_view kEdnSizes =
    "meshes of (b * 2^i) x (b * 2^j) nodes, b = 4, 5, 6 or 7, and of (4 * 2^k) x (4 * 2^k) x "
    "(4 or 5) * 3^m; 2^d x 2^d x z with rings in x and y";
constexpr auto kRecursiveDoubling = [](const Request& r) {
  return recursive_doubling_broadcast(r.network, r.root, r.bytes);
};
constexpr auto kDimensional = [](const Request& r) {
  return dimensional_broadcast(r.network, r.root, r.bytes);
};
constexpr auto kCyclicDoubling = [](const Request& r) {
  return cyclic_doubling_broadcast(r.network, r.root, r.bytes);
};
constexpr auto kUTorus = [](const Request& r) {
  return u_torus_broadcast(r.network, r.root, r.bytes);
};
constexpr auto kScatterCollect = [](const Request& r) {
  return scatter_collect_broadcast(r.network, r.root, r.bytes, LogicalRing::kFolded);
};
constexpr auto kMstBucket = [](const Request& r) {
  return scatter_collect_broadcast(r.network, r.root, r.bytes, LogicalRing::kPlain);
};
constexpr auto kFibonacci = [](const Request& r) {
  return fibonacci_broadcast(r.network, r.root, r.bytes, r.parameter);
};
constexpr auto kRingAllGather = [](const Request& r) {
  return ring_all_gather(r.network, r.bytes);
};
constexpr auto kRingAllReduce = [](const Request& r) {
  return ring_all_reduce(r.network, r.bytes);
};
/// The schedule of an algorithm whose ranks are node numbers, in a listed group: that of as many
/// nodes in a line, which may be longer than one of a network, with the members in their places.
template <typename ScheduleOn>
Schedule by_list(const Request& r, ScheduleOn schedule_on) {
  if (!r.ranks.listed) {
    require(r.network, {});
    return schedule_on(r.network);
  }
  const std::vector<Node>& members = r.ranks.listed->nodes();
  for (const Node& member : members) require(r.network, member);
  Schedule schedule = schedule_on(Network{r.ranks.listed->size(), 1, 1});
  for (Step& step : schedule.steps) {
    for (Message& m : step) {
      m.from = members[static_cast<std::size_t>(m.from.x)];
      m.to = members[static_cast<std::size_t>(m.to.x)];
    }
  }
  return schedule;
}
constexpr auto kDisseminationAllGather = [](const Request& r) {
  return by_list(r, [&](const Network& net) { return dissemination_all_gather(net, r.bytes); });
};
constexpr auto kExchange = [](const Request& r) {
  return by_list(r, [&](const Network& net) { return exchange_all_gather(net, r.bytes); });
};
constexpr auto kBarrierSchedule = [](const Request& r) {
  return by_list(r, [](const Network& net) { return dissemination_barrier(net); });
};
constexpr auto kDirect = [](const Request& r) {
  return by_list(r, [&](const Network& net) {
    return r.lengths.empty() ? direct_all_to_all(net, r.bytes) : direct_all_to_all(net, r.lengths);
  });
};
constexpr auto kToken = [](const Request& r) {
  return by_list(r, [&](const Network& net) { return token_all_to_all(net, r.bytes); });
};
constexpr auto kRadix = [](const Request& r) {
  return by_list(r, [&](const Network& net) {
    return radix_all_to_all(net, r.bytes, radices_of(r.parameter, r.parameter_0));
  });
};
constexpr Algorithm with_lengths(Algorithm row) {
  row.takes_lengths = true;
  return row;
}
constexpr Algorithm with_groups(Algorithm row) {
  row.by_list = true;
  return row;
}
constexpr Algorithm with_numbers(Algorithm row, bool (*takes_ranks)(int)) {
  row.takes_ranks = takes_ranks;
  return row;
}

template <BlockSchedule (*kBlocks)(const Network&, const std::vector<Node>&, int, std::uint32_t)>
Schedule radix_tree(const Request& r) {
  require(r.network, r.root);
  return schedule_of(kBlocks(r.network, members(r.network, r.ranks),
                             rank_of(r.network, r.ranks, r.root), r.parameter),
                     r.bytes);
}
constexpr auto kSingleLevel = [](const Request& r) {
  return single_level_broadcast(r.network, r.root, r.bytes);
};
constexpr auto kEdnTranspose = [](const Request& r) {
  return schedule_of(edn_transpose(r.network), r.bytes);
};
constexpr auto kDirectTranspose = [](const Request& r) {
  return schedule_of(direct_transpose(r.network), r.bytes);
};

/// Reduction, gather and scatter along the tree of a broadcast.
template <Broadcast kBroadcast>
Schedule reduce_by(const Request& r) {
  return reduce_along(r.network, turned_tree(kBroadcast, r), r.bytes);
}
template <Broadcast kBroadcast>
Schedule gather_by(const Request& r) {
  return schedule_of(gather_along(r.network, turned_tree(kBroadcast, r)), r.bytes);
}
template <Broadcast kBroadcast>
Schedule scatter_by(const Request& r) {
  return schedule_of(scatter_along(r.network, broadcast_tree(kBroadcast, r)), r.bytes);
}
/// The reduction to rank 0 and, in the steps after it, the broadcast from there.
template <Broadcast kBroadcast>
Schedule all_reduce_by(const Request& r) {
  const Request from_0{r.network, {}, r.bytes, r.parameter};
  return followed_by(reduce_by<kBroadcast>(from_0), kBroadcast(from_0));
}
bool any_edn_supports_turned(const Network& net) { return any_edn_supports(turned(net)); }
bool turned_any_edn_is_contention_free(const Network& net) {
  return any_edn_is_contention_free(turned(net));
}
bool any_edn_all_reduces(const Network& net) {
  return any_edn_supports(net) && any_edn_supports_turned(net);
}
bool edn_all_reduce_is_contention_free(const Network& net) {
  return any_edn_is_contention_free(net) && turned_any_edn_is_contention_free(net);
}

bool turned_edn_optimal_is_contention_free(const Network& net) {
  return edn_optimal_contention_free(turned(net));
}

using enum Operation;

/// A broadcast along a tree, with the operations that follow from it.
struct TreeAlgorithm {
  std::string_view name;
  std::uint8_t code;
  std::string_view sizes;
  bool (*supports)(const Network&);
  bool (*supports_turned)(const Network&);
  bool (*contention_free)(const Network&);
  bool (*contention_free_turned)(const Network&);
  Broadcast broadcast, reduce, gather, scatter;

  [[nodiscard]] constexpr Algorithm down(Operation operation, Broadcast schedule) const {
    return {operation, name, code, sizes, supports, schedule, contention_free};
  }
  [[nodiscard]] constexpr Algorithm up(Operation operation, Broadcast schedule) const {
    return {operation, name, code, sizes, supports_turned, schedule, contention_free_turned};
  }
};

/// One that runs on the turned network as well as on the plain one.
template <Broadcast kBroadcast>
constexpr TreeAlgorithm tree(std::string_view name, std::uint8_t code, std::string_view sizes,
                             bool (*supports)(const Network&),
                             bool (*contention_free)(const Network&)) {
  return {name,
          code,
          sizes,
          supports,
          supports,
          contention_free,
          contention_free,
          kBroadcast,
          reduce_by<kBroadcast>,
          gather_by<kBroadcast>,
          scatter_by<kBroadcast>};
}
constexpr TreeAlgorithm with_turned(TreeAlgorithm tree, bool (*supports)(const Network&),
                                    bool (*contention_free)(const Network&)) {
  tree.supports_turned = supports;
  tree.contention_free_turned = contention_free;
  return tree;
}

constexpr auto kTrees = std::to_array<TreeAlgorithm>({
    with_turned(
        tree<any_edn_broadcast>("edn", 1, kEdnSizes, any_edn_supports, any_edn_is_contention_free),
        any_edn_supports_turned, turned_any_edn_is_contention_free),
    tree<kRecursiveDoubling>("recursive-doubling", 2, kEveryNetwork, any, any_mesh),
    with_turned(tree<kEdnOptimal>("edn-optimal", 3, kEveryNetwork, edn_optimal_supports,
                                  edn_optimal_contention_free),
                any, turned_edn_optimal_is_contention_free),
    tree<kSingleLevel>("single-level", 4, "meshes of 4m x 4n nodes", single_level_supports, any),
    tree<kDimensional>("dimensional", 5, kEveryNetwork, any, any),
    tree<kCyclicDoubling>("cyclic-doubling", 6, kEveryNetwork, any, any),
    tree<kUTorus>("u-torus", 7, "networks with rings in all dimensions", u_torus_supports, any),
});

constexpr auto kOthers = std::to_array<Algorithm>({
    {kBroadcast, "scatter-collect", 8, kEveryNetwork, any, kScatterCollect, any},
    {kBroadcast, "mst-bucket", 9, kEveryNetwork, any, kMstBucket, any},
    {kBroadcast, "fibonacci-tree", 10, kEveryNetwork, any, kFibonacci, any_mesh},
    {kGather, "radix", 30, kEveryNetwork, any, radix_tree<radix_gather>, none, true},
    {kScatter, "radix", 30, kEveryNetwork, any, radix_tree<radix_scatter>, none, true},
    {kAllGather, "ring", 12, kSquares, squares_supports, kRingAllGather, any},
    with_groups(
        {kAllGather, "dissemination", 14, kEveryNetwork, any, kDisseminationAllGather, none}),
    with_numbers(
        with_groups({kAllGather, "exchange", 34, kSquares, squares_supports, kExchange, none}),
        exchange_takes),
    {kAllReduce, "edn", 1, kEdnSizes, any_edn_all_reduces, all_reduce_by<any_edn_broadcast>,
     edn_all_reduce_is_contention_free},
    {kAllReduce, "recursive-doubling", 2, kEveryNetwork, any, all_reduce_by<kRecursiveDoubling>,
     any_mesh},
    {kAllReduce, "edn-optimal", 3, kEveryNetwork, any, all_reduce_by<kEdnOptimal>,
     turned_edn_optimal_is_contention_free},
    {kAllReduce, "ring", 12, kEveryNetwork, any, kRingAllReduce, any},
    with_groups({kBarrier, "dissemination", 14, kEveryNetwork, any, kBarrierSchedule, none}),
    {kTranspose, "edn", 1, "square meshes of 2^k nodes a side", edn_transpose_supports,
     kEdnTranspose, any},
    {kTranspose, "direct", 11, "square meshes", square_mesh, kDirectTranspose,
     [](const Network& net) { return net.x <= 2; }},
    with_groups(with_lengths({kAllToAll, "direct", 11, kSquares, squares_supports, kDirect, none})),
    with_groups({kAllToAll, "token", 13, kSquares, squares_supports, kToken, any}),
    with_groups({kAllToAll, "radix", 30, kSquares, squares_supports, kRadix, none}),
    {kShift, "send-receive", 36, kEveryNetwork, any, shift_by_send_receive, none, true},
    {kShift, "even-odd", 37, kEveryNetwork, any, shift_by_even_odd, none, true},
    {kSyncIn, "binomial", 18, kEveryNetwork, any, sync_in, none, true},
    {kSyncOut, "binomial", 18, kEveryNetwork, any, sync_out, none, true},
});

/// An operation's rows together: those of the trees, the others, those by rank, those that use all
/// ports.
std::vector<Algorithm> all_rows() {
  std::vector<Algorithm> rows;
  for (std::size_t i = 0; i < kOperations; ++i) {
    const auto operation = static_cast<Operation>(i);
    for (const TreeAlgorithm& tree : kTrees) {
      if (operation == kBroadcast) rows.push_back(tree.down(operation, tree.broadcast));
      if (operation == kReduce) rows.push_back(tree.up(operation, tree.reduce));
      if (operation == kGather) rows.push_back(tree.up(operation, tree.gather));
      if (operation == kScatter) rows.push_back(tree.down(operation, tree.scatter));
    }
    const auto is_of_operation = [&](const Algorithm& a) { return a.operation == operation; };
    std::ranges::copy_if(kOthers, std::back_inserter(rows), is_of_operation);
    std::ranges::copy_if(rank_algorithms(), std::back_inserter(rows), is_of_operation);
    std::ranges::copy_if(intercom_rows(), std::back_inserter(rows), is_of_operation);
    std::ranges::copy_if(all_ports_rows(), std::back_inserter(rows), is_of_operation);
  }
  return rows;
}

}  // namespace

std::span<const Algorithm> algorithms() {
  static const std::vector<Algorithm> rows = all_rows();
  return rows;
}

const Algorithm* find_algorithm(Operation operation, std::string_view name) {
  const std::span<const Algorithm> rows = algorithms();
  const auto found = std::ranges::find_if(
      rows, [&](const Algorithm& a) { return a.operation == operation && a.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace annelid::reference
