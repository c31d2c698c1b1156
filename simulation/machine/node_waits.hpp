// Explains a run that has stalled: which nodes wait for which others.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/exchange.hpp"
#include "nic/nic.hpp"

namespace annelid::simulation {

using NodeText = std::function<std::string(NodeId)>;

/// What a node waits for.
struct NodeWait {
  std::vector<nic::PeerWait> peers;
  bool calling = false;        ///< it has an unfinished call
  bool waits_for_any = false;  ///< Nic::waits_for_any
  std::string text;            ///< Nic::describe_wait
};

/// Returns what all nodes wait for, by node. With an exchange it is collective: `nics` has the
/// nodes of this process alone, and the processes other than process 0 get nothing.
[[nodiscard]] std::vector<NodeWait> waits_of(const std::vector<std::unique_ptr<nic::Nic>>& nics,
                                             Exchange* exchange);

/// Returns one line for each node of a cycle of waiting nodes, with what it waits for. Without a
/// cycle, it describes the longest chain of nodes that each wait for the next. The last node of a
/// chain waits for no other node, so the whole state of its NIC follows. The text is empty if no
/// node waits for another.
[[nodiscard]] std::string explain_waits(const std::vector<NodeWait>& waits, const NodeText& shown);

}  // namespace annelid::simulation
