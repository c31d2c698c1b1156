// Whether packets can come to the places that they hold, one after the other.
#pragma once

#include <optional>
#include <vector>

#include "deadlock/configuration.hpp"

namespace annelid::deadlock {

/// What a packet holds: one of `choices`, each a list of states from its tail to its front. All of
/// them hold the same places.
struct Holder {
  std::vector<std::vector<StateId>> choices;
};

/// Finds for each packet a way from its injection through places that no packet holds which has
/// come before. Nothing else is in the network. Taking packets away never closes a way, so it does
/// not matter which of several packets is taken away first.
[[nodiscard]] std::optional<Configuration> place(const Network& network, const States& states,
                                                 const std::vector<Holder>& holders);

}  // namespace annelid::deadlock
