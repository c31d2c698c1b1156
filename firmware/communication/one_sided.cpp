#include "firmware/communication/one_sided.hpp"

#include "firmware/communication/point_to_point.hpp"

namespace annelid::firmware {

Task sync_in(Context& me, const Ranks& ranks, std::uint32_t root, Steps steps) {
  const TreeOfRanks tree(ranks, root);
  std::uint32_t step = 0;
  for (std::uint32_t distance = 1; distance < ranks.size(); distance *= 2) {
    if (steps == Steps::kNumbered) ++step;
    if (tree.is_parent(distance)) {
      co_await Transfer(me, Direction::kSend, message(me, tree.parent(distance), {}, step));
      break;
    }
    if (!tree.has_child(distance)) continue;
    co_await Transfer(me, Direction::kReceive, message(me, tree.child(distance), {}, step));
  }
  co_return reg::CallResult::kSuccess;
}

Task sync_out(Context& me, const Ranks& ranks, std::uint32_t root, Steps steps) {
  const TreeOfRanks tree(ranks, root);
  std::uint32_t distance = tree.to_parent(), step = 1;
  for (std::uint32_t whole = distance; 2 * whole < ranks.size(); whole *= 2) ++step;
  if (steps == Steps::kNone) step = 0;
  if (distance < ranks.size()) {
    co_await Transfer(me, Direction::kReceive, message(me, tree.parent(distance), {}, step));
  } else if (steps == Steps::kNumbered) {
    step = 0;  // the root's first child is one step further on
  }
  while ((distance /= 2) != 0) {
    if (steps == Steps::kNumbered) ++step;
    if (!tree.has_child(distance)) continue;
    co_await Transfer(me, Direction::kSend, message(me, tree.child(distance), {}, step));
  }
  co_return reg::CallResult::kSuccess;
}

}  // namespace annelid::firmware
