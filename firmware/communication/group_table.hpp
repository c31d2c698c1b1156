// The groups that the host's calls name.
#pragma once

#include <array>
#include <cstdint>

#include "firmware/communication/group.hpp"

namespace annelid::firmware {

/// Places 0..kGroups-1; place 0 is ALL, for ever.
class GroupTable {
 public:
  static constexpr std::uint32_t kGroups = 16;

  explicit GroupTable(const Group& all) { groups_[0] = all; }

  /// The group at a place, nullptr if there is none.
  [[nodiscard]] const Group* find(std::uint32_t place) const {
    return place < kGroups && groups_[place].exists() ? &groups_[place] : nullptr;
  }
  /// Keeps a free place for a group that is being made; false if it is not free.
  [[nodiscard]] bool reserve(std::uint32_t place) {
    if (place >= kGroups || groups_[place].exists() || (reserved_ >> place & 1) != 0) return false;
    reserved_ |= std::uint32_t{1} << place;
    return true;
  }
  /// What a reserved place was kept for; no group, if it was not made.
  void set(std::uint32_t place, const Group& group) {
    reserved_ &= ~(std::uint32_t{1} << place);
    groups_[place] = group;
  }
  /// False if there is no such group, or it is ALL.
  [[nodiscard]] bool free(std::uint32_t place) {
    if (place == 0 || find(place) == nullptr) return false;
    groups_[place] = {};
    return true;
  }

 private:
  std::array<Group, kGroups> groups_;
  std::uint32_t reserved_ = 0;
};

}  // namespace annelid::firmware
