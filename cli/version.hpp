#pragma once

namespace annelid::cli {
inline constexpr const char* kVersion = ANNELID_VERSION;  // of CMakeLists.txt
}
