// The result of traffic on a network, and its result.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "base/exchange.hpp"
#include "simulation/recordings/recordings.hpp"
#include "simulation/scenario/traffic_scenario.hpp"
#include "traffic/analysis.hpp"
#include "traffic/saturation.hpp"
#include "traffic/trace_workload.hpp"

namespace annelid::simulation {
/// The simulator's speed.
struct Speed {
  double seconds = 0;  ///< of CPU time
  std::uint64_t flit_hops = 0;
  Cycle cycles = 0;
};

/// The result of synthetic traffic.
struct SyntheticResult {
  traffic::Analysis analysis;  ///< bounds that follow from the pattern
  traffic::OpenLoopResult measured;
  traffic::Saturation saturation;  ///< whether every source was served
};

/// Either `synthetic` or `trace` is set.
struct TrafficResult {
  TrafficScenario scenario;
  std::optional<SyntheticResult> synthetic;
  std::optional<traffic::TraceWorkload> trace;  ///< all of whose messages have arrived
  std::string kernel;                           ///< what stepped the routers: "planes" or "routers"

  // The values below belong to this run alone. They are not in result.json, which is the same for
  // equal runs.
  Speed speed;
  int slabs = 1;                ///< the processes or threads that simulated it together
  Exchange::Traffic exchanged;  ///< between them: `swaps` of each, messages and bytes of all
  RecordedFiles recorded;
  std::filesystem::path packets, file;  ///< the packets, and result.json; empty: not asked for
};

/// A channel between routers, or an ejection channel of an ideal network. Loads are in flits per
/// cycle.
struct BusiestChannel {
  bool any = false;  ///< some channel carried a flit: otherwise only `mean` says anything
  NodeId node = 0;
  Port output = 0;
  double load = 0, expected = 0;  ///< measured, and by the analysis
  double mean = 0;                ///< of all channels
};
/// Returns the busiest channel. The result must be of synthetic traffic, with channel loads.
[[nodiscard]] BusiestChannel busiest_channel(const TrafficResult& result);

/// Returns the names of the criteria by which a run is saturated, with `separator` between them:
/// "source", "channel", "latency". Returns "" if the run is not saturated.
[[nodiscard]] std::string saturated_by(const traffic::Saturation& saturation,
                                       std::string_view separator);

/// Returns the node and its channel, as in "0,0 +y".
[[nodiscard]] std::string channel_text(const systemc::NetworkConfig& network,
                                       const traffic::BusyChannel& channel);

/// "injection channels", "ejection channels" or "channels between routers".
[[nodiscard]] const char* bound_by(const traffic::Analysis& analysis);

/// Returns result.json. Equal scenarios give the same text, byte for byte, whether their routers
/// are the model or RTL.
void write_json(std::ostream& out, const TrafficResult& result);
[[nodiscard]] std::string to_json(const TrafficResult& result);

}  // namespace annelid::simulation
