#include "reference/catalogue.hpp"

#include <algorithm>
#include <array>

#include "reference/edn_any.hpp"
#include "reference/recursive_doubling.hpp"

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

using enum Operation;
constexpr auto kAlgorithms = std::to_array<Algorithm>({
    {kBroadcast, "edn", 1, kEdnSizes, any_edn_supports, any_edn_broadcast,
     any_edn_is_contention_free},
    {kBroadcast, "recursive-doubling", 2, "every network", any, kRecursiveDoubling, any_mesh},
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
