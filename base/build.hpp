// Identifies the build of the program, so that results stored by one build are not mistaken for
// those of another.
#pragma once

#include <string>

namespace annelid {

/// A hash of the running program's file, as 16 hexadecimal digits.
[[nodiscard]] const std::string& build_name();

}  // namespace annelid
