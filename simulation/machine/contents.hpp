// The contents of the processes' buffers before an operation: a file, or random bytes from a seed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "simulation/scenario/scenario.hpp"

namespace annelid::simulation {

/// Returns the operation's inputs with reproducible contents. Elements of float32 reductions are
/// numbers of both signs between 2^-20 and 2^20. One in 64 is a special value: infinity, NaN, zero
/// of either sign, or a subnormal number. Everything else is uniform bits. The calls of a run have
/// different contents by their numbers.
[[nodiscard]] reference::Inputs random_inputs(const Collective& collective, std::size_t call = 0);

/// Returns inputs in which the root's SOURCE is `payload`: the message of a broadcast, or the N
/// blocks of a scatter.
[[nodiscard]] reference::Inputs payload_inputs(const Collective& collective,
                                               std::span<const std::byte> payload);

/// Returns the inputs of each of a scenario's calls: its payload, or random contents. Those are
/// others in each start (0, 1, ...), unless a file says what the results must be.
[[nodiscard]] std::vector<reference::Inputs> inputs_of(const Scenario& scenario, int start = 0);

/// Returns the CRC-32 of all processes' SOURCE buffers, in rank order. It identifies the contents
/// of a run.
[[nodiscard]] std::uint32_t crc32_of(const reference::Inputs& inputs);

}  // namespace annelid::simulation
