// Counts an algorithm's message-passing steps over many sources.
#pragma once

#include <string_view>
#include <vector>

#include "reference/catalogue.hpp"

namespace annelid::reproduction {

struct StepRange {
  int fewest = 0, most = 0;
  friend bool operator==(const StepRange&, const StepRange&) = default;
};

/// Returns the range of an algorithm's steps over all `roots`, of which there must be at least one.
StepRange steps(reference::Operation operation, std::string_view algorithm,
                const reference::Network& net, const std::vector<reference::Node>& roots);

/// Returns sources that represent all of a mesh: all nodes of a small mesh, otherwise a row and
/// some of a column. A row suffices for EDN because its startup depends on the source's position
/// along x (for a reduction, along y).
std::vector<reference::Node> telling_nodes(const reference::Network& net);

/// "3", or "3..4".
std::string to_text(const StepRange& range);

}  // namespace annelid::reproduction
