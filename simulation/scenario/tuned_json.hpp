// The tables of tune.json as text. For the project's own sources: it needs nlohmann's headers.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "simulation/scenario/tuned_tables.hpp"

namespace annelid::simulation {

[[nodiscard]] nlohmann::ordered_json tuned_json(const TunedTable& table);

/// The tables of a tune.json. Throws std::runtime_error with `where` if it is none.
[[nodiscard]] std::vector<TunedTable> read_tuned(const nlohmann::json& tuning,
                                                 const std::string& where);

}  // namespace annelid::simulation
