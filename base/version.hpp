// The version of the project.
#pragma once

namespace annelid {

/// That of CMakeLists.txt, as "0.1.0".
extern const char* const kVersion;

}  // namespace annelid
