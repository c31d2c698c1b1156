// The rule for calls that take no time of the core. A prepared call chooses once, so that this need
// not be fast, and is small.
#include "firmware/collectives/intercom/rule.hpp"

namespace annelid::firmware::intercom {

template HybridWords choose_hybrid<HostTimes>(Operation, const Extents&, std::uint32_t, bool);

}  // namespace annelid::firmware::intercom
