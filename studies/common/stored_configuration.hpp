// Makes the columns that identify a stored row, from JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "studies/common/row_file.hpp"

namespace annelid::studies {

/// Returns the configuration of these settings and of this program's build: {"router": {"vcs": 2}}
/// is the column "router.vcs"; commas separate the items of a list.
[[nodiscard]] Configuration stored_configuration(const nlohmann::ordered_json& settings);

}  // namespace annelid::studies
