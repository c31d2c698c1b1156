#include "base/version.hpp"

namespace annelid {

const char* const kVersion = ANNELID_VERSION;

}  // namespace annelid
