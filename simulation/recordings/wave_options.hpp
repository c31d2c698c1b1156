// Parses --wave-window and --wave-trigger.
#pragma once

#include <string>
#include <utility>

#include "waves/wave_window.hpp"

namespace annelid::simulation {

/// The options as the user wrote them. An empty text means that the option was not given.
struct WaveOptions {
  std::string file, nodes, window, trigger;
  Cycle before = 1000, after = 1000;
};

/// Parses a range of cycles, "100:250". A missing start means 0, a missing end kNever. Throws
/// InputError for any other text.
[[nodiscard]] std::pair<Cycle, Cycle> parse_cycles(const std::string& option,
                                                   const std::string& text);

/// Throws InputError for a text that is neither a window nor a trigger.
[[nodiscard]] waves::WaveWindow wave_window(const WaveOptions& options);

}  // namespace annelid::simulation
