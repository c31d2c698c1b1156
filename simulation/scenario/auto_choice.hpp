// Which algorithm `auto` stands for, found from the tables of tune.json without the firmware's
// code. Every run compares it with what the firmware chooses
// (docs/internals/algorithms/auto.md).
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
/// Word ALGORITHM of the call.
inline constexpr auto kAutoCode = static_cast<std::uint8_t>(reg::Algorithm::kAuto);

/// Whether the table decides the embedding of a call by auto. It does if all nodes take part and
/// the result does not depend on their ranks. Otherwise the call decides it.
[[nodiscard]] bool embeds_itself(const Collective& collective);

/// Sets algorithm, and embedding where that is free, of a call by auto whose operation, ranks,
/// operator, root and bytes are known. `one_port`: of the network's routers.
void choose_algorithm(Collective& collective, bool one_port,
                      const std::vector<TunedTable>& tables = built_in_tuned());

/// An algorithm of the operation that runs wherever the operation does; what auto begins with.
[[nodiscard]] const reference::Algorithm& fallback(reference::Operation operation);

/// Auto as if it were an algorithm of the catalogue, a row for each operation: `annelid check`
/// plans with it. Schedules are those for all-port routers.
[[nodiscard]] std::span<const reference::Algorithm> auto_rows();

/// Throws InputError for what a call by auto leaves to its algorithm: parameters, triggers, and an
/// embedding where that is free.
void require_open(const Settings& settings, const Collective& collective);

}  // namespace annelid::simulation
