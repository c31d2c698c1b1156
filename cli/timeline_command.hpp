// `annelid timeline`: a flit log in, a page and a trace out.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace annelid::cli {

/// What the user wrote behind `annelid timeline`.
struct TimelineArguments {
  std::string log;
  std::string html;  ///< empty: beside the log
  bool quiet = false;
};

/// Adds the command and its options to the program.
CLI::App* add_timeline_command(CLI::App& program, TimelineArguments& arguments);

/// Returns the exit status: 0. Throws InputError.
int run_timeline(const TimelineArguments& arguments);

}  // namespace annelid::cli
