// Barrier by dissemination: docs/internals/algorithms/collect-and-exchange.md, "Barrier". In step k
// every member tells the one 2^(k-1) ranks further on that it is there, and with it all whom it has
// heard of.
#include "firmware/collectives/buffers/blocks.hpp"

namespace annelid::firmware::dissemination_barrier {

CallResult check(const Context&) { return CallResult::kSuccess; }

Task run(Context& me) {
  const Group& group = me.group();
  std::uint32_t step = 1;
  for (std::uint32_t distance = 1; distance < group.size(); distance *= 2, ++step) {
    co_await send_receive(me, group, rank_after(group, distance), {}, rank_before(group, distance),
                          {}, step);
  }
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware::dissemination_barrier
