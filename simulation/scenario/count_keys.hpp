// Blocks of different lengths in a scenario: the key collective.counts
// (docs/internals/algorithms/intercom.md, "Blocks of different lengths").
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::simulation {

[[nodiscard]] Key count_key();

/// Whether the seed decides the lengths: "random:A..B".
[[nodiscard]] bool draws_counts(const Settings& settings);

/// Reads the lengths of a collective whose algorithm, ranks, type and seed are known. Throws
/// InputError for an algorithm that takes none, for a list of another size, for lengths out of
/// range or that are no multiple of an element, and for a file that cannot be read.
void read_counts(const Settings& settings, Collective& collective);

/// Sets the lengths, and `bytes` to an equal share of them, rounded up. `counts`: as a user gives
/// them.
void set_lengths(Collective& collective, std::vector<std::uint64_t> lengths, std::string counts);

/// Returns random lengths from `least` to `most` bytes, whole elements, of as many blocks as the
/// collective has, by its seed.
[[nodiscard]] std::vector<std::uint64_t> random_lengths(const Collective& collective,
                                                        std::uint64_t least, std::uint64_t most);

/// "64 bytes", "0 to 256 bytes": of a block.
[[nodiscard]] std::string block_text(const Collective& collective);
/// " --counts 8,0,24" or " --counts random:0..64"; "" for equal blocks.
[[nodiscard]] std::string counts_option(const Collective& collective);

}  // namespace annelid::simulation
