// How much memory of this computer a run will take, and whether that much is free.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulation/scenario/scenario.hpp"

namespace annelid::simulation {

/// Bytes. Measured on small networks: a run takes between 1/1.6 and 1.6 times the total
/// (testbench/simulation/memory_estimate_test.cpp).
struct MemoryEstimate {
  std::uint64_t routers = 0, nics = 0, cores = 0;
  std::uint64_t node_memory = 0;  ///< SOURCE, TARGET and SCRATCH of all nodes
  std::uint64_t messages = 0;     ///< what is recorded and compared of them

  [[nodiscard]] std::uint64_t total() const {
    return routers + nics + cores + node_memory + messages;
  }
};

[[nodiscard]] MemoryEstimate estimate_memory(const Scenario& scenario);
/// Of a user's own program on every node.
[[nodiscard]] MemoryEstimate estimate_memory(const nic::NicConfig& nic);
/// Of a network with sources and sinks of synthetic traffic in the NICs' place.
[[nodiscard]] MemoryEstimate estimate_memory(const systemc::NetworkConfig& network);

/// What this process can still have, bytes, and what says so.
struct AvailableMemory {
  std::uint64_t bytes = 0;
  std::string limit;  ///< "this computer has", "the control group leaves", "ulimit -v leaves"
};

/// The least of what the computer has free, what the process's control groups leave, and what is
/// left of its address space. `proc` and `cgroups` are /proc and /sys/fs/cgroup; nothing if they do
/// not say.
[[nodiscard]] std::optional<AvailableMemory> available_memory(
    const std::filesystem::path& proc = "/proc",
    const std::filesystem::path& cgroups = "/sys/fs/cgroup");

/// Throws InputError if the estimate is more than what is available. The message names the figure
/// and what lowers it.
void require_memory(const MemoryEstimate& estimate, const std::string& where,
                    const std::optional<AvailableMemory>& available = available_memory());

}  // namespace annelid::simulation
