// One number for many plans, computed by the same code in both builds.
#pragma once

#include <cstdint>

namespace annelid::firmware {

/// FNV-1a over the plans of all nodes of several meshes and roots, EDN and recursive doubling, and
/// over the hybrids of InterCom that processes choose. Adds the number of plans to `plans`.
std::uint32_t plan_digest(std::uint32_t& plans);

}  // namespace annelid::firmware
