// What the members of a call in develop mode have found to differ
// (docs/internals/algorithms/ccl-modes.md, "Calls of the host").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "nic/node_memory.hpp"
#include "systemc/network/types.hpp"

namespace annelid::simulation {

/// Two members of a call, and what is not the same in their calls, in words as "root 2".
struct CallDifference {
  NodeId here = 0, there = 0;
  std::string said_here, said_there;
};

/// Reads what a member whose call has ended with CALLS_DIFFER has in its memory at SCRATCH, the
/// offset that the call gave it. Returns nothing if there is no such thing, as other firmware than
/// the project's may have none. `nodes`: those of the network.
[[nodiscard]] std::optional<CallDifference> read_difference(const nic::NodeMemory& memory,
                                                            std::uint64_t scratch,
                                                            std::uint64_t nodes);

/// What a member whose call is under way has at SCRATCH.
struct CallRecord {
  static constexpr std::size_t kWords = 21;
  NodeId node = 0;
  std::array<std::uint32_t, kWords> words{};
};
/// The record of a node, at the offset that the call gave it for SCRATCH. Returns nothing if the
/// node has not begun its comparison.
[[nodiscard]] std::optional<CallRecord> read_record(const nic::NodeMemory& memory, NodeId node,
                                                    std::uint64_t scratch, std::uint64_t nodes);
/// Compares the first of these nodes with the others. Returns nothing if they say the same.
[[nodiscard]] std::optional<CallDifference> find_difference(std::span<const CallRecord> records);

/// Returns `node 3: the call "rows" differs: root 2 here, root 0 at node 1`. The call's name may be
/// empty. `shown` is how to write a node.
[[nodiscard]] std::string describe(const CallDifference& difference, const std::string& call,
                                   const std::function<std::string(NodeId)>& shown);

}  // namespace annelid::simulation
