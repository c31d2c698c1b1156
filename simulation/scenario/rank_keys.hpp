// Groups of ranks in a scenario: who takes part in an algorithm by rank, where the ranks are, and
// what else such an algorithm leaves open (docs/internals/algorithms/groups.md).
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::simulation {

/// Whether PARAMETER_1 of the algorithm begins with a number of packets, 0 to 65,535.
[[nodiscard]] bool is_in_packets(const reference::Algorithm& algorithm);
/// Whether the last of an odd number of processes can be a leaf, or, with this bit of PARAMETER_1,
/// the root.
[[nodiscard]] bool has_last(const reference::Algorithm& algorithm);
inline constexpr std::uint32_t kLastIsRoot = 1U << 16U;
/// Whether its receives can be posted and offered in other ways than ahead, by bits of PARAMETER_1.
[[nodiscard]] bool has_receives(const reference::Algorithm& algorithm);
inline constexpr std::uint32_t kReceivesShift = 17;
inline constexpr std::uint32_t kReceiveInTurn = 2U << kReceivesShift,
                               kReceiveStepwise = 3U << kReceivesShift;

/// What collective_keys() has of it.
[[nodiscard]] std::array<Key, 5> rank_keys();

/// Reads ranks, embedding and PARAMETER_1 of a collective whose algorithm, network and root are
/// known. Throws InputError for keys that mean nothing to the algorithm, and for a root that takes
/// no part.
void read_ranks(const Settings& settings, const systemc::NetworkConfig& network,
                Collective& collective);

/// Throws InputError if the operator does not commute and the algorithm does not keep the order of
/// the ranks; says what would.
void require_order(const Settings& settings, const systemc::NetworkConfig& network,
                   const Collective& collective);

/// "40 ranks by snake"; "" if the algorithm is not by rank.
[[nodiscard]] std::string describe_ranks(const Collective& collective);

/// Adds what read_ranks() has read to the object "collective" of result.json.
void add_ranks_json(const Collective& collective, nlohmann::ordered_json& json);

}  // namespace annelid::simulation
