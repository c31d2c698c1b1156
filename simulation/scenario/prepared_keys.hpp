// Calls that are prepared once and started many times, and calls that are repeated
// (docs/internals/nic/calls.md, "Prepared calls").
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::simulation {

/// The starts of a run have a line each in its summary.
inline constexpr int kMostStarts = 1000;

[[nodiscard]] std::array<Key, 3> prepared_keys();

/// Reads collective.prepared and collective.plan_bytes. Throws InputError for calls that cannot be
/// prepared.
void read_prepared(const Settings& settings, Collective& collective);

/// Reads collective.repeat: how often all calls of a run are made. Throws InputError if a single
/// [[call]] of several has a number of its own.
[[nodiscard]] int read_repeat(const Settings& settings);

/// Returns " --prepared" and its room, or "".
[[nodiscard]] std::string prepared_options(const Collective& collective);
void add_prepared_json(const Collective& collective, nlohmann::ordered_json& json);

}  // namespace annelid::simulation
