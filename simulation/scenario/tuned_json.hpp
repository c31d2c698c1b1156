// Reads and writes the tables of tune.json. This header is for the project's own sources, because
// it needs nlohmann's headers.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "simulation/scenario/tuned_hybrids.hpp"
#include "simulation/scenario/tuned_tables.hpp"

namespace annelid::simulation {

[[nodiscard]] nlohmann::ordered_json tuned_json(const TunedTable& table);

[[nodiscard]] nlohmann::ordered_json tuned_json(const TunedHybrids& table);
[[nodiscard]] nlohmann::ordered_json hybrid_json(const reference::HybridChoice& hybrid);

/// Return the tables of a tune.json: those of algorithms, and those of hybrids. Throw
/// std::runtime_error, which names `where`, if the JSON is no tune.json.
[[nodiscard]] std::vector<TunedTable> read_tuned(const nlohmann::json& tuning,
                                                 const std::string& where);
[[nodiscard]] std::vector<TunedHybrids> read_tuned_hybrids(const nlohmann::json& tuning,
                                                           const std::string& where);

/// Returns a list of the tune.json of the folders with which this program's firmware was built.
[[nodiscard]] nlohmann::json built_in_tunings();

}  // namespace annelid::simulation
