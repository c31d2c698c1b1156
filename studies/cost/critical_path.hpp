// Locates a path of the netlist within the router.
#pragma once

#include <string>

namespace annelid::cost {

/// The part of a router that a register belongs to.
enum class Role {
  kFlitBuffer,  ///< places, pointers and count of a FIFO
  kInputVc,     ///< active, out_vc
  kRoute,       ///< routed, out_port, out_class
  kCredits,
  kOwner,  ///< owned
  kSwitchArbiter,
  kVcArbiter,
  kSwitchRegister,
  kLinkRegister,
  kOther,
};

/// Returns the register after which synthesis named a cell:
/// "u_router.g_switch.u_switch.…u_fifo.places_q[3]$_DFFE_PP_" gives
/// "g_switch.u_switch.…u_fifo.places_q[3]".
std::string register_name(const std::string& cell);

Role role_of(const std::string& register_name);

/// Returns the pipeline stages of a path between two registers, for a router of P stages
/// (docs/internals/microarchitecture.md, section 5), such as "RC, VA, SA".
std::string stage_of(Role start, Role end, int stages);

}  // namespace annelid::cost
