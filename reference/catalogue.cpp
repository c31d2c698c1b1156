#include "reference/catalogue.hpp"

#include <algorithm>
#include <array>

#include "reference/all_gather.hpp"
#include "reference/all_reduce.hpp"
#include "reference/all_to_all.hpp"
#include "reference/barrier.hpp"
#include "reference/dimensional.hpp"
#include "reference/edn_any.hpp"
#include "reference/edn_optimal.hpp"
#include "reference/fibonacci_tree.hpp"
#include "reference/recursive_doubling.hpp"
#include "reference/reversed.hpp"
#include "reference/scatter_collect.hpp"
#include "reference/single_level.hpp"
#include "reference/transpose.hpp"

namespace annelid::reference {
namespace {

bool any(const Network&) { return true; }
bool any_mesh(const Network& net) { return !net.has_rings(); }
bool none(const Network&) { return false; }

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
constexpr auto kDisseminationAllGather = [](const Request& r) {
  return dissemination_all_gather(r.network, r.bytes);
};
constexpr auto kRingAllReduce = [](const Request& r) {
  return ring_all_reduce(r.network, r.bytes);
};
constexpr auto kBarrierSchedule = [](const Request& r) { return dissemination_barrier(r.network); };
constexpr auto kDirect = [](const Request& r) { return direct_all_to_all(r.network, r.bytes); };
constexpr auto kToken = [](const Request& r) { return token_all_to_all(r.network, r.bytes); };

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
constexpr auto kAlgorithms = std::to_array<Algorithm>({
    {kBroadcast, "edn", 1, kEdnSizes, any_edn_supports, any_edn_broadcast,
     any_edn_is_contention_free},
    {kBroadcast, "recursive-doubling", 2, "every network", any, kRecursiveDoubling, any_mesh},
    {kBroadcast, "edn-optimal", 3, "every network", edn_optimal_supports, kEdnOptimal,
     edn_optimal_contention_free},
    {kBroadcast, "single-level", 4, "meshes of 4m x 4n nodes", single_level_supports, kSingleLevel,
     any},
    {kBroadcast, "dimensional", 5, "every network", any, kDimensional, any},
    {kBroadcast, "cyclic-doubling", 6, "every network", any, kCyclicDoubling, any},
    {kBroadcast, "u-torus", 7, "networks with rings in all dimensions", u_torus_supports, kUTorus,
     any},
    {kBroadcast, "scatter-collect", 8, "every network", any, kScatterCollect, any},
    {kBroadcast, "mst-bucket", 9, "every network", any, kMstBucket, any},
    {kBroadcast, "fibonacci-tree", 10, "every network", any, kFibonacci, any_mesh},
    {kReduce, "edn", 1, kEdnSizes, any_edn_supports_turned, reduce_by<any_edn_broadcast>,
     turned_any_edn_is_contention_free},
    {kReduce, "recursive-doubling", 2, "every network", any, reduce_by<kRecursiveDoubling>,
     any_mesh},
    {kReduce, "edn-optimal", 3, "every network", any, reduce_by<kEdnOptimal>,
     turned_edn_optimal_is_contention_free},
    {kReduce, "single-level", 4, "meshes of 4m x 4n nodes", single_level_supports,
     reduce_by<kSingleLevel>, any},
    {kReduce, "dimensional", 5, "every network", any, reduce_by<kDimensional>, any},
    {kReduce, "cyclic-doubling", 6, "every network", any, reduce_by<kCyclicDoubling>, any},
    {kReduce, "u-torus", 7, "networks with rings in all dimensions", u_torus_supports,
     reduce_by<kUTorus>, any},
    {kGather, "edn", 1, kEdnSizes, any_edn_supports_turned, gather_by<any_edn_broadcast>,
     turned_any_edn_is_contention_free},
    {kGather, "recursive-doubling", 2, "every network", any, gather_by<kRecursiveDoubling>,
     any_mesh},
    {kGather, "edn-optimal", 3, "every network", any, gather_by<kEdnOptimal>,
     turned_edn_optimal_is_contention_free},
    {kGather, "single-level", 4, "meshes of 4m x 4n nodes", single_level_supports,
     gather_by<kSingleLevel>, any},
    {kGather, "dimensional", 5, "every network", any, gather_by<kDimensional>, any},
    {kGather, "cyclic-doubling", 6, "every network", any, gather_by<kCyclicDoubling>, any},
    {kGather, "u-torus", 7, "networks with rings in all dimensions", u_torus_supports,
     gather_by<kUTorus>, any},
    {kScatter, "edn", 1, kEdnSizes, any_edn_supports, scatter_by<any_edn_broadcast>,
     any_edn_is_contention_free},
    {kScatter, "recursive-doubling", 2, "every network", any, scatter_by<kRecursiveDoubling>,
     any_mesh},
    {kScatter, "edn-optimal", 3, "every network", any, scatter_by<kEdnOptimal>,
     edn_optimal_contention_free},
    {kScatter, "single-level", 4, "meshes of 4m x 4n nodes", single_level_supports,
     scatter_by<kSingleLevel>, any},
    {kScatter, "dimensional", 5, "every network", any, scatter_by<kDimensional>, any},
    {kScatter, "cyclic-doubling", 6, "every network", any, scatter_by<kCyclicDoubling>, any},
    {kScatter, "u-torus", 7, "networks with rings in all dimensions", u_torus_supports,
     scatter_by<kUTorus>, any},
    {kAllGather, "ring", 12, "networks of up to 4096 nodes", squares_supports, kRingAllGather, any},
    {kAllGather, "dissemination", 14, "every network", any, kDisseminationAllGather, none},
    {kAllReduce, "edn", 1, kEdnSizes, any_edn_all_reduces, all_reduce_by<any_edn_broadcast>,
     edn_all_reduce_is_contention_free},
    {kAllReduce, "recursive-doubling", 2, "every network", any, all_reduce_by<kRecursiveDoubling>,
     any_mesh},
    {kAllReduce, "edn-optimal", 3, "every network", any, all_reduce_by<kEdnOptimal>,
     turned_edn_optimal_is_contention_free},
    {kAllReduce, "ring", 12, "every network", any, kRingAllReduce, any},
    {kBarrier, "dissemination", 14, "every network", any, kBarrierSchedule, none},
    {kTranspose, "edn", 1, "square meshes of 2^k nodes a side", edn_transpose_supports,
     kEdnTranspose, any},
    {kTranspose, "direct", 11, "square meshes", square_mesh, kDirectTranspose,
     [](const Network& net) { return net.x <= 2; }},
    {kAllToAll, "direct", 11, "networks of up to 4096 nodes", squares_supports, kDirect, none},
    {kAllToAll, "token", 13, "networks of up to 4096 nodes", squares_supports, kToken, any},
});

constexpr std::array<std::string_view, kOperations> kNames = {
    "broadcast", "reduce",    "gather",     "scatter", "all-gather", "all-reduce",
    "barrier",   "transpose", "all-to-all", "scan",    "exscan"};

}  // namespace

std::span<const Algorithm> algorithms() { return kAlgorithms; }

const Algorithm* find_algorithm(Operation operation, std::string_view name) {
  const auto* found = std::ranges::find_if(
      kAlgorithms, [&](const Algorithm& a) { return a.operation == operation && a.name == name; });
  return found == kAlgorithms.end() ? nullptr : found;
}

std::string_view name_of(Operation operation) {
  return kNames[static_cast<std::size_t>(operation)];
}

}  // namespace annelid::reference
