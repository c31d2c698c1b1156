// How people write the address of a node: as its coordinates, x first.
#pragma once

#include <string>

#include "systemc/network/config.hpp"

namespace annelid::systemc {

/// The first `dims` coordinates: "3", "3,1" or "3,1,0"; in names of modules "3_1_0". All texts of
/// the hardware and its simulation that contain addresses use this function.
[[nodiscard]] std::string node_text(Address address, int dims, char between = ',');

/// As many coordinates as the network has dimensions, in the form that a user writes in --root.
[[nodiscard]] inline std::string node_text(const NetworkConfig& network, Address address) {
  return node_text(address, network.dims());
}

}  // namespace annelid::systemc
