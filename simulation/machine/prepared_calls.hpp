// How the host prepares calls, starts them by their handles and frees them
// (docs/internals/nic/calls.md, "Prepared calls").
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "interface/registers.hpp"
#include "nic/nic.hpp"
#include "simulation/machine/host.hpp"
#include "simulation/scenario/memory_plan.hpp"

namespace annelid::simulation {

/// What PREPARE answers at a node: zeros where it was not called.
struct PreparedAnswer {
  std::uint32_t handle = 0;
  std::uint32_t bytes = 0;  ///< that the list takes; without a handle, that it would take
};

/// Returns what prepares an ordinary call. Writes the words of that call into the memory of each
/// node that has a NIC.
[[nodiscard]] HostCall preparing_call(const HostCall& ordinary, const PreparedLayout& layout,
                                      const std::vector<std::unique_ptr<nic::Nic>>& nics);

/// Reads the answers, by node.
[[nodiscard]] std::vector<PreparedAnswer> read_answers(
    const HostCall& ordinary, const PreparedLayout& layout,
    const std::vector<std::unique_ptr<nic::Nic>>& nics);

/// Returns START at the nodes, and in the cycles, of the ordinary call. `answers` are by node.
[[nodiscard]] HostCall starting_call(const HostCall& ordinary,
                                     const std::vector<PreparedAnswer>& answers);
/// Returns FREE at the nodes of the ordinary call, at once.
[[nodiscard]] HostCall freeing_call(const HostCall& ordinary,
                                    const std::vector<PreparedAnswer>& answers);

}  // namespace annelid::simulation
