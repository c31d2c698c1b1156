// Matrix transposition on square meshes: Tsai 1997, Section 3.6;
// docs/internals/algorithms/collect-and-exchange.md, "Transposition".
#pragma once

#include "reference/schedule/block_schedule.hpp"

namespace annelid::reference {

/// True for n x n meshes.
bool square_mesh(const Network& mesh);
/// True for 2^k x 2^k meshes.
bool edn_transpose_supports(const Network& mesh);

/// One step of n^2 - n messages. The number of a block is the rank of the process from which it
/// comes. Throws std::invalid_argument unless the mesh is square.
BlockSchedule direct_transpose(const Network& mesh);

/// k steps, by extended dominating nodes on the diagonals of blocks of 4, 16, 64, ... nodes a side,
/// without stepwise contention. Throws std::invalid_argument for other sizes.
BlockSchedule edn_transpose(const Network& mesh);

}  // namespace annelid::reference
