// The latency of a packet that is alone in the network, computed from the definitions alone
// (docs/internals/microarchitecture.md, sections 5 and 6).
#pragma once

#include <cstdint>
#include <vector>

#include "systemc/network/config.hpp"

namespace annelid::traffic {

/// For packets whose last hop is in dimension `last`: flit k is on the ejection channel result[k]
/// cycles after the head, for k = 0 .. flits - 1. That is k, or more where buffers are too short
/// for the credit loop. Earlier hops do not matter.
[[nodiscard]] std::vector<std::uint64_t> behind_head(const systemc::NetworkConfig& network,
                                                     int last, std::uint64_t flits);

/// Cycles from the head on the injection channel to the head on the ejection channel.
[[nodiscard]] double head_latency(const systemc::NetworkConfig& network, double hops);

/// Cycles from the head on the injection channel to the tail on the ejection channel.
[[nodiscard]] std::uint64_t zero_load_latency(const systemc::NetworkConfig& network,
                                              const Address& source, const Address& destination,
                                              std::uint64_t flits);

}  // namespace annelid::traffic
