// What --wave-window and --wave-trigger say.
#pragma once

#include <string>
#include <utility>

#include "systemc/wave_window.hpp"

namespace CLI {
class App;
}

namespace annelid::cli {

/// As the user wrote it; empty: not said.
struct WaveOptions {
  std::string file, nodes, window, trigger;
  Cycle before = 1000, after = 1000;
};

/// --wave, --wave-nodes, --wave-window, --wave-trigger, --wave-before, --wave-after.
void add_wave_options(CLI::App& command, WaveOptions& options);

/// "100:250", of which either may be left out: 0, kNever. Throws InputError.
[[nodiscard]] std::pair<Cycle, Cycle> parse_cycles(const std::string& option,
                                                   const std::string& text);

/// Throws InputError for what is no window and no trigger.
[[nodiscard]] WaveWindow wave_window(const WaveOptions& options);

}  // namespace annelid::cli
