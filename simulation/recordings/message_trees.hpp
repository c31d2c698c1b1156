// Which of the two trees of a schedule a message belongs to, for a timeline.
#pragma once

#include "simulation/recordings/recordings.hpp"
#include "simulation/scenario/scenario.hpp"

namespace annelid::simulation {

/// The trees of the messages of a run of a single call by two trees, as the reference plans them.
/// Empty for any other run.
[[nodiscard]] Recordings::TreeOf trees_of(const Scenario& scenario);

}  // namespace annelid::simulation
