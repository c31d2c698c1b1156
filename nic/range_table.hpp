// Which bytes of node memory belong to a send or receive that is under way: what finds OVERLAP
// (docs/internals/nic.md, section 6, cause 8).
#pragma once

#include <array>
#include <optional>

#include "interface/place.hpp"

namespace annelid::nic {

/// Bytes begin .. end-1 of node memory. An empty range overlaps nothing.
struct MemoryRange {
  std::uint64_t begin = 0, end = 0;

  [[nodiscard]] bool empty() const { return begin >= end; }
  [[nodiscard]] bool overlaps(const MemoryRange& other) const {
    return !empty() && !other.empty() && begin < other.end && other.begin < end;
  }
  friend bool operator==(const MemoryRange&, const MemoryRange&) = default;
};

/// All from the first byte to the last one of a send of `bytes` in blocks of `block` (0:
/// contiguous) that begin `stride` bytes apart.
MemoryRange send_range(std::uint32_t offset, std::uint32_t bytes, std::uint32_t block,
                       std::uint32_t stride);

/// The bytes of a receive. A combining one has a type other than BYTES and a staging area.
struct ReceiveRanges {
  MemoryRange target;  ///< where a plain receive writes; the accumulator of a combining one
  MemoryRange staging;
  reg::Type type = reg::Type::kBytes;
};

class RangeTable {
 public:
  /// What a new descriptor's bytes belong to already.
  struct Collision {
    bool receive = false;  ///< else a send
    Place place = 0;
  };

  /// The receives (by place), then the sends, that a new receive collides with: the first of them.
  [[nodiscard]] std::optional<Collision> check(const ReceiveRanges& receive) const;
  /// The first receive, by place, that a send collides with at its go, or if it is held at its
  /// firing.
  [[nodiscard]] std::optional<Collision> check(const MemoryRange& send) const;

  /// A receive is in the table from its go to its completion, a send from go or firing to
  /// completion.
  void add_receive(Place place, const ReceiveRanges& receive);
  void add_send(Place place, const MemoryRange& send);
  void remove_receive(Place place) { receives_ &= ~(PlaceSet{1} << place); }
  void remove_send(Place place) { sends_ &= ~(PlaceSet{1} << place); }

  [[nodiscard]] bool empty() const { return (receives_ | sends_) == 0; }

 private:
  PlaceSet receives_ = 0, sends_ = 0;
  std::array<ReceiveRanges, kPlaces> receive_ranges_{};
  std::array<MemoryRange, kPlaces> send_ranges_{};
};

}  // namespace annelid::nic
