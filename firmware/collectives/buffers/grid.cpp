#include "firmware/collectives/buffers/grid.hpp"

#include "firmware/communication/window.hpp"

namespace annelid::firmware {

Grid::Grid(const Group& group) : group_(group), size_{group.size(), 1, 1}, stride_{1, 1, 1} {
  if (group.is_all()) {
    const Topology& network = group.topology();
    size_ = {network.x().value(), network.y().value(), network.z().value()};
    stride_ = {size_[1] * size_[2], size_[2], 1};
  }
  own_ = coordinates(group.rank());
}

Grid::Coordinates Grid::coordinates(std::uint32_t rank) const {
  if (!group_.is_all()) return {rank, 0, 0};
  const Address a = group_.address(rank);
  return {a.x, a.y, a.z};
}

std::uint32_t Grid::place(std::uint32_t rank) const {
  const Coordinates at = coordinates(rank);
  return at[0] * stride_[0] + at[1] * stride_[1] + at[2];
}

Address Grid::at_place(std::uint32_t place) const {
  if (!group_.is_all()) return group_.address(place);
  const Topology& network = group_.topology();
  const std::uint32_t column = network.z().quotient(place), x = network.y().quotient(column);
  return {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(column - x * size_[1]),
          static_cast<std::uint8_t>(place - column * size_[2])};
}

Address Grid::in_line(std::uint32_t d, std::uint32_t coordinate) const {
  if (!group_.is_all()) return group_.address(coordinate);
  const std::uint32_t shift = 8 * d;  // in the form of the registers
  const std::uint32_t others = group_.topology().self().word() & ~(0xFFU << shift);
  return Address::from_word(others | coordinate << shift);
}

Task collect_parts(Context& me, const Grid& grid, const Parts& parts, std::uint32_t folds,
                   std::uint32_t& step) {
  for (std::uint32_t d = Grid::kDims; d-- > 0;) {
    const LineRing ring(grid, parts, d, (folds >> d & 1) != 0);
    // Receives are posted ahead, so that no offer is waited for.
    Window<4> receives;
    std::uint32_t posted = 0;
    const auto post = [&] {
      ++posted;
      receives.add(me, Direction::kReceive,
                   message(me, ring.previous(), ring.piece_before(posted), step + posted));
    };
    while (posted + 1 < ring.size() && !receives.full()) post();
    for (std::uint32_t i = 1; i < ring.size(); ++i) {
      co_await Transfer(me, Direction::kSend,
                        message(me, ring.next(), ring.piece_before(i - 1), step + i));
      co_await receives.oldest();
      if (posted + 1 < ring.size()) post();
    }
    step += ring.size() - 1;
  }
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware
