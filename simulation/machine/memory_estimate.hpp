// How much memory of this computer a run will take, and whether that much is free.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulation/scenario/scenario.hpp"

namespace annelid::simulation {

/// An estimate in bytes. On small networks, a run was measured to take between 1/1.6 and 1.6 times
/// the total (testbench/simulation/memory_estimate_test.cpp).
struct MemoryEstimate {
  std::uint64_t program = 0;  ///< what does not depend on the network
  std::uint64_t routers = 0, nics = 0, cores = 0;
  std::uint64_t node_memory = 0;  ///< SOURCE, TARGET and SCRATCH of all nodes
  std::uint64_t messages = 0;     ///< the records of messages, and the data compared with them

  [[nodiscard]] std::uint64_t total() const {
    return program + routers + nics + cores + node_memory + messages;
  }
};

[[nodiscard]] MemoryEstimate estimate_memory(const Scenario& scenario);
/// Estimates the memory of a run with a user's own program on every node.
[[nodiscard]] MemoryEstimate estimate_memory(const nic::NicConfig& nic);
/// Estimates the memory of a network with sources and sinks of synthetic traffic in place of NICs.
/// With `planes` it is stepped in planes.
[[nodiscard]] MemoryEstimate estimate_memory(const systemc::NetworkConfig& network, bool planes);

/// The bytes that this process can still allocate, and what sets that limit.
struct AvailableMemory {
  std::uint64_t bytes = 0;
  std::string limit;  ///< "this computer has", "the control group leaves", "ulimit -v leaves"
};

/// Returns the smallest of three limits: the computer's free memory, the rest of the process's
/// control groups, and the rest of its address space. `proc` and `cgroups` are /proc and
/// /sys/fs/cgroup. Returns nothing if they hold no limit.
[[nodiscard]] std::optional<AvailableMemory> available_memory(
    const std::filesystem::path& proc = "/proc",
    const std::filesystem::path& cgroups = "/sys/fs/cgroup");

/// Throws InputError if the estimate is more than what is available. The message gives the figure
/// and says how to lower it.
void require_memory(const MemoryEstimate& estimate, const std::string& where,
                    const std::optional<AvailableMemory>& available = available_memory());

}  // namespace annelid::simulation
