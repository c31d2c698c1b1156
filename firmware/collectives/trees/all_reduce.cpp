#include "firmware/collectives/trees/tree_players.hpp"

namespace annelid::firmware {
namespace {

Frame broadcast_frame(const Context& me) { return {me.group(), 0, me.call().parameter(1), false}; }

}  // namespace

CallResult check_all_reduce(const Context& me) {
  Frame frame = broadcast_frame(me);
  if (find_tree(me.call().algorithm(), frame) == nullptr) return CallResult::kDoesNotFit;
  return check_reduce(me);
}

Task all_reduce_by(Context& me, const Frame& frame, const TreeRule& rule) {
  const CallResult reduced = co_await reduce_by(me, frame, rule);
  if (reduced != CallResult::kSuccess) co_return reduced;
  // The broadcast goes by this rule, or by another one of the algorithm, in the network as it is.
  Frame forwards = broadcast_frame(me);
  const TreeRule* tree = find_tree(me.call().algorithm(), forwards);
  if (tree == nullptr) co_return CallResult::kDoesNotFit;  // which check_all_reduce() has refused
  co_return co_await broadcast_buffer(me, forwards, *tree, {me.call().target(), me.call().bytes()},
                                      rule.steps(frame));
}

}  // namespace annelid::firmware
