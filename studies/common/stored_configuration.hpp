// The columns of a stored row that say what it is of, from JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "studies/common/row_file.hpp"

namespace annelid::studies {

/// Of the settings and of this program's build: {"router": {"vcs": 2}} is the column "router.vcs";
/// the items of a list have commas between.
[[nodiscard]] Configuration stored_configuration(const nlohmann::ordered_json& settings);

}  // namespace annelid::studies
