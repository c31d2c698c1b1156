// What the parts of CCL share.
#pragma once

#include "firmware/kit/include/ccl.h"
#include "firmware/kit/kit.hpp"

namespace annelid::firmware::kit {

inline constexpr int kSuccess = number_of(reg::CallResult::kSuccess);
inline constexpr int kBadArgument = number_of(reg::CallResult::kBadArgument);
inline constexpr int kNoRoom = number_of(reg::CallResult::kNoRoom);
inline constexpr int kNoSuchGroup = number_of(reg::CallResult::kNoSuchGroup);

/// A group of this process by its identifier; nullptr if there is none.
const Group* find_group(pgid id);

/// FNV-1a of the words of a list.
std::uint32_t checksum_of(const unsigned* list, std::uint32_t size);

}  // namespace annelid::firmware::kit
