// What a command does when several processes simulate one network (docs/internals/ranks.md).
#pragma once

#include <functional>

#include "base/exchange.hpp"
#include "systemc/network/config.hpp"

namespace annelid::simulation {

/// Throws InputError if there are more processes than the network has slabs.
void require_slabs(const systemc::NetworkConfig& network, const Exchange& exchange);

/// Throws InputError for an option that several processes do not have, if it was given.
void refuse_option(bool given, const char* option);

/// Does something that may fail in any process: then it fails in all (throw_together). Without an
/// exchange it is only done.
void together(Exchange* exchange, const std::function<void()>& f);

}  // namespace annelid::simulation
