// The kinds of kernels. Each is compiled in a file of its own: router_array_*.cpp.
#pragma once

#include <memory>

#include "systemc/kernel/kernel_policies.hpp"
#include "systemc/kernel/router_assembly.hpp"

namespace annelid::systemc {

/// `ports`: the most that a router may have. `Policies` must serve it (kernel_policies.hpp).
/// `vc_bits`: the base-2 logarithm of the stride of the kernel's slots.
template <int ports, class Policies>
[[nodiscard]] std::unique_ptr<RouterAssembly> assemble(int vc_bits, const NetworkConfig& network,
                                                       RouterArrayHost& host, Cut* cut);
using Assemble = std::unique_ptr<RouterAssembly>(int, const NetworkConfig&, RouterArrayHost&, Cut*);
extern template Assemble assemble<8, PlainRouters>;
extern template Assemble assemble<8, AllRouters>;
extern template Assemble assemble<12, PlainRouters>;
extern template Assemble assemble<12, AllRouters>;

}  // namespace annelid::systemc
