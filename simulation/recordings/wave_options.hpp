// What --wave-window and --wave-trigger say.
#pragma once

#include <string>
#include <utility>

#include "waves/wave_window.hpp"

namespace annelid::simulation {

/// As the user wrote it; empty: not given.
struct WaveOptions {
  std::string file, nodes, window, trigger;
  Cycle before = 1000, after = 1000;
};

/// "100:250", of which either may be left out: 0, kNever. Throws InputError.
[[nodiscard]] std::pair<Cycle, Cycle> parse_cycles(const std::string& option,
                                                   const std::string& text);

/// Throws InputError for a text that is neither a window nor a trigger.
[[nodiscard]] waves::WaveWindow wave_window(const WaveOptions& options);

}  // namespace annelid::simulation
