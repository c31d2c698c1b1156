// Analytic latency of an otherwise idle network: the papers' alpha + h*beta + L*beta + gamma, with
// beta = 1 cycle and without the NIC's alpha and gamma (docs/internals/microarchitecture.md,
// section 6).
#pragma once

#include <cstdint>

namespace annelid::reference {

/// Returns the flits of a message of `bytes` bytes: head, header, and one flit for every eight
/// bytes.
constexpr std::uint64_t flits_of(std::uint64_t bytes) { return 2 + (bytes + 7) / 8; }

/// Returns the cycles from the head on the injection channel to the tail on the ejection channel,
/// over `hops` external channels: h * (pipeline + link registers) + pipeline + (flits - 1).
constexpr std::uint64_t zero_load_latency(std::uint64_t hops, std::uint64_t flits,
                                          std::uint64_t pipeline = 1,
                                          std::uint64_t link_registers = 0) {
  return hops * (pipeline + link_registers) + pipeline + (flits - 1);
}

}  // namespace annelid::reference
