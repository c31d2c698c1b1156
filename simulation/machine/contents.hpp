// The contents of the processes' buffers before an operation: a file, or random bytes from a seed.
#pragma once

#include <span>

#include "simulation/scenario/scenario.hpp"

namespace annelid::simulation {

/// Returns the operation's inputs with reproducible contents. Elements of float32 reductions are
/// numbers of both signs between 2^-20 and 2^20. One in 64 is a special value: infinity, NaN, zero
/// of either sign, or a subnormal number. Everything else is uniform bits.
[[nodiscard]] reference::Inputs random_inputs(const Collective& collective);

/// Returns inputs in which the root's SOURCE is `payload`: the message of a broadcast, or the N
/// blocks of a scatter.
[[nodiscard]] reference::Inputs payload_inputs(const Collective& collective,
                                               std::span<const std::byte> payload);

/// Returns the inputs of a scenario's call: its payload, or random contents.
[[nodiscard]] reference::Inputs inputs_of(const Scenario& scenario);

/// Returns the CRC-32 of all processes' SOURCE buffers, in rank order. It identifies the contents
/// of a run.
[[nodiscard]] std::uint32_t crc32_of(const reference::Inputs& inputs);

}  // namespace annelid::simulation
