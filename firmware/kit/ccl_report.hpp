// What develop mode says on standard error.
#pragma once

#include <cstdint>

#include "firmware/kit/ccl_modes.hpp"

namespace annelid::firmware::kit {

/// The words of a record.
enum RecordWord : std::uint32_t {
  kRoutine = 0,
  kGroupId = 1,  // two words
  kMembers = 3,
  kPeer = 4,
  kLength = 5,
  kFunction = 6,  // two words
  kMore = 8,      // two words
  kRecordWords = 10,
};
/// In kFunction: the operator and the type of the NIC, and not the address of a function.
inline constexpr std::uint32_t kOfTheNic = 0x80000000;

/// Processes by rank: those of a group, or of a list.
struct Members {
  const Group* group;
  const unsigned* list;
  std::uint32_t size, rank;

  [[nodiscard]] std::uint32_t pid(std::uint32_t of) const {
    return group != nullptr ? group->pid(of) : list[of];
  }
};

/// `records` has a record for each rank. If they differ, this function reports which rank said
/// what, and returns true.
bool report_differences(const Members& members, const std::uint32_t* records);
/// `own` is the record of this process. `more`: it has not asked all.
void report_missing(const Members& members, const std::uint32_t* own, const std::uint32_t* missing,
                    std::uint32_t count, bool more, std::uint64_t cycles);
void report_silence(const Members& members, const std::uint32_t* own, std::uint64_t cycles);
/// If a PID of the list belongs to no process, this function reports the first one, and returns
/// true.
bool report_no_process(const Members& members);
void report_not_in_list();
void report_no_group(Routine routine, pgid group);

}  // namespace annelid::firmware::kit
