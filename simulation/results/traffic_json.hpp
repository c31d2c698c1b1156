// What decides the results of traffic on a network, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "simulation/scenario/traffic_scenario.hpp"

namespace annelid::simulation {

/// Everything that decides the results, but for the program: equal values, equal results. The
/// scenario's name is not among them.
[[nodiscard]] nlohmann::ordered_json configuration_json(const TrafficScenario& scenario);

}  // namespace annelid::simulation
