// Message-passing steps of an algorithm over many sources.
#pragma once

#include <string_view>
#include <vector>

#include "reference/catalogue.hpp"

namespace annelid::reproduction {

struct StepRange {
  int fewest = 0, most = 0;
  friend bool operator==(const StepRange&, const StepRange&) = default;
};

/// Of an algorithm of the catalogue from (or to) each of `roots`, at least one.
StepRange steps(reference::Operation operation, std::string_view algorithm,
                const reference::Network& net, const std::vector<reference::Node>& roots);

/// Sources that stand for all of a mesh: all nodes of a small one; of others a row, and some of a
/// column, as the startup of EDN depends on where the source is along x (a reduction's along y).
std::vector<reference::Node> telling_nodes(const reference::Network& net);

/// "3", or "3..4".
std::string to_text(const StepRange& range);

}  // namespace annelid::reproduction
