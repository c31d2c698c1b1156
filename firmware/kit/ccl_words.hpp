// The words of CCL's calls, and the collectives that perform them: for operations that are made at
// once, and for those that are prepared.
#pragma once

#include "firmware/kit/ccl.hpp"
#include "firmware/kit/operation.hpp"

namespace annelid::firmware {

#define COLLECTIVE(name)                    \
  namespace name {                          \
  reg::CallResult check(const Context& me); \
  Task run(Context& me);                    \
  }
COLLECTIVE(binomial)
COLLECTIVE(dissemination_all_gather)
COLLECTIVE(dissemination_barrier)
COLLECTIVE(intercom_blocks)
COLLECTIVE(radix_all_to_all)
COLLECTIVE(shift_send_receive)
COLLECTIVE(simultaneous_binomial)
#undef COLLECTIVE

namespace kit {

// The functions are static, so that they cost a program no more than if each file had its own.

constexpr std::uint64_t kScratchVectors = 8;  // of the algorithms by rank

/// A length in a record. What is longer than a message is refused anyway.
static inline std::uint32_t length_of(std::size_t bytes) {
  return static_cast<std::uint32_t>(bytes);
}

static inline bool is_message(std::uint64_t bytes) { return bytes <= reg::kMaxMessageBytes; }

/// The rank of a process; -1 if it is no member.
static inline int rank_in(const Group& group, unsigned pid) {
  const std::uint32_t rank =
      pid < group.topology().nodes() ? group.rank_of(pid) : Group::kNotAMember;
  return rank == Group::kNotAMember ? -1 : static_cast<int>(rank);
}

/// A call on bytes, for which the type does not matter.
static inline Words of_bytes(reg::Operation operation, std::uint64_t bytes,
                             std::uint32_t root = 0) {
  return {{reg::CallWord::kOperation, static_cast<std::uint32_t>(operation)},
          {reg::CallWord::kRoot, root},
          {reg::CallWord::kCount, static_cast<std::uint32_t>(bytes)}};
}
/// A call that combines elements by the NIC.
static inline Words of_elements(reg::Operation operation, const ccl_function& f, unsigned count,
                                std::uint32_t root = 0) {
  return {{reg::CallWord::kOperation, static_cast<std::uint32_t>(operation)},
          {reg::CallWord::kRoot, root},
          {reg::CallWord::kCount, count},
          {reg::CallWord::kType, f.type},
          {reg::CallWord::kOperator, f.op}};
}

}  // namespace kit
}  // namespace annelid::firmware
