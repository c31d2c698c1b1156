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

namespace {

/// Where the member's data lies.
Areas areas_of(const Call& call, const Ranked& self) {
  Areas areas;
  areas.own_vector = areas.vector = call.source();
  if (call.operation() != reg::Operation::kBroadcast) {
    const bool has_result =
        call.operation() == reg::Operation::kAllReduce || self.ranks().own() == self.root();
    areas.vector = has_result ? call.target() : scratch_area(call, 0);
    areas.stage = scratch_area(call, 1);
    areas.stages = kScratchBlocks - 1;
    areas.stage_bytes = areas.stage - scratch_area(call, 0);
  }
  return areas;
}

/// A member's plan and its player.
class HybridPlayer {
 public:
  HybridPlayer(Context& me, const Ranked& self)
      : mesh_(me.call(), self.size(), self.ranks().own(), self.root(), is_short(me.call())),
        plan_(me.call(), self.ranks(), mesh_,
              VectorByPlace::of_parts(me.call().bytes(), mesh_.places()),
              areas_of(me.call(), self)),
        player_(me, plan(me.call(), self)) {}

  Player* player() { return &player_; }

 private:
  Plan& plan(const Call& call, const Ranked& self) {
    const Areas areas = areas_of(call, self);
    if (self.size() == 1 && areas.vector != call.source()) {
      plan_.copy = {call.source(), areas.vector, call.bytes()};
    }
    return plan_;
  }

  LogicalMesh mesh_;
  HybridPlan plan_;
  Player player_;
};

}  // namespace

Task run(Context& me) {
  const auto& self = me.make<Ranked>(me);
  if (!self.member()) return play_nothing(me);
  choose_unless_named(me, self.size(), me.call().bytes());
  return play_in_arena<HybridPlayer>(me, self);
}

}  // namespace annelid::firmware::intercom
