// The points of a sweep: every combination of the values of some keys.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "simulation/scenario/settings.hpp"
#include "simulation/scenario/traffic_scenario.hpp"

namespace annelid::studies {

/// The keys of the table [sweep] that are no swept keys: stop_when_saturated, then cost.
[[nodiscard]] std::span<const simulation::Key> sweep_flags();

struct SweptKey {
  std::string key;
  std::string origin;  ///< "file:line: sweep.key" or the option
  std::vector<simulation::Value> values;
};

struct SweepPoint {
  std::vector<std::string> values;  ///< of the swept keys, in their order
  simulation::TrafficScenario scenario;
};

struct SweepGrid {
  std::string name;
  std::vector<SweptKey> keys;
  bool stop_when_saturated = false, cost = false;
  std::vector<SweepPoint> points;  ///< the last key varies fastest

  /// The place of "traffic.load" among the keys; keys.size() if it is not swept.
  [[nodiscard]] std::size_t load_key() const;
  /// The values of all keys but the load, as "router.vcs=2 router.depth=4": points of the same
  /// curve have the same.
  [[nodiscard]] std::string curve(const SweepPoint& point) const;

  /// Reads the scenario of a file, if its name is not empty, and its table [sweep]; then the
  /// options that replace their values. Throws InputError, also if any of the points cannot be
  /// simulated.
  static SweepGrid read(const std::filesystem::path& file,
                        std::span<const simulation::Override> overrides,
                        std::span<const std::string> swept);
};

}  // namespace annelid::studies
