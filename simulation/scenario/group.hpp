// Process groups of a run, as a user writes them: "0,0..3,3", "row 3", "each column by partition"
// (docs/reference/scenarios.md, "Groups").
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/schedule/embedding.hpp"
#include "systemc/network/config.hpp"

namespace annelid::simulation {

/// The firmware's operation that makes a group: GROUP, PARTITION or FORM_GRID.
enum class GroupMaker : std::uint8_t { kList, kPartition, kGrid };

/// Which groups of a grid it is, for kGrid.
enum class GridPart : std::uint8_t { kRow, kColumn };

/// One group of processes. Its members know it by its place in their tables of groups.
struct ProcessGroup {
  std::string name;  ///< "row 3", "0,0..3,3", or the name that the scenario gives it
  std::shared_ptr<const reference::NodeList> nodes;  ///< by rank
  std::uint32_t place = 0;                           ///< 1..15
};

/// All that one text stands for: one group, or several disjoint ones ("each row").
struct GroupSet {
  std::string text;
  GroupMaker maker = GroupMaker::kList;
  GridPart part = GridPart::kRow;
  bool each = false;  ///< "each ...", even if there is only one
  /// The earlier set whose operation makes these groups as well: one grid has rows and columns.
  std::optional<std::size_t> made_with = {};
  std::vector<ProcessGroup> groups;
};

/// Reads a text. Groups are named `name`, or by themselves if it is empty. Throws InputError, which
/// names `where`, for any other text, a node outside the network, and a node that is named twice.
[[nodiscard]] GroupSet parse_groups(const std::string& text, const std::string& name,
                                    const systemc::NetworkConfig& network,
                                    const std::string& where);

}  // namespace annelid::simulation
