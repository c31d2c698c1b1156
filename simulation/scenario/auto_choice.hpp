// Chooses the algorithm for `auto` from the tables of tune.json, without the firmware's code. Every
// run compares this choice with the firmware's choice (docs/internals/algorithms/auto.md).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "interface/registers.hpp"
#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/settings.hpp"
#include "simulation/scenario/tuned_tables.hpp"

namespace annelid::simulation {

inline constexpr std::string_view kAuto = "auto";
/// The value of the call's word ALGORITHM.
inline constexpr auto kAutoCode = static_cast<std::uint8_t>(reg::Algorithm::kAuto);

/// Whether the table decides the embedding of a call by auto. It does if all nodes take part and
/// the result does not depend on their ranks. Otherwise the call gives the embedding.
[[nodiscard]] bool embeds_itself(const Collective& collective);

/// What a choice depends on besides the call and the network's size.
struct TunedMachine {
  bool one_port = false;  ///< the routers
  bool native = false;    ///< firmware that takes no time, for the hybrid of InterCom
};

/// Sets the algorithm of a call by auto, and its embedding if the call leaves it open. The call's
/// operation, ranks, operator, root and bytes must be known.
void choose_algorithm(Collective& collective, const TunedMachine& machine,
                      const std::vector<TunedTable>& tables = built_in_tuned());

/// Returns an algorithm that runs wherever the operation does. Auto starts from it.
[[nodiscard]] const reference::Algorithm& fallback(reference::Operation operation);

/// Returns a row for each operation, as if auto were an algorithm of the catalogue. `annelid check`
/// plans with these rows. Their schedules are those for all-port routers.
[[nodiscard]] std::span<const reference::Algorithm> auto_rows();

/// Throws InputError if the settings set anything that a call by auto leaves to its algorithm:
/// parameters, triggers, and the embedding if the call leaves it open.
void require_open(const Settings& settings, const Collective& collective);

}  // namespace annelid::simulation
