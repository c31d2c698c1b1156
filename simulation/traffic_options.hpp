// What a run of traffic does besides simulating.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/exchange.hpp"
#include "simulation/recordings/recordings.hpp"

namespace annelid::simulation {

/// The kernel that steps the routers. It does not change the results.
enum class KernelChoice : std::uint8_t {
  kAutomatic,  ///< planes where they can run and no flits are observed
  kRouters,    ///< each router by itself
  kPlanes,     ///< an error where they cannot run
  // Planes of one kind of processor, also where there are better ones: an error where the processor
  // lacks their instructions.
  kPlanesBaseline,
  kPlanesAvx2,
  kPlanesAvx512,
};
/// What `--kernel` calls them, by KernelChoice.
inline constexpr std::array<std::string_view, 6> kKernelNames = {
    "auto", "routers", "planes", "planes-baseline", "planes-avx2", "planes-avx512"};

/// What a run of traffic does besides simulating. By default it writes nothing.
struct TrafficOptions {
  RecordingOptions recordings = {};  ///< files written while it runs, and nodes whose router is RTL
  std::filesystem::path packets = {};  ///< a CSV file with a line for each packet; empty: none
  std::filesystem::path folder = {};   ///< made if it is not there, for result.json; empty: none
  KernelChoice kernel = KernelChoice::kAutomatic;
  /// Null, or the processes that simulate the network together. All call run_traffic() with the
  /// same scenario and options, and process 0 has the result and writes all files.
  Exchange* exchange = nullptr;
  /// The threads of this process that simulate the network together. More than one: without
  /// `exchange`.
  int threads = 1;
};

}  // namespace annelid::simulation
