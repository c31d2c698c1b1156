// The parameters of the NICs: their keys and options, and their names in results.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "nic/nic_config.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::simulation {

[[nodiscard]] std::span<const Key> nic_keys();

/// Reads the NICs that the settings describe, for this network. Throws InputError for a value out
/// of range; the error names the file and line, or the option.
[[nodiscard]] nic::NicConfig read_nic(const Settings& settings,
                                      const systemc::NetworkConfig& network);

/// Returns the object "nic" of result.json.
[[nodiscard]] nlohmann::ordered_json nic_json(const nic::NicConfig& nic);

}  // namespace annelid::simulation
