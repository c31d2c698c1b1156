// The result of traffic on a network, and its result.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "simulation/recordings/recordings.hpp"
#include "simulation/scenario/traffic_scenario.hpp"
#include "traffic/analysis.hpp"
#include "traffic/saturation.hpp"
#include "traffic/trace_workload.hpp"

namespace annelid::simulation {
/// How fast the simulator was.
struct Speed {
  double seconds = 0;  ///< of CPU time
  std::uint64_t flit_hops = 0;
  Cycle cycles = 0;
};

/// Of synthetic traffic.
struct SyntheticResult {
  traffic::Analysis analysis;  ///< bounds that follow from the pattern
  traffic::OpenLoopResult measured;
  traffic::Saturation saturation;  ///< whether every source was served
};

/// `synthetic` is there, or `trace`.
struct TrafficResult {
  TrafficScenario scenario;
  std::optional<SyntheticResult> synthetic;
  std::optional<traffic::TraceWorkload> trace;  ///< all of whose messages have arrived
  std::string kernel;                           ///< what stepped the routers: "planes" or "routers"

  // Of this run alone, not in result.json, which is the same for every equal run.
  Speed speed;
  RecordedFiles recorded;
  std::filesystem::path packets, file;  ///< the packets, and result.json; empty: not asked for
};

/// Between routers; of an ideal network an ejection channel. Loads are flits per cycle.
struct BusiestChannel {
  NodeId node = 0;
  Port output = 0;
  double load = 0, expected = 0;  ///< measured, and by the analysis
  double mean = 0;                ///< of all channels
};
/// Of synthetic traffic whose channels were counted.
[[nodiscard]] BusiestChannel busiest_channel(const TrafficResult& result);

/// The names of the criteria that make a run saturated, with `separator` between: "source",
/// "channel", "latency". Empty: it is not saturated.
[[nodiscard]] std::string saturated_by(const traffic::Saturation& saturation,
                                       std::string_view separator);

/// As "0,0 +y": the node and its channel.
[[nodiscard]] std::string channel_text(const systemc::NetworkConfig& network,
                                       const traffic::BusyChannel& channel);

/// "injection channels", "ejection channels" or "channels between routers".
[[nodiscard]] const char* bound_by(const traffic::Analysis& analysis);

/// The same scenario gives the same text, byte for byte, whatever stands in for its routers.
[[nodiscard]] std::string to_json(const TrafficResult& result);

}  // namespace annelid::simulation
