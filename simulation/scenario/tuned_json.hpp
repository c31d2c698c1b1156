// Reads the tables of tune.json. This header is for the project's own sources, because it needs
// nlohmann's headers.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "simulation/scenario/tuned_tables.hpp"

namespace annelid::simulation {

[[nodiscard]] nlohmann::ordered_json tuned_json(const TunedTable& table);

/// Returns the tables of a tune.json. Throws std::runtime_error, which names `where`, if the JSON
/// is no tune.json.
[[nodiscard]] std::vector<TunedTable> read_tuned(const nlohmann::json& tuning,
                                                 const std::string& where);

}  // namespace annelid::simulation
