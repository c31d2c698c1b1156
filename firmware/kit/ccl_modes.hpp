// CCL's modes: docs/internals/algorithms/ccl-modes.md.
#pragma once

#include <cstdint>

#include "firmware/kit/ccl.hpp"

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

/// The group of a call. In develop mode its members must all have said the same, and a group that
/// this process does not have is reported. nullptr if the call cannot begin: `result` says why.
const Group* group_of(const Said& said, int& result);
/// In develop mode: whether all members of a list, which are no group yet, have said the same.
/// kSuccess in run mode. `rank` is that of this process.
int agree_in_list(const unsigned* list, std::uint32_t size, std::uint32_t rank, const Said& said);

}  // namespace annelid::firmware::kit
