// Transposition of a matrix whose blocks lie on a square mesh, directly: Tsai, Section 3.6;
// docs/internals/algorithms/collect-and-exchange.md, "Transposition". SOURCE: the block of this
// process, (x, y); TARGET: that of (y, x).
#include "firmware/collectives/buffers/blocks.hpp"

namespace annelid::firmware::direct_transpose {

CallResult check(const Context& me) {
  const Size size = me.topology().size();
  if (!me.group().is_all() || size.x != size.y || size.z != 1) return CallResult::kDoesNotFit;
  return check_blocks(me, 1, 1);
}

Task run(Context& me) {
  const Address self = me.topology().self(), other{self.y, self.x};
  // On the diagonal the NIC copies the block.
  co_await Exchange(me, message(me, other, source_block(me), 1),
                    message(me, other, target_block(me), 1));
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware::direct_transpose
