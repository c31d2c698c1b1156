// What `annelid traffic` found out, as text and as result.json.
#pragma once

#include <optional>
#include <string>

#include "simulation/scenario/traffic_scenario.hpp"
#include "traffic/analysis.hpp"
#include "traffic/trace_workload.hpp"

namespace annelid::simulation {

/// Everything that decides the results, in one line: equal texts, equal results.
[[nodiscard]] std::string configuration_text(const TrafficScenario& scenario);

/// How fast the simulator was: printed only, as result.json is the same for every equal run.
struct Speed {
  double seconds = 0;  ///< of CPU time
  std::uint64_t flit_hops = 0;
  Cycle cycles = 0;
};

[[nodiscard]] std::string summary(const TrafficScenario& scenario,
                                  const traffic::OpenLoopResult& result,
                                  const traffic::Analysis& analysis, const Speed& speed);
[[nodiscard]] std::string to_json(const TrafficScenario& scenario,
                                  const traffic::OpenLoopResult& result,
                                  const traffic::Analysis& analysis);

[[nodiscard]] std::string summary(const TrafficScenario& scenario,
                                  const traffic::TraceWorkload& trace, const Speed& speed);
[[nodiscard]] std::string to_json(const TrafficScenario& scenario,
                                  const traffic::TraceWorkload& trace);

}  // namespace annelid::simulation
