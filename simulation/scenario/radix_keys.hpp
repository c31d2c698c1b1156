// The mixed radices of an all-to-all in a scenario: the key collective.radices
// (docs/internals/algorithms/collect-and-exchange.md, "All-to-all").
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::simulation {

inline constexpr std::size_t kMostRadices = 4;

[[nodiscard]] Key radix_key();

/// Reads the radices of a collective whose algorithm and ranks are known. Throws InputError for
/// another algorithm, beside collective.parameter, for a list of another length, for a radix out of
/// range, and for one that no place is left for.
void read_radices(const Settings& settings, Collective& collective);

/// Sets the words of the call to 1 to 4 radices, that of place 0 first.
void set_radices(Collective& collective, const std::vector<std::uint32_t>& radices);
/// Returns the radices in the words of the call; none if they are not mixed.
[[nodiscard]] std::vector<std::uint32_t> mixed_radices(const Collective& collective);

/// "radices 3,4,2"; "" if they are not mixed.
[[nodiscard]] std::string describe_radices(const Collective& collective);
/// " --radices 3,4,2", or else " --parameter 3"; "" if both words of the call are 0. Of a shift
/// " --steps 3".
[[nodiscard]] std::string parameter_option(const Collective& collective);
/// Adds "radices", or else "parameter" where it is not 0; of a shift "steps" and "ends".
void add_parameter_json(const Collective& collective, nlohmann::ordered_json& json);

}  // namespace annelid::simulation
