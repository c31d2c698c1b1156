// The version of the project.
#pragma once

namespace annelid {

/// That of CMakeLists.txt, as "0.2.0".
extern const char* const kVersion;

}  // namespace annelid
