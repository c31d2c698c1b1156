// What the processes' buffers hold before an operation: a file, or random bytes that a seed gives.
#pragma once

#include <span>

#include "simulation/scenario/scenario.hpp"

namespace annelid::simulation {

/// The operation's inputs with reproducible contents. Elements of float32 reductions are numbers of
/// both signs between 2^-20 and 2^20, one in 64 of them a special one: infinity, NaN, zero of
/// either sign, a subnormal number. Everything else is uniform bits.
[[nodiscard]] reference::Inputs random_inputs(const Collective& collective);

/// The root's SOURCE is `payload`: of a broadcast, or of a scatter with N blocks.
[[nodiscard]] reference::Inputs payload_inputs(const Collective& collective,
                                               std::span<const std::byte> payload);

/// The inputs of a scenario's call: its payload, or random contents.
[[nodiscard]] reference::Inputs inputs_of(const Scenario& scenario);

/// CRC-32 over SOURCE of all processes, by rank: names the contents of a run.
[[nodiscard]] std::uint32_t crc32_of(const reference::Inputs& inputs);

}  // namespace annelid::simulation
