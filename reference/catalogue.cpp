#include "reference/catalogue.hpp"

#include <algorithm>
#include <array>

<<<<<<< HEAD
#include "reference/edn.hpp"
#include "reference/edn_optimal.hpp"
=======
#include "reference/all_gather.hpp"
#include "reference/all_reduce.hpp"
#include "reference/all_to_all.hpp"
#include "reference/barrier.hpp"
#include "reference/dimensional.hpp"
#include "reference/edn_any.hpp"
#include "reference/fibonacci_tree.hpp"
>>>>>>> torus
#include "reference/recursive_doubling.hpp"
#include "reference/scatter_collect.hpp"

namespace annelid::reference {
namespace {

bool any(const Network&) { return true; }
bool any_mesh(const Network& net) { return !net.has_rings(); }
bool none(const Network&) { return false; }

<<<<<<< HEAD
constexpr auto kEdn = [](const Request& r) { return edn_broadcast(r.network, r.root, r.bytes); };
constexpr auto kEdnOptimal = [](const Request& r) {
  return edn_optimal_broadcast(r.network, r.root, r.bytes);
};
=======
constexpr std::string_view kEdnSizes =
    "meshes of (b * 2^i) x (b * 2^j) nodes, b = 4, 5, 6 or 7, and of (4 * 2^k) x (4 * 2^k) x "
    "(4 or 5) * 3^m; 2^d x 2^d x z with rings in x and y";
>>>>>>> torus
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

using enum Operation;
constexpr auto kAlgorithms = std::to_array<Algorithm>({
    {kBroadcast, "edn", 1, kEdnSizes, any_edn_supports, any_edn_broadcast,
     any_edn_is_contention_free},
    {kBroadcast, "recursive-doubling", 2, "every network", any, kRecursiveDoubling, any_mesh},
<<<<<<< HEAD
    {kBroadcast, "edn-optimal", 3, "every mesh", edn_optimal_supports, kEdnOptimal, any_mesh},
=======
    {kBroadcast, "dimensional", 5, "every network", any, kDimensional, any},
    {kBroadcast, "cyclic-doubling", 6, "every network", any, kCyclicDoubling, any},
    {kBroadcast, "u-torus", 7, "networks with rings in all dimensions", u_torus_supports, kUTorus,
     any},
    {kBroadcast, "scatter-collect", 8, "every network", any, kScatterCollect, any},
    {kBroadcast, "mst-bucket", 9, "every network", any, kMstBucket, any},
    {kBroadcast, "fibonacci-tree", 10, "every network", any, kFibonacci, any_mesh},
    {kAllGather, "ring", 12, "networks of up to 4096 nodes", squares_supports, kRingAllGather, any},
    {kAllGather, "dissemination", 14, "every network", any, kDisseminationAllGather, none},
    {kAllReduce, "ring", 12, "every network", any, kRingAllReduce, any},
    {kBarrier, "dissemination", 14, "every network", any, kBarrierSchedule, none},
    {kAllToAll, "direct", 11, "networks of up to 4096 nodes", squares_supports, kDirect, none},
    {kAllToAll, "token", 13, "networks of up to 4096 nodes", squares_supports, kToken, any},
>>>>>>> torus
});

constexpr std::array<std::string_view, 9> kOperations = {"broadcast", "reduce",     "gather",
                                                         "scatter",   "all-gather", "all-reduce",
                                                         "barrier",   "transpose",  "all-to-all"};

}  // namespace

std::span<const Algorithm> algorithms() { return kAlgorithms; }

const Algorithm* find_algorithm(Operation operation, std::string_view name) {
  const auto* found = std::ranges::find_if(
      kAlgorithms, [&](const Algorithm& a) { return a.operation == operation && a.name == name; });
  return found == kAlgorithms.end() ? nullptr : found;
}

std::string_view name_of(Operation operation) {
  return kOperations[static_cast<std::size_t>(operation)];
}

}  // namespace annelid::reference
