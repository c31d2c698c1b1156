#include "reference/catalogue.hpp"

#include <algorithm>
#include <array>

#include "reference/edn.hpp"
#include "reference/edn_optimal.hpp"
#include "reference/recursive_doubling.hpp"

namespace annelid::reference {
namespace {

bool any(const Network&) { return true; }
bool any_mesh(const Network& net) { return !net.has_rings(); }

constexpr auto kEdn = [](const Request& r) { return edn_broadcast(r.network, r.root, r.bytes); };
constexpr auto kEdnOptimal = [](const Request& r) {
  return edn_optimal_broadcast(r.network, r.root, r.bytes);
};
constexpr auto kRecursiveDoubling = [](const Request& r) {
  return recursive_doubling_broadcast(r.network, r.root, r.bytes);
};

using enum Operation;
constexpr auto kAlgorithms = std::to_array<Algorithm>({
    {kBroadcast, "edn", 1, "square meshes of 4, 8, 16 ... 256 nodes a side", edn_supports, kEdn,
     any},
    {kBroadcast, "recursive-doubling", 2, "every network", any, kRecursiveDoubling, any_mesh},
    {kBroadcast, "edn-optimal", 3, "every network", edn_optimal_supports, kEdnOptimal,
     edn_optimal_contention_free},
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
