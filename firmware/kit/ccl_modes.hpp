// CCL's modes: docs/internals/algorithms/ccl-modes.md.
#pragma once

#include <cstdint>

#include "firmware/kit/include/ccl.h"
#include "firmware/kit/kit.hpp"

namespace annelid::firmware::kit {

bool barrier_mode();
bool develop_mode();

/// Tells the member `dest` that all members are there. Returns a result, as the next ones do.
int sync_in(const Group& group, std::uint32_t dest);
/// Tells all members that `orig` is there.
int sync_out(const Group& group, std::uint32_t orig);
/// CCL's sync.
int whole_barrier(const Group& group);

/// What barrier mode adds before an operation that fans out, and behind one that fans in and has
/// given `result`.
int before_fan_out(const Group& group, std::uint32_t orig);
int after_fan_in(const Group& group, std::uint32_t dest, int result);

/// The functions of ccl.h that develop mode compares.
enum class Routine : std::uint32_t {
  kBcast,
  kReduce,
  kCombine,
  kScatter,
  kGather,
  kConcat,
  kIndex,
  kPrefix,
  kShift,
  kSync,
  kGroup,
  kPartition,
  kForm2dGrid,
  kFormGrid,
  kFormSubcube,
};

/// The arguments that all members must give alike.
struct Said {
  Routine routine;
  pgid group;
  std::uint32_t peer = 0, length = 0;
  const ccl_function* rfunc = nullptr;
  std::uint32_t more[2] = {};
};

/// In develop mode: whether all members have said the same. kSuccess in run mode.
int agree(const Group& group, const Said& said);
/// The same for the members of a list, which are no group yet. `rank` is that of this process.
int agree_in_list(const unsigned* list, std::uint32_t size, std::uint32_t rank, const Said& said);
/// The result of a call for a group that this process does not have. Develop mode reports it.
int no_such_group(Routine routine, pgid group);

}  // namespace annelid::firmware::kit
