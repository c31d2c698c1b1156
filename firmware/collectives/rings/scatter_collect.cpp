// Broadcast of a long message: a scatter along the lines of the network, then a collect in them.
// docs/internals/algorithms/collect-and-exchange.md; Tsai, Section 5.3; Barnett and others 1994,
// Section 4. Over a group other than ALL all members are one line, by rank.
#include "firmware/collectives/buffers/grid.hpp"
#include "firmware/collectives/trees/halving.hpp"

namespace annelid::firmware {
namespace {

CallResult check_parts(const Context& me) {
  const Call& call = me.call();
  const bool good = call.root() < me.group().size() && call.parameter(0) == 0 &&
                    me.is_message(call.source(), call.bytes());
  return good ? CallResult::kSuccess : CallResult::kBadArgument;
}

/// Along x in the root's row, then along y in the columns of that row, then along z. `step` counts
/// on.
Task scatter_parts(Context& me, const Grid& grid, const Parts& parts, std::uint32_t& step) {
  const Grid::Coordinates root = grid.coordinates(me.call().root());
  for (std::uint32_t d = 0; d < Grid::kDims; ++d) {
    bool takes_part = true;  // whoever is in the root's plane of all later dimensions
    for (std::uint32_t later = d + 1; later < Grid::kDims; ++later) {
      takes_part = takes_part && grid.own()[later] == root[later];
    }
    const std::uint32_t own = grid.own()[d];
    Halving halving = Halving::of_line(takes_part ? grid.size(d) : 1, root[d]);
    Halving::Message halves;
    while (halving.next(own, halves)) {
      // The half that this process gets, or that it gives away, which is beside its own.
      std::uint32_t first = halving.first, places = halving.length;
      const bool sends = halves.from == own;
      if (sends) {
        first = halves.to > own ? first + places : first - halves.others;
        places = halves.others;
      }
      const Buffer part = parts.at(grid.line(d) + first * grid.stride(d), places * grid.stride(d));
      const Address peer = grid.in_line(d, sends ? halves.to : halves.from);
      co_await Transfer(me, sends ? Direction::kSend : Direction::kReceive,
                        message(me, peer, part, step + halving.step));
    }
    for (std::uint32_t reached = 1; reached < grid.size(d); reached *= 2) ++step;
  }
  co_return CallResult::kSuccess;
}

/// `fold`: lines that are no rings of the network are collected in folded rings.
Task broadcast_parts(Context& me, bool fold) {
  const Grid grid(me.group());
  const Parts parts(source_block(me), me.group().size());
  std::uint32_t folds = 0, step = 0;
  for (std::uint32_t d = 0; d < Grid::kDims; ++d) folds |= fold && !grid.is_ring(d) ? 1U << d : 0U;
  const CallResult scattered = co_await scatter_parts(me, grid, parts, step);
  if (scattered != CallResult::kSuccess) co_return scattered;
  co_return co_await collect_parts(me, grid, parts, folds, step);
}

}  // namespace

namespace scatter_collect {

CallResult check(const Context& me) { return check_parts(me); }
Task run(Context& me) { return broadcast_parts(me, true); }

}  // namespace scatter_collect

namespace mst_bucket {

CallResult check(const Context& me) { return check_parts(me); }
Task run(Context& me) { return broadcast_parts(me, false); }

}  // namespace mst_bucket

}  // namespace annelid::firmware
