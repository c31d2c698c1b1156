// A collective operation in a scenario: its keys and options, the checks of their values, and its
// names in results.
#pragma once

#include <array>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/group.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::simulation {

/// An operation, and everything that its call needs except the network.
struct CollectiveChoice {
  Collective collective;
  std::filesystem::path payload;    ///< empty: random contents of collective.bytes
  std::vector<std::byte> contents;  ///< of the payload
};

[[nodiscard]] std::span<const Key> collective_keys();

/// Reads the operation that the settings describe, for this network or for a group of its nodes. A
/// payload, if any, decides the bytes. Throws InputError for an unknown name, for an algorithm that
/// does not fit the network (the error names one that does), for a value out of range, for a
/// payload that cannot be read or divided, and for lengths above the limits of a node's memory, of
/// all processes' buffers together or of a message.
[[nodiscard]] CollectiveChoice read_collective(const Settings& settings,
                                               const systemc::NetworkConfig& network,
                                               const ProcessGroup* group = nullptr);

/// Returns the object "collective" of result.json.
[[nodiscard]] nlohmann::ordered_json collective_json(const Collective& collective,
                                                     const systemc::NetworkConfig& network);

}  // namespace annelid::simulation
