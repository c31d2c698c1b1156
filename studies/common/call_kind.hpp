// The kinds of calls whose times studies compare.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace annelid::studies {

enum class CallKind : std::uint8_t {
  kNative,    ///< an ordinary call of native firmware, whose instructions cost nothing
  kFirst,     ///< an ordinary call of firmware on the modelled core, the first one of a run
  kPrepared,  ///< the second start of a prepared call
};

inline constexpr std::array<std::string_view, 3> kCallKindNames = {"native", "first", "prepared"};

[[nodiscard]] constexpr std::string_view name_of(CallKind kind) {
  return kCallKindNames[static_cast<std::size_t>(kind)];
}

/// The keys that make a call a prepared one, and say how often it is started.
inline constexpr const char *kPreparedKey = "collective.prepared",
                            *kRepeatKey = "collective.repeat";

/// How often a prepared call is started to be measured. In the first start, cores may still end the
/// preparation; all others are alike.
inline constexpr int kMeasuredStarts = 2;

}  // namespace annelid::studies
