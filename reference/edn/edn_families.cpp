#include "reference/edn/edn_families.hpp"

#include <algorithm>
#include <array>

#include "reference/edn/edn_3d.hpp"
#include "reference/edn/edn_blocks.hpp"
#include "reference/edn/edn_torus.hpp"

namespace annelid::reference {
namespace {

constexpr auto kFamilies = std::to_array<EdnFamily>({
    {"meshes of (b * 2^i) x (b * 2^j), b = 4, 5, 6 or 7",
     [](const Network& net) { return block_size_of(net).has_value(); },
     [](const Request& r) {
       return edn_blocks_broadcast(r.network, r.root, r.bytes, startup_of(r.parameter));
     },
     true},
    {"meshes of (4 * 2^k) x (4 * 2^k) x (4 or 5) * 3^m, or with x as the last size",
     [](const Network& net) { return box_size_of(net).has_value(); },
     [](const Request& r) {
       return edn_3d_broadcast(r.network, r.root, r.bytes, startup_of(r.parameter));
     },
     true},
    {"2^d x 2^d x z, d = 1 to 8, with rings in x and y", torus_edn_supports,
     [](const Request& r) {
       const auto split = r.parameter == 1 ? ZoneSplit::kTheorem3 : ZoneSplit::kFewestSteps;
       return torus_edn_broadcast(r.network, r.root, r.bytes, split);
     },
     true},
});

}  // namespace

std::span<const EdnFamily> edn_families() { return kFamilies; }

const EdnFamily* edn_family_of(const Network& net) {
  const auto* found =
      std::ranges::find_if(kFamilies, [&](const EdnFamily& f) { return f.supports(net); });
  return found == kFamilies.end() ? nullptr : found;
}

bool any_edn_supports(const Network& net) { return edn_family_of(net) != nullptr; }

bool any_edn_is_contention_free(const Network& net) {
  const EdnFamily* family = edn_family_of(net);
  return family != nullptr && family->contention_free;
}

Schedule any_edn_broadcast(const Request& request) {
  require(request.network, request.root);
  const EdnFamily* family = edn_family_of(request.network);
  if (family != nullptr) return family->broadcast(request);
  std::string known;
  for (const EdnFamily& f : kFamilies) known += (known.empty() ? "" : "; ") + std::string(f.sizes);
  throw std::invalid_argument("EDN on " + to_string(request.network) + ": it is for " + known);
}

}  // namespace annelid::reference
