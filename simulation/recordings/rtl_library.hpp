// A Verilated router that the build has not made, made when a run asks for it.
#pragma once

#include "base/progress.hpp"
#include "simulation/recordings/recordings.hpp"

namespace annelid::simulation {

/// Sees to it that the program has the Verilated router that --rtl asks for. One that the build
/// does not have is made by Verilator and the compiler, which takes up to a minute, and kept in
/// the cache folder `rtl`. Of several processes that want the same router, one makes it. Does
/// nothing where rtl_nodes() will refuse, also where Verilator is needed and not installed. Throws
/// InputError for nodes that do not exist, RunFailure if a tool fails, and Interrupted.
void provide_rtl(const RecordingOptions& options, const systemc::NetworkConfig& network,
                 Progress& progress);

}  // namespace annelid::simulation
