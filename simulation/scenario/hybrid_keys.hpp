// The hybrid of a call by InterCom in a scenario: its logical mesh, its template, and the order of
// its dimensions (docs/internals/algorithms/intercom.md).
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/settings.hpp"
#include "simulation/scenario/tuned_hybrids.hpp"

namespace annelid::simulation {

/// Whether the algorithm is InterCom.
[[nodiscard]] bool is_hybrid(const reference::Algorithm& algorithm);

/// Returns the keys that collective_keys() takes from this file.
[[nodiscard]] std::array<Key, 3> hybrid_keys();

/// Reads the hybrid of a collective whose algorithm and ranks are known. If no key names it, it
/// stays open (choose_hybrid()). Throws InputError for keys
/// that the algorithm does not use, for a logical mesh of another number of ranks, and for a hybrid
/// of too many messages.
void read_hybrid(const Settings& settings, Collective& collective);

/// Sets the hybrid that the processes choose. The call's operation, ranks, operator and bytes must
/// be known. `native`: whether the firmware takes no time.
void choose_hybrid(Collective& collective, bool native,
                   const std::vector<TunedHybrids>& tables = built_in_hybrids());

/// Whether the settings of a scenario name native firmware.
[[nodiscard]] bool is_native(const Settings& settings);

/// Throws InputError if a collective's hybrid has too many messages for the reference.
void require_few_messages(const Settings& settings, const Collective& collective);

/// Returns about how many messages an operation by the hybrid has on so many ranks: those of its
/// longest rings, if it has any. More than kMostHybridMessages are too many for the reference.
[[nodiscard]] std::uint64_t hybrid_messages(reference::Operation operation,
                                            const reference::HybridChoice& hybrid, int ranks);
inline constexpr std::uint64_t kMostHybridMessages = std::uint64_t{1} << 24;

/// The words of the call that say which hybrid it is; 0 and 0 if it is open (firmware/README.md,
/// "Operations by hybrids").
struct HybridWords {
  std::uint32_t sizes = 0;  ///< PARAMETER_1
  std::uint32_t flags = 0;  ///< FLAGS
};
[[nodiscard]] HybridWords hybrid_words(const Collective& collective);

/// "2x2x3"; the number of ranks if the collective names no sizes.
[[nodiscard]] std::string mesh_text(const Collective& collective);
/// "2x2x3 short, near dimensions first", with "chosen by rule: " or "chosen by tuning: " before it
/// if the call names none; "" if the algorithm is not InterCom.
[[nodiscard]] std::string describe_hybrid(const Collective& collective);
/// The options of `annelid run` that name the hybrid, each with a blank before it; "" if it is
/// open.
[[nodiscard]] std::string hybrid_options(const Collective& collective);

/// Adds the values from read_hybrid() to the object "collective" of result.json.
void add_hybrid_json(const Collective& collective, nlohmann::ordered_json& json);

}  // namespace annelid::simulation
