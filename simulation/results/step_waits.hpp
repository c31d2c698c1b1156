// How long messages waited behind others of their own step, and where.
#pragma once

#include <cstdint>
#include <map>

#include "simulation/results/call_messages.hpp"

namespace annelid::simulation {

/// Returns, by step, the cycles between a message's posting and its start in which its injection
/// port was busy with another message of the same step. All-port routers with a port for each
/// channel have no such cycles in a schedule without stepwise contention. A one-port router sends a
/// step's messages one after the other.
[[nodiscard]] std::map<std::uint32_t, std::uint64_t> injection_waits(const CallMessages& messages);

}  // namespace annelid::simulation
