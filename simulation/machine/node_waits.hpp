// Which nodes of a run that stands still wait for which others.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "nic/nic.hpp"

namespace annelid::simulation {

using NodeText = std::function<std::string(NodeId)>;

/// The nodes that wait in a circle, or else the longest chain of nodes that each wait for the next:
/// a line for each, with what it waits for. The last of a chain waits for no other node; all that
/// its NIC says of itself follows. Empty if no node waits for another.
[[nodiscard]] std::string explain_waits(const std::vector<std::unique_ptr<nic::Nic>>& nics,
                                        const NodeText& shown);

}  // namespace annelid::simulation
