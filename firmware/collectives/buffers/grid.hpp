// The members of a group in up to three dimensions, and a block cut into one part for each member.
#pragma once

#include <array>

#include "firmware/collectives/buffers/blocks.hpp"

namespace annelid::firmware {

/// The members of a group, by place: docs/internals/algorithms/operations.md, "Places and parts".
/// The members of ALL have the network's three dimensions, x, y, z. The members of any other group
/// form one line, by rank.
class Grid {
 public:
  static constexpr std::uint32_t kDims = 3;
  using Coordinates = std::array<std::uint32_t, kDims>;

  explicit Grid(const Group& group);

  [[nodiscard]] const Group& group() const { return group_; }
  [[nodiscard]] std::uint32_t size(std::uint32_t d) const { return size_[d]; }
  /// This process's own coordinates.
  [[nodiscard]] const Coordinates& own() const { return own_; }
  [[nodiscard]] Coordinates coordinates(std::uint32_t rank) const;
  /// Whether the dimension is a ring of the network.
  [[nodiscard]] bool is_ring(std::uint32_t d) const {
    return group_.is_all() && group_.topology().is_ring(static_cast<int>(d));
  }

  /// The number of places between neighbours in dimension d: the product of the sizes after it.
  [[nodiscard]] std::uint32_t stride(std::uint32_t d) const { return stride_[d]; }
  /// Returns the first place of this process's line in dimension d and of all members beyond it.
  [[nodiscard]] std::uint32_t line(std::uint32_t d) const {
    std::uint32_t place = 0;
    for (std::uint32_t i = 0; i < d; ++i) place += own_[i] * stride_[i];
    return place;
  }
  /// Return a rank's place in the list of all members, and the address at a place.
  [[nodiscard]] std::uint32_t place(std::uint32_t rank) const;
  [[nodiscard]] Address at_place(std::uint32_t place) const;
  /// Returns the member at a position of this process's line in dimension d.
  [[nodiscard]] Address in_line(std::uint32_t d, std::uint32_t coordinate) const;

 private:
  const Group& group_;
  Coordinates size_, stride_, own_;
};

/// A buffer cut evenly into `count` parts of eight-byte words. The first parts are the longer ones.
class Parts {
 public:
  Parts(Buffer buffer, std::uint32_t parts) : buffer_(buffer) {
    const std::uint32_t words = (buffer.bytes + 7) / 8;
    words_ = words / parts;
    longer_ = words - words_ * parts;
  }
  /// Returns `count` parts, starting with part `first`.
  [[nodiscard]] Buffer at(std::uint32_t first, std::uint32_t count) const {
    const std::uint32_t from = begin(first);
    return {buffer_.offset + from, begin(first + count) - from};
  }

 private:
  [[nodiscard]] std::uint32_t begin(std::uint32_t part) const {
    const std::uint32_t at = 8 * (part * words_ + (part < longer_ ? part : longer_));
    return at < buffer_.bytes ? at : buffer_.bytes;
  }

  Buffer buffer_;
  std::uint32_t words_, longer_;
};

/// This process's line in one dimension, closed to a ring, and its pieces of a block. Piece c has
/// the parts of all members with coordinate c in this dimension and with this process's coordinates
/// in the dimensions before it.
class LineRing {
 public:
  /// With `fold` the ring goes up 0, 2, 4, ... and down ..., 5, 3, 1, so that no message has more
  /// than two hops. Otherwise it goes 0, 1, 2, ... and from the last back to the first.
  LineRing(const Grid& grid, const Parts& parts, std::uint32_t d, bool fold)
      : parts_(parts),
        size_(grid.size(d)),
        stride_(grid.stride(d)),
        first_(grid.line(d)),
        fold_(fold),
        position_(position(grid.own()[d])) {
    next_ = grid.in_line(d, coordinate(position_ + 1 < size_ ? position_ + 1 : 0));
    previous_ = grid.in_line(d, before(1));
  }

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] Address next() const { return next_; }
  [[nodiscard]] Address previous() const { return previous_; }
  /// Returns the piece of the member that is `distance` before this process in the ring, up to
  /// size().
  [[nodiscard]] Buffer piece_before(std::uint32_t distance) const {
    return parts_.at(first_ + before(distance) * stride_, stride_);
  }

 private:
  [[nodiscard]] std::uint32_t before(std::uint32_t distance) const {
    return coordinate(distance <= position_ ? position_ - distance : position_ + size_ - distance);
  }
  [[nodiscard]] std::uint32_t coordinate(std::uint32_t position) const {
    if (!fold_) return position;
    return 2 * position < size_ ? 2 * position : 2 * (size_ - position) - 1;
  }
  [[nodiscard]] std::uint32_t position(std::uint32_t coordinate) const {
    if (!fold_) return coordinate;
    return coordinate % 2 == 0 ? coordinate / 2 : size_ - (coordinate + 1) / 2;
  }

  const Parts& parts_;
  std::uint32_t size_, stride_, first_;
  bool fold_;
  std::uint32_t position_;
  Address next_, previous_;
};

/// Performs the bucket collect in all lines, z, then y, then x (Barnett and others 1994, Section
/// 4.2). Every member begins with its own part and ends with all of them. If bit d of `folds` is
/// set, the lines of dimension d are folded rings. The first step is `step` + 1; the task counts
/// `step` up.
Task collect_parts(Context& me, const Grid& grid, const Parts& parts, std::uint32_t folds,
                   std::uint32_t& step);

}  // namespace annelid::firmware
