// One member of a call in develop mode that says something else than the others: the key
// collective.differs (docs/reference/scenarios.md, "Modes of a call").
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::simulation {

[[nodiscard]] Key differs_key();

/// Reads "3,1 root 2" after the group and the modes. Throws InputError for any other text, for a
/// node that the host does not call, and without develop mode, in which alone such a call ends.
void read_differs(const Settings& settings, const systemc::NetworkConfig& network,
                  Collective& collective);

void add_differs_json(const Collective& collective, nlohmann::ordered_json& json);

}  // namespace annelid::simulation
