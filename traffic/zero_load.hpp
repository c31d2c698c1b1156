// How long a packet takes that is alone in the network, from the definitions alone
// (docs/internals/microarchitecture.md, sections 5 and 6).
#pragma once

#include <cstdint>
#include <vector>

#include "systemc/network/config.hpp"

namespace annelid::traffic {

/// For packets whose last hop is along dimension `last`: flit k is on the ejection channel
/// result[k] cycles after the head, k = 0 .. flits - 1. That is k, or more where the buffers are
/// shorter than the credit loop. The hops before do not matter.
[[nodiscard]] std::vector<std::uint64_t> behind_head(const systemc::NetworkConfig& network,
                                                     int last, std::uint64_t flits);

/// Head on the injection channel to head on the ejection channel.
[[nodiscard]] double head_latency(const systemc::NetworkConfig& network, double hops);

/// Head on the injection channel to tail on the ejection channel.
[[nodiscard]] std::uint64_t zero_load_latency(const systemc::NetworkConfig& network,
                                              const Address& source, const Address& destination,
                                              std::uint64_t flits);

}  // namespace annelid::traffic
