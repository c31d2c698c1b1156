// Which build of the program this is: stored results of one build must not be taken for those of
// another.
#pragma once

#include <string>

namespace annelid {

/// A hash of the running program's file, 16 digits.
[[nodiscard]] const std::string& build_name();

}  // namespace annelid
