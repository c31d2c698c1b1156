// The parameters of a NIC, apart from those of the network that it is attached to.
#pragma once

#include <array>

#include "interface/registers.hpp"
#include "systemc/network/config.hpp"

namespace annelid::nic {

/// The lanes of the combine unit that are used by default: one for each port, but at least two,
/// because a process of a scan may combine three messages in the time that two take to arrive.
constexpr std::uint32_t default_combine_lanes(int ports) {
  return ports < 2 ? 2 : static_cast<std::uint32_t>(ports);
}

struct NicConfig {
  systemc::NetworkConfig network;
  std::uint64_t memory_bytes = std::uint64_t{256} << 20;  ///< size of node memory, up to 2 GiB
  std::uint32_t eager_bytes = 64;  ///< the longest eager message in bytes: 0..4096, a multiple of 8
  Cycle alpha = 0;                 ///< start-up time of a send in cycles, 0..2^20
  Cycle gamma = 0;                 ///< reception time of a message in cycles, 0..2^20
  std::uint32_t memory_flits =
      0;  ///< accesses of the engines to node memory per cycle, 0..64; 0: unlimited
  std::uint32_t combine_lanes =
      0;  ///< flits that the combine unit starts per cycle, 1..8; 0: the default
  bool half_duplex = false;
  /// How far the core may run ahead of the network, in cycles, at least 1. No result depends on it:
  /// RAM is private, and the core meets the network in exact cycles.
  Cycle run_ahead = 4096;
};

/// Throws ConfigError for the first value that is out of range.
void validate(const NicConfig& config);

/// Words 0..14 of a call (docs/internals/nic/calls.md).
struct Call {
  std::array<std::uint32_t, reg::kCallWords> words{};

  [[nodiscard]] std::uint32_t operator[](reg::CallWord which) const {
    return words[static_cast<std::size_t>(which)];
  }
  Call& set(reg::CallWord which, std::uint32_t value) {
    words[static_cast<std::size_t>(which)] = value;
    return *this;
  }
};

}  // namespace annelid::nic
