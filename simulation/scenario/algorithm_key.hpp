// Which operation and which algorithm a scenario asks for: the keys collective.operation and
// collective.algorithm.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::simulation {

/// Reads the key collective.operation. Throws InputError for an unknown name.
[[nodiscard]] reference::Operation read_operation(const Settings& settings);

/// Reads the key collective.algorithm. Without it, or with "auto", gives the operation's first
/// algorithm that runs on the network, or on groups of its nodes. Throws InputError for an unknown
/// name, for an algorithm that does not fit (the error names those that do), and for an operation
/// that no algorithm fits.
[[nodiscard]] const reference::Algorithm& read_algorithm(const Settings& settings,
                                                         reference::Operation operation,
                                                         const systemc::NetworkConfig& network,
                                                         bool of_group);

/// Listed groups have ranks and no dimensions. Throws InputError unless the algorithm, nullptr if
/// there is none, serves them.
void require_for_groups(const Settings& settings, reference::Operation operation,
                        const reference::Algorithm* algorithm);

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

}  // namespace annelid::simulation
