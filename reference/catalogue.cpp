#include "reference/catalogue.hpp"

#include <algorithm>
#include <array>

#include "reference/edn_any.hpp"
#include "reference/recursive_doubling.hpp"
#include "reference/reversed.hpp"
#include "reference/single_level.hpp"
#include "reference/transpose.hpp"

namespace annelid::reference {
namespace {

bool any(const Network&) { return true; }
bool any_mesh(const Network& net) { return !net.has_rings(); }

constexpr std::string_view kEdnSizes =
    "meshes of (b * 2^i) x (b * 2^j) nodes, b = 4, 5, 6 or 7, and of (4 * 2^k) x (4 * 2^k) x "
    "(4 or 5) * 3^m";
constexpr auto kRecursiveDoubling = [](const Request& r) {
  return recursive_doubling_broadcast(r.network, r.root, r.bytes);
};

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
bool any_edn_supports_turned(const Network& net) { return any_edn_supports(turned(net)); }
bool turned_any_edn_is_contention_free(const Network& net) {
  return any_edn_is_contention_free(turned(net));
}

using enum Operation;
constexpr auto kAlgorithms = std::to_array<Algorithm>({
    {kBroadcast, "edn", 1, kEdnSizes, any_edn_supports, any_edn_broadcast,
     any_edn_is_contention_free},
    {kBroadcast, "recursive-doubling", 2, "every network", any, kRecursiveDoubling, any_mesh},
    {kBroadcast, "single-level", 4, "meshes of 4m x 4n nodes", single_level_supports, kSingleLevel,
     any},
    {kReduce, "edn", 1, kEdnSizes, any_edn_supports_turned, reduce_by<any_edn_broadcast>,
     turned_any_edn_is_contention_free},
    {kReduce, "recursive-doubling", 2, "every network", any, reduce_by<kRecursiveDoubling>,
     any_mesh},
    {kReduce, "single-level", 4, "meshes of 4m x 4n nodes", single_level_supports,
     reduce_by<kSingleLevel>, any},
    {kGather, "edn", 1, kEdnSizes, any_edn_supports_turned, gather_by<any_edn_broadcast>,
     turned_any_edn_is_contention_free},
    {kGather, "recursive-doubling", 2, "every network", any, gather_by<kRecursiveDoubling>,
     any_mesh},
    {kGather, "single-level", 4, "meshes of 4m x 4n nodes", single_level_supports,
     gather_by<kSingleLevel>, any},
    {kScatter, "edn", 1, kEdnSizes, any_edn_supports, scatter_by<any_edn_broadcast>,
     any_edn_is_contention_free},
    {kScatter, "recursive-doubling", 2, "every network", any, scatter_by<kRecursiveDoubling>,
     any_mesh},
    {kScatter, "single-level", 4, "meshes of 4m x 4n nodes", single_level_supports,
     scatter_by<kSingleLevel>, any},
    {kTranspose, "edn", 1, "square meshes of 2^k nodes a side", edn_transpose_supports,
     kEdnTranspose, any},
    {kTranspose, "direct", 11, "square meshes", square_mesh, kDirectTranspose,
     [](const Network& net) { return net.x <= 2; }},
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
