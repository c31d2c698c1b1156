// The groups that the host's calls name.
#pragma once

#include <array>
#include <cstdint>

#include "firmware/platform/group.hpp"

namespace annelid::firmware {

/// The table has the places 0..kGroups-1. Place 0 is always ALL.
class GroupTable {
 public:
  static constexpr std::uint32_t kGroups = 16;

  explicit GroupTable(const Group& all) : all_(all) {}

  /// Returns the group at a place, or nullptr if there is none.
  [[nodiscard]] const Group* find(std::uint32_t place) const {
    if (place == 0) return &all_;
    return place < kGroups && (made_ >> place & 1) != 0 ? &groups_[place] : nullptr;
  }
  /// Reserves a place for a group that is being made. Returns false if the place is not free.
  [[nodiscard]] bool reserve(std::uint32_t place) {
    if (place == 0 || place >= kGroups || (taken_ >> place & 1) != 0) return false;
    taken_ |= bit(place);
    return true;
  }
  /// Stores the group at its reserved place.
  void set(std::uint32_t place, const Group& group) {
    made_ |= bit(place);
    groups_[place] = group;
  }
  /// Frees a reserved place or the place of a group.
  void free(std::uint32_t place) {
    made_ &= ~bit(place);
    taken_ &= ~bit(place);
  }

 private:
  static constexpr std::uint32_t bit(std::uint32_t place) { return std::uint32_t{1} << place; }

  Group all_;
  std::uint32_t made_ = 0, taken_ = 0;  // bit i: place i
  union {
    std::array<Group, kGroups> groups_;  // those that are made; place 0 is not used
  };
};

}  // namespace annelid::firmware
