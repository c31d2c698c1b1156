// Which build of the program this is: results that are stored must not pass for another one's.
#pragma once

#include <string>

namespace annelid {

/// A hash of the running program's file, 16 digits.
[[nodiscard]] const std::string& build_name();

}  // namespace annelid
