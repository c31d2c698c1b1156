// Whether EDN's rule for meshes takes a network.
#pragma once

#include <cstdint>

#include "firmware/collectives/edn/edn_mesh.hpp"
#include "firmware/platform/group.hpp"
#include "firmware/platform/topology.hpp"

namespace annelid::firmware {

inline bool fits(Size size, std::uint32_t rings = 0) {
  const Topology network({}, size, rings);
  const Group all = Group::all(network, {});
  Frame frame(all, 0, 0, false);
  return edn_mesh::kRule.fits(frame);
}

}  // namespace annelid::firmware
