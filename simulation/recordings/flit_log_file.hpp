// A flit log as a file: the lines at its top, and how it is read.
#pragma once

#include <filesystem>
#include <string>

#include "base/progress.hpp"
#include "timeline/journeys.hpp"

namespace annelid::simulation {

/// The lines above a flit log: a title, and the options that give the network.
///
///     # edn-broadcast-8x8: edn broadcast from node 2,0 of the 8x8 mesh
///     # network: --size 8x8 --topology mesh --router all-port ...
[[nodiscard]] std::string flit_log_header(const std::string& title,
                                          const systemc::NetworkConfig& network);

/// The journeys of a flit log, waits included. Throws InputError with file and line for anything
/// that no FlitLog writes.
[[nodiscard]] timeline::RecordedRun read_flit_log(const std::filesystem::path& file,
                                                  Progress& progress);

/// How the pictures of a run describe its network: "8x8 mesh; router: all-port, 4 local ports, 1 VC
/// of 4 flits".
[[nodiscard]] std::string network_text(const systemc::NetworkConfig& network);

}  // namespace annelid::simulation
