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

/// Reads the key collective.operation. Throws InputError for an unknown name.
[[nodiscard]] reference::Operation read_operation(const Settings& settings);

/// Reads the key collective.root; (0,0,0) if it is not set. Throws InputError for a wrong number of
/// coordinates, and for a node outside the network.
[[nodiscard]] reference::Node read_root(const Settings& settings,
                                        const systemc::NetworkConfig& network);

/// Reads the operation that the settings describe, for this network or for a group of its nodes. A
/// payload, if any, decides the bytes. Throws InputError for an unknown name, for an algorithm that
/// does not fit the network (the error names one that does), for a value out of range, for a
/// payload that cannot be read or divided, and for lengths above the limits of a node's memory, of
/// all processes' buffers together or of a message.
[[nodiscard]] CollectiveChoice read_collective(const Settings& settings,
                                               const systemc::NetworkConfig& network,
                                               const ProcessGroup* group = nullptr);

/// Returns the names of the values 0 .. kCount - 1 of one of the reference's enumerations.
template <typename Name, std::size_t kCount>
constexpr std::array<std::string_view, kCount> names_of() {
  std::array<std::string_view, kCount> names;
  for (std::size_t i = 0; i < kCount; ++i) names[i] = name_of(static_cast<Name>(i));
  return names;
}

/// Returns the names in quotation marks, separated by commas.
[[nodiscard]] std::string quoted(std::span<const std::string_view> names);

/// "edn", "recursive-doubling": returns the names of an operation's algorithms. With a network,
/// only those that support it.
[[nodiscard]] std::string algorithm_names(reference::Operation operation,
                                          const reference::Network* network = nullptr);

/// Returns the object "collective" of result.json.
[[nodiscard]] nlohmann::ordered_json collective_json(const Collective& collective,
                                                     const systemc::NetworkConfig& network);

}  // namespace annelid::simulation
