// All-reduce: bucket distributed combine, then bucket collect, in the lines of the network.
// docs/internals/algorithms/collect-and-exchange.md, "All-reduce"; Barnett and others 1994,
// Section 4.2. SOURCE: a block; TARGET: all blocks, combined by OPERATOR; SCRATCH: as long as a
// block. Over a group other than ALL all members are one line, by rank.
#include "firmware/collectives/buffers/copy.hpp"
#include "firmware/collectives/buffers/grid.hpp"
#include "firmware/communication/window.hpp"

namespace annelid::firmware::ring_all_reduce {

CallResult check(const Context& me) { return check_reduction(me); }

Task run(Context& me) {
  const Call& call = me.call();
  const Grid grid(me.group());
  const Parts parts(target_block(me), me.group().size());
  ReceiveOptions options;
  options.combine = combining(static_cast<reg::Operator>(call.operator_code()), call.type());
  std::uint32_t step = 0;

  // TARGET is the accumulator.
  co_await copy(me, source_block(me), target_block(me));
  for (std::uint32_t d = 0; d < Grid::kDims; ++d) {
    const LineRing ring(grid, parts, d, false);
    Window<4> receives;
    std::uint32_t posted = 0;
    const auto post = [&] {
      ++posted;
      const Buffer piece = ring.piece_before(posted + 1);
      options.stage = call.scratch() + (piece.offset - call.target());
      receives.add(me, message(me, ring.previous(), piece, step + posted), options);
    };
    while (posted + 1 < ring.size() && !receives.full()) post();
    for (std::uint32_t i = 1; i < ring.size(); ++i) {
      co_await Transfer(me, Direction::kSend,
                        message(me, ring.next(), ring.piece_before(i), step + i));
      co_await receives.oldest();
      if (posted + 1 < ring.size()) post();
    }
    step += ring.size() - 1;
  }
  co_return co_await collect_parts(me, grid, parts, 0, step);
}

}  // namespace annelid::firmware::ring_all_reduce
