// Groups of ranks in a scenario: which ranks take part in an algorithm by rank, which nodes they
// are on, and the other choices that such an algorithm leaves open
// (docs/internals/algorithms/groups.md).
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::simulation {

/// Whether PARAMETER_1 of the algorithm begins with a number of packets, 0 to 65,535.
[[nodiscard]] bool is_in_packets(const reference::Algorithm& algorithm);
/// Whether PARAMETER_1 means anything to it.
[[nodiscard]] bool takes_parameter(const reference::Algorithm& algorithm);
/// Whether the algorithm lets the last of an odd number of processes be a leaf or, with the bit
/// kLastIsRoot of PARAMETER_1, the root.
[[nodiscard]] bool has_last(const reference::Algorithm& algorithm);
inline constexpr std::uint32_t kLastIsRoot = 1U << 16U;
/// Whether bits of PARAMETER_1 can select another way to post and offer receives than ahead of
/// time.
[[nodiscard]] bool has_receives(const reference::Algorithm& algorithm);
inline constexpr std::uint32_t kReceivesShift = 17;
inline constexpr std::uint32_t kReceiveInTurn = 2U << kReceivesShift,
                               kReceiveStepwise = 3U << kReceivesShift;

/// Returns the keys that collective_keys() takes from this file.
[[nodiscard]] std::array<Key, 5> rank_keys();

/// Reads ranks, embedding and PARAMETER_1 of a collective whose algorithm, network and root are
/// known. Throws InputError for keys that the algorithm does not use, and for a root that takes no
/// part.
void read_ranks(const Settings& settings, const systemc::NetworkConfig& network,
                Collective& collective);

/// Throws InputError if the operator does not commute and the algorithm does not keep the order of
/// the ranks. The error names algorithms that do.
void require_order(const Settings& settings, const systemc::NetworkConfig& network,
                   const Collective& collective);

/// "40 ranks by snake"; "" if the algorithm is not by rank.
[[nodiscard]] std::string describe_ranks(const Collective& collective);

/// Adds the values from read_ranks() to the object "collective" of result.json.
void add_ranks_json(const Collective& collective, nlohmann::ordered_json& json);

}  // namespace annelid::simulation
