// What a NIC is built with, beyond the network that it is attached to.
#pragma once

#include "nic_registers.hpp"
#include "systemc/config.hpp"

namespace annelid {

struct NicConfig {
  NetworkConfig network;
  std::uint64_t memory_bytes = std::uint64_t{256} << 20;  ///< node memory, up to 2 GiB
  /// How far the core may run ahead of the network, in cycles, at least 1. It cannot be seen in any
  /// result: RAM is private, and the core meets the network in exact cycles.
  Cycle run_ahead = 4096;
};

/// Throws ConfigError for the first value that is out of range.
void validate(const NicConfig& config);

/// Words 0..14 of a call (docs/nic.md, section 5); what is not named here is 0.
struct Call {
  reg::Operation operation = reg::Operation::kBroadcast;
  reg::Algorithm algorithm = reg::Algorithm::kEdn;
  Address root;
  std::uint32_t offset = 0;  ///< of the buffer in node memory
  std::uint32_t bytes = 0;
  std::uint32_t tag = 0;
};

}  // namespace annelid
