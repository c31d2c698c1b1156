#include "firmware/platform/group.hpp"

namespace annelid::firmware {

std::uint32_t Group::rank_of(Pid pid) const {
  if (is_all()) return pid < size_ ? pid : kNotAMember;
  for (std::uint32_t rank = 0; rank < size_; ++rank) {
    if (memory_.load<std::uint32_t>(list_ + 4 * rank) == pid) return rank;
  }
  return kNotAMember;
}

}  // namespace annelid::firmware
