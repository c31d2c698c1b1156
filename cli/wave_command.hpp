// `annelid wave`: views of a waveform for GTKWave, and what messages it holds.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace annelid::cli {

/// What the user wrote behind `annelid wave`.
struct WaveArguments {
  std::string file, view, out, range;
  bool list = false;
};

/// Adds the command and its options to the program.
CLI::App* add_wave_command(CLI::App& program, WaveArguments& arguments);

/// Returns the exit status, 0. Throws InputError.
int run_wave(const WaveArguments& arguments);

}  // namespace annelid::cli
