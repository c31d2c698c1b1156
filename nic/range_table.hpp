// Knows which bytes of node memory belong to a send or receive that is under way. Used to find
// OVERLAP (docs/internals/nic/errors.md, cause 8).
#pragma once

#include <optional>

#include "interface/place.hpp"
#include "nic/by_place.hpp"

namespace annelid::nic {

/// Bytes begin .. end-1 of node memory. An empty range overlaps nothing.
struct MemoryRange {
  std::uint64_t begin = 0, end = 0;

  [[nodiscard]] bool empty() const { return begin >= end; }
  [[nodiscard]] bool overlaps(const MemoryRange& other) const {
    return begin < other.end && other.begin < end && !empty() && !other.empty();
  }
  friend bool operator==(const MemoryRange&, const MemoryRange&) = default;
};

/// The range from the first to the last byte of a send of `bytes` bytes in blocks of `block` bytes
/// (0: contiguous), which begin `stride` bytes apart.
MemoryRange send_range(std::uint32_t offset, std::uint32_t bytes, std::uint32_t block,
                       std::uint32_t stride);

/// The bytes of a receive. A combining receive has a type other than BYTES, a staging area, and an
/// operand.
struct ReceiveRanges {
  MemoryRange target;   ///< what it writes in the end
  MemoryRange staging;  ///< may be the target, if the operand is not
  MemoryRange operand;  ///< what it only reads; empty if the operand is the target
  reg::Type type = reg::Type::kBytes;

  [[nodiscard]] bool combining() const { return type != reg::Type::kBytes; }
};

class RangeTable {
 public:
  /// The send or receive that already uses bytes of a new descriptor.
  struct Collision {
    bool receive = false;  ///< it is a receive; otherwise a send
    Place place = 0;
  };

  /// Returns the first receive (by place), or else the first send, that a new receive collides
  /// with.
  [[nodiscard]] std::optional<Collision> check(const ReceiveRanges& receive) const;
  /// Returns the first receive, by place, that a send collides with. To be called at its go, or for
  /// a held send at its firing.
  [[nodiscard]] std::optional<Collision> check(const MemoryRange& send) const;

  /// Adds a receive. A receive is in the table from its go to its completion, a send from its go or
  /// firing to its completion.
  void add_receive(Place place, const ReceiveRanges& receive);
  void add_send(Place place, const MemoryRange& send);
  void remove_receive(Place place) { receives_ &= ~(PlaceSet{1} << place); }
  void remove_send(Place place) { sends_ &= ~(PlaceSet{1} << place); }

  [[nodiscard]] bool empty() const { return (receives_ | sends_) == 0; }

 private:
  PlaceSet receives_ = 0, sends_ = 0;
  ByPlace<ReceiveRanges> receive_ranges_;
  ByPlace<MemoryRange> send_ranges_;
};

}  // namespace annelid::nic
