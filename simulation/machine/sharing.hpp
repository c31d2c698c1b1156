// What a command does when several processes or threads simulate one network
// (docs/internals/processes.md).
#pragma once

#include <cstdint>
#include <functional>

#include "base/exchange.hpp"
#include "systemc/network/config.hpp"

namespace annelid::simulation {

enum class Sharing : std::uint8_t { kProcesses, kThreads };

/// Throws InputError if so many processes or threads cannot share the network: there are none, or
/// more than it has slabs.
void require_slabs(const systemc::NetworkConfig& network, int slabs, Sharing sharing);

/// Throws InputError for an option that several processes or threads do not have, if it was given.
void refuse_option(bool given, const char* option, Sharing sharing);

/// Does something that may fail in any process: then it fails in all (throw_together). Without an
/// exchange it is only done.
void together(Exchange* exchange, const std::function<void()>& f);

}  // namespace annelid::simulation
