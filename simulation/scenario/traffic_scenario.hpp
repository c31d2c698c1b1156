// The scenario of `annelid traffic`: a network, and synthetic traffic or a trace.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulation/scenario/settings.hpp"
#include "systemc/network/config.hpp"
#include "traffic/open_loop.hpp"
#include "traffic/synthetic.hpp"
#include "traffic/trace_file.hpp"

namespace annelid::simulation {

/// The keys of `annelid traffic`: the keys of the network, and those of the command itself.
[[nodiscard]] std::vector<Key> traffic_keys();

struct TrafficScenario {
  std::string name;
  systemc::NetworkConfig network;
  traffic::SyntheticConfig synthetic;
  traffic::Phases phases;
  std::filesystem::path trace_file;          ///< empty: synthetic traffic
  std::vector<traffic::TraceMessage> trace;  ///< of trace_file
  Cycle cycle_limit = 100'000'000;           ///< of a trace
  Settings settings{{}};                     ///< the origin of each value, for messages

  /// Reads a file (unless its name is empty), then the options that replace its values. Throws
  /// InputError for anything that cannot be simulated.
  static TrafficScenario read(const std::filesystem::path& file,
                              std::span<const Override> overrides);
  /// Builds a scenario from settings with traffic_keys(). Throws InputError, as read() does.
  static TrafficScenario from(const Settings& settings);
};

}  // namespace annelid::simulation
