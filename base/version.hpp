// The version of the project.
#pragma once

namespace annelid {

/// The version in CMakeLists.txt, such as "0.2.0".
extern const char* const kVersion;

}  // namespace annelid
