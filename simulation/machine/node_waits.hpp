// Explains a run that has stalled: which nodes wait for which others.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "nic/nic.hpp"

namespace annelid::simulation {

using NodeText = std::function<std::string(NodeId)>;

/// Returns one line for each node of a cycle of waiting nodes, with what it waits for. Without a
/// cycle, it describes the longest chain of nodes that each wait for the next. The last node of a
/// chain waits for no other node, so the whole state of its NIC follows. The text is empty if no
/// node waits for another.
[[nodiscard]] std::string explain_waits(const std::vector<std::unique_ptr<nic::Nic>>& nics,
                                        const NodeText& shown);

}  // namespace annelid::simulation
