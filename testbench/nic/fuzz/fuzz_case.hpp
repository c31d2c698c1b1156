// Random descriptors on random networks: nothing is lost, duplicated or reordered within a
// (source, destination, tag), all bytes are right, and nothing is left at the end.
// Parameter space: meshes and tori of 2 to 16 nodes, 1 to 4 ports, depths 1 to 4, one or two
// virtual channels, eager messages of up to 0, 8, 64 or 4096 bytes, start-up and reception costs,
// limits of memory accesses, combine lanes, half duplex, one-port routers; pace and skew of the
// firmware.
#pragma once

#include <cstddef>
#include <cstdint>

namespace annelid::nic::fuzz {

/// Runs random messages of at least `flits` flits, in equal parts on so many random networks, a
/// multiple of 4. What must have happened and did not is a failure as well. A seed gives the same
/// run everywhere.
void run_case(std::uint64_t seed, std::uint64_t flits, std::size_t networks);

}  // namespace annelid::nic::fuzz
