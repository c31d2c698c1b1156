// Plays the packets of a refusal, one after the other, by the rules of PacketGame.
#pragma once

#include <string>

#include "deadlock/configuration.hpp"
#include "testbench/deadlock/packet_game.hpp"

namespace annelid::deadlock {

/// Returns what is wrong with the claim that these packets can come to block each other; nothing if
/// it is right.
[[nodiscard]] std::string replay(const Network& network, const States& states,
                                 const Configuration& configuration);

}  // namespace annelid::deadlock
