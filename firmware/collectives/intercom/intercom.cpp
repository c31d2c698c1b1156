// Broadcast, reduction and all-reduction by a hybrid of InterCom (Barnett and others 1994):
// docs/internals/algorithms/intercom.md. The words of the call are those of the algorithms by rank,
// with the hybrid in PARAMETER_1 and FLAGS.
#include "firmware/collectives/intercom/choice.hpp"
#include "firmware/collectives/intercom/hybrid_plan.hpp"
#include "firmware/collectives/players/ranked.hpp"

namespace annelid::firmware::intercom {

CallResult check(const Context& me) {
  const Call& call = me.call();
  if (!Ranks::fits(me.group(), call.parameter(2))) return CallResult::kBadArgument;
  const std::uint32_t p = Ranks(me.group(), call.parameter(2)).size();
  if (!LogicalMesh::fits(call, p, false)) return CallResult::kBadArgument;
  const bool in_order = call.operator_code() == kAffine && LogicalMesh::keeps_order(call, p);
  return check_ranked(me, kAnyParameter, in_order);
}

Task run(Context& me) {
  const Call& call = me.call();
  const Ranked self(me);
  if (!self.member()) co_return CallResult::kSuccess;
  const std::uint32_t p = self.size(), own = self.ranks().own();
  choose_unless_named(me, p, call.bytes());
  const LogicalMesh mesh(call, p, own, self.root(), is_short(call));

  Areas areas;
  areas.own_vector = areas.vector = call.source();
  if (call.operation() != reg::Operation::kBroadcast) {
    const bool has_result = call.operation() == reg::Operation::kAllReduce || own == self.root();
    areas.vector = has_result ? call.target() : scratch_area(call, 0);
    areas.stage = scratch_area(call, 1);
    areas.stages = kScratchBlocks - 1;
    areas.stage_bytes = areas.stage - scratch_area(call, 0);
  }
  HybridPlan plan(call, self.ranks(), mesh, VectorByPlace::of_parts(call.bytes(), mesh.places()),
                  areas);
  if (p == 1 && areas.vector != call.source()) {
    plan.copy = {call.source(), areas.vector, call.bytes()};
  }
  Player player(me, plan);
  while (!player.done()) co_await player;
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware::intercom
