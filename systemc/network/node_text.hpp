// How people read and write the address of a node: its coordinates, x first.
#pragma once

#include <string>

#include "systemc/network/config.hpp"

namespace annelid::systemc {

/// The first `dims` coordinates: "3", "3,1", "3,1,0"; in names of modules "3_1_0". All text with
/// addresses is made here.
[[nodiscard]] std::string node_text(Address address, int dims, char between = ',');

/// As many as the network has dimensions, as a user writes them in --root.
[[nodiscard]] inline std::string node_text(const NetworkConfig& network, Address address) {
  return node_text(address, network.dims());
}

}  // namespace annelid::systemc
