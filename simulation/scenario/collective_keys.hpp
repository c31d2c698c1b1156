// A collective operation in a scenario: its keys and options, which values are errors, and how a
// result names it.
#pragma once

#include <array>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::simulation {

/// An operation with everything that its call needs besides the network.
struct CollectiveChoice {
  Collective collective;
  std::filesystem::path payload;    ///< empty: random contents of collective.bytes
  std::vector<std::byte> contents;  ///< of the payload
};

[[nodiscard]] std::span<const Key> collective_keys();

/// The key collective.operation. Throws InputError for a name that no operation has.
[[nodiscard]] reference::Operation read_operation(const Settings& settings);

/// The key collective.root; (0,0,0) if it is not set. Throws InputError.
[[nodiscard]] reference::Node read_root(const Settings& settings,
                                        const systemc::NetworkConfig& network);

/// The operation that the settings describe, at this network, with its payload, which decides the
/// bytes. Throws InputError for a name that does not exist, for what does not fit the network (and
/// names an algorithm that does), values out of range, a payload that cannot be read or divided,
/// and for more than a node's memory, all processes' buffers together or a message may have.
[[nodiscard]] CollectiveChoice read_collective(const Settings& settings,
                                               const systemc::NetworkConfig& network);

/// The names of the values 0 .. kCount - 1 of one of the reference's enumerations.
template <typename Name, std::size_t kCount>
constexpr std::array<std::string_view, kCount> names_of() {
  std::array<std::string_view, kCount> names;
  for (std::size_t i = 0; i < kCount; ++i) names[i] = name_of(static_cast<Name>(i));
  return names;
}

/// In quotation marks, with commas between them.
[[nodiscard]] std::string quoted(std::span<const std::string_view> names);

/// "edn", "recursive-doubling": the algorithms of an operation, those that support the network if
/// one is given.
[[nodiscard]] std::string algorithm_names(reference::Operation operation,
                                          const reference::Network* network = nullptr);

/// The object "collective" of result.json.
[[nodiscard]] nlohmann::ordered_json collective_json(const Collective& collective,
                                                     const systemc::NetworkConfig& network);

}  // namespace annelid::simulation
