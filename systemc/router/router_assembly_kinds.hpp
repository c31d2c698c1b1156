// The kinds of kernels. Each is compiled in a file of its own: router_array_*.cpp.
#pragma once

#include <memory>

#include "systemc/router/router_assembly.hpp"

namespace annelid::systemc {

/// `ports`: the most that a router may have. Only a router of one stage with round-robin arbiters
/// and no link registers may do without the `general` parts. `vc_bits`: the base-2 logarithm of the
/// stride of the kernel's slots.
template <int ports, bool general>
[[nodiscard]] std::unique_ptr<RouterAssembly> assemble(int vc_bits, const NetworkConfig& network,
                                                       RouterArrayHost& host, Cut* cut);
using Assemble = std::unique_ptr<RouterAssembly>(int, const NetworkConfig&, RouterArrayHost&, Cut*);
extern template Assemble assemble<8, false>;
extern template Assemble assemble<8, true>;
extern template Assemble assemble<12, false>;
extern template Assemble assemble<12, true>;

}  // namespace annelid::systemc
