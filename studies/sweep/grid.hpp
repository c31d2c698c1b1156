// The points of a sweep: every combination of the values of some keys.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "simulation/scenario/settings.hpp"
#include "simulation/scenario/traffic_scenario.hpp"

namespace annelid::studies {

/// Returns the keys of the table [sweep] that are not swept: stop_when_saturated, then cost.
[[nodiscard]] std::span<const simulation::Key> sweep_flags();

struct SweptKey {
  std::string key;
  std::string origin;  ///< "file:line: sweep.key" or the option
  std::vector<simulation::Value> values;
};

struct SweepPoint {
  std::vector<std::string> values;    ///< of the swept keys, in their order
  std::vector<std::string> defaults;  ///< of SweepGrid::defaults, in their order
  simulation::TrafficScenario scenario;
};

struct SweepGrid {
  std::string name;
  std::vector<SweptKey> keys;
  bool stop_when_saturated = false, cost = false;
  std::vector<SweepPoint> points;  ///< the last key varies fastest
  /// The keys of the router that nobody has set, and whose defaults differ between the points,
  /// because they follow swept keys, as router.depth follows router.stages.
  std::vector<std::string> defaults;

  /// Returns the index of "traffic.load" among the keys, or keys.size() if it is not swept.
  [[nodiscard]] std::size_t load_key() const;
  /// Returns the values of all keys except the load, and those of `defaults`, as in "router.vcs=2
  /// router.stages=3 (router.depth=6)". Points of one curve have the same text.
  [[nodiscard]] std::string curve(const SweepPoint& point) const;

  /// Reads a scenario and its table [sweep] from a file (unless its name is empty), then the
  /// options that replace their values. Throws InputError for bad values, and if any of the points
  /// cannot be simulated.
  static SweepGrid read(const std::filesystem::path& file,
                        std::span<const simulation::Override> overrides,
                        std::span<const std::string> swept);
};

}  // namespace annelid::studies
