// The host's GROUP, PARTITION, FORM_GRID, FREE_GROUP and QUERY_GROUP.
#include "firmware/collectives/collective.hpp"

namespace annelid::firmware {

namespace {

bool words_in_memory(const Context& me, std::uint32_t offset, std::uint64_t bytes) {
  return offset % 4 == 0 && me.in_memory(offset, bytes);
}
/// A place that can hold a group which is not ALL.
bool is_place(std::uint32_t place) { return 0 < place && place < GroupTable::kGroups; }
/// The end of making a group for a place that was reserved.
void settle(GroupTable& groups, std::uint32_t place, const Group& group, CallResult result) {
  if (result == CallResult::kSuccess) {
    groups.set(place, group);
  } else {
    groups.free(place);
  }
}
/// What partition() needs, for lists of so many members.
bool partition_fits(const Context& me, std::uint64_t listed) {
  const Call& call = me.call();
  return words_in_memory(me, call.target(), 4 * listed) &&
         words_in_memory(me, call.scratch(), partition_scratch(me.group().size())) &&
         partition_scratch(me.group().size()) <= reg::kMaxMessageBytes;
}

}  // namespace

namespace group_call {

// SOURCE and COUNT: the list; PARAMETER_0: the new group's place; PARAMETER_1: its label.
CallResult check(const Context& me) {
  const Call& call = me.call();
  if (!is_place(call.parameter(0)) || call.count() == 0 || call.count() > me.topology().nodes() ||
      !words_in_memory(me, call.source(), std::uint64_t{call.count()} * 4) ||
      !words_in_memory(me, call.scratch(), group_scratch(me.topology()))) {
    return CallResult::kBadArgument;
  }
  return CallResult::kSuccess;
}

Task run(Context& me) {
  const Call& call = me.call();
  GroupTable& groups = me.node().groups();
  const std::uint32_t place = call.parameter(0);
  if (!groups.reserve(place)) co_return CallResult::kNoRoom;
  Group group;
  const CallResult result = co_await form_group(me, call.source(), call.count(), call.parameter(1),
                                                call.scratch(), group);
  settle(groups, place, group, result);
  co_return result;
}

}  // namespace group_call

namespace partition_call {

// GROUP: the parent; PARAMETER_0: the new group's place, PARAMETER_1: myval, PARAMETER_2: key.
CallResult check(const Context& me) {
  const bool fits = is_place(me.call().parameter(0)) && partition_fits(me, me.group().size());
  return fits ? CallResult::kSuccess : CallResult::kBadArgument;
}

Task run(Context& me) {
  const Call& call = me.call();
  GroupTable& groups = me.node().groups();
  const std::uint32_t place = call.parameter(0);
  if (!groups.reserve(place)) co_return CallResult::kNoRoom;
  Group group;
  const CallResult result = co_await partition(me, me.group(), call.parameter(1),
                                               static_cast<std::int32_t>(call.parameter(2)),
                                               call.target(), call.scratch(), group);
  settle(groups, place, group, result);
  co_return result;
}

}  // namespace partition_call

namespace form_grid_call {

// GROUP: the parent; COUNT: X, PARAMETER_2: Y; PARAMETER_0 and PARAMETER_1: places of row and
// column.
CallResult check(const Context& me) {
  const Call& call = me.call();
  const std::uint64_t x = call.count(), y = call.parameter(2);
  const bool fits = x * y == me.group().size() && is_place(call.parameter(0)) &&
                    is_place(call.parameter(1)) && partition_fits(me, x + y);
  return fits ? CallResult::kSuccess : CallResult::kBadArgument;
}

Task run(Context& me) {
  const Call& call = me.call();
  GroupTable& groups = me.node().groups();
  const std::uint32_t row_place = call.parameter(0), column_place = call.parameter(1);
  if (!groups.reserve(row_place)) co_return CallResult::kNoRoom;
  if (!groups.reserve(column_place)) {
    groups.free(row_place);
    co_return CallResult::kNoRoom;
  }
  Group row, column;
  const CallResult result = co_await form_2d_grid(me, me.group(), call.count(), call.parameter(2),
                                                  call.target(), call.scratch(), row, column);
  settle(groups, row_place, row, result);
  settle(groups, column_place, column, result);
  co_return result;
}

}  // namespace form_grid_call

namespace free_group_call {

CallResult check(const Context& me) {
  return me.group().is_all() ? CallResult::kBadArgument : CallResult::kSuccess;
}

Task run(Context& me) {
  me.node().groups().free(me.call().group());
  co_return CallResult::kSuccess;
}

}  // namespace free_group_call

namespace query_group_call {

constexpr std::uint32_t kHeaderWords = 5;

// COUNT: members to write at most.
std::uint32_t members(const Context& me) {
  return me.call().count() < me.group().size() ? me.call().count() : me.group().size();
}

CallResult check(const Context& me) {
  const std::uint64_t words = kHeaderWords + std::uint64_t{members(me)};
  return words_in_memory(me, me.call().target(), 4 * words) ? CallResult::kSuccess
                                                            : CallResult::kBadArgument;
}

Task run(Context& me) {
  const Group& group = me.group();
  std::uint32_t at = me.call().target();
  const auto put = [&](std::uint32_t word) {
    me.memory().store(at, word);
    at += 4;
  };
  for (const std::uint32_t word :
       {group.id().counter, group.id().pid, group.size(), group.rank(), group.label()}) {
    put(word);
  }
  for (std::uint32_t rank = 0; rank < members(me); ++rank) put(group.pid(rank));
  co_return CallResult::kSuccess;
}

}  // namespace query_group_call

}  // namespace annelid::firmware
