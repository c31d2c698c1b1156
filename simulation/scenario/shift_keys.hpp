// How far a shift goes, in a scenario: the keys collective.steps and collective.ends
// (docs/internals/algorithms/shift.md, "Shift").
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::simulation {

[[nodiscard]] std::array<Key, 2> shift_keys();

/// Reads the steps and the ends of a shift. Throws InputError for such a key of another operation,
/// and for steps that are no number of 32 bits.
void read_shift(const Settings& settings, Collective& collective);

[[nodiscard]] bool is_shift(const Collective& collective);
/// Sets the words of a call: up by so many steps, down if they are negative.
void set_shift(Collective& collective, std::int32_t steps, bool ends);
[[nodiscard]] std::int32_t shift_steps(const Collective& collective);
[[nodiscard]] bool shift_has_ends(const Collective& collective);

/// "up by 3", "down by 1 with ends"; "" if it is no shift.
[[nodiscard]] std::string describe_shift(const Collective& collective);
/// " --steps -3 --ends true".
[[nodiscard]] std::string shift_options(const Collective& collective);
void add_shift_json(const Collective& collective, nlohmann::ordered_json& json);

}  // namespace annelid::simulation
