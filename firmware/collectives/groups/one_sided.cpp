// SYNC_IN and SYNC_OUT: docs/internals/algorithms/shift.md, "Synchronize in and out". ROOT: who
// learns that all are there, or whom all learn to be there.
#include "firmware/communication/one_sided.hpp"

#include "firmware/collectives/collective.hpp"

namespace annelid::firmware::one_sided {

CallResult check(const Context& me) {
  const Call& call = me.call();
  const bool good = Ranks::fits(me.group(), call.parameter(2)) && call.root() < me.group().size() &&
                    Ranks(me.group(), call.parameter(2)).rank_of(call.root()) != Ranks::kNoRank;
  return good ? CallResult::kSuccess : CallResult::kBadArgument;
}

Task run(Context& me) {
  const Ranks ranks(me.group(), me.call().parameter(2));
  if (ranks.own() == Ranks::kNoRank) co_return CallResult::kSuccess;
  const std::uint32_t root = ranks.rank_of(me.call().root());
  if (me.call().operation() == reg::Operation::kSyncIn) {
    co_return co_await sync_in(me, ranks, root, Steps::kNumbered);
  }
  co_return co_await sync_out(me, ranks, root, Steps::kNumbered);
}

}  // namespace annelid::firmware::one_sided
