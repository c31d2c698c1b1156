// The parameters of the NICs: their keys and options, and how a result names them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "nic/nic_config.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::simulation {

[[nodiscard]] std::span<const Key> nic_keys();

/// The NICs that the settings describe, at this network. Throws InputError with the file and line,
/// or the option, of what is out of range.
[[nodiscard]] nic::NicConfig read_nic(const Settings& settings,
                                      const systemc::NetworkConfig& network);

/// The object "nic" of result.json.
[[nodiscard]] nlohmann::ordered_json nic_json(const nic::NicConfig& nic);

}  // namespace annelid::simulation
