// A flit log as a file: writes its header lines, and reads it.
#pragma once

#include <filesystem>
#include <string>

#include "base/progress.hpp"
#include "timeline/journeys.hpp"

namespace annelid::simulation {

/// Returns the header of a flit log: a title, and the options that describe the network.
///
///     # edn-broadcast-8x8: edn broadcast from node 2,0 of the 8x8 mesh
///     # network: --size 8x8 --topology mesh --router all-port ...
[[nodiscard]] std::string flit_log_header(const std::string& title,
                                          const systemc::NetworkConfig& network);

/// Reads the packets' journeys from a flit log, with their waits. `recorded` says which. Throws
/// InputError, with file and line, for anything that FlitLog does not write.
[[nodiscard]] timeline::RecordedRun read_flit_log(const std::filesystem::path& file,
                                                  Progress& progress,
                                                  const timeline::Recorded& recorded = {});

/// Returns the network's description for pictures of a run: "8x8 mesh; router: all-port, 4 local
/// ports, 1 VC of 4 flits".
[[nodiscard]] std::string network_text(const systemc::NetworkConfig& network);

}  // namespace annelid::simulation
