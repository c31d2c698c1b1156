// Small networks with a random routing relation, for the comparison with an exhaustive search.
#pragma once

#include <cstdint>

#include "deadlock/network.hpp"

namespace annelid::deadlock {

/// Of kEscapes, a line in both directions is an escape, with random VCs beside it; in some networks
/// the escape is not open everywhere.
enum class Kind : std::uint8_t { kWormhole, kCutThrough, kBubbles, kAnswers, kEscapes };

/// Returns a random network, which is the same for the same seed. Every packet that is injected has
/// a way on wherever it can come to, but not always one that leads to its destination.
[[nodiscard]] Network random_network(Kind kind, std::uint64_t seed);

}  // namespace annelid::deadlock
