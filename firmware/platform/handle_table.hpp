// The handles of the calls that a node has prepared (docs/internals/nic/lists.md, "Handles").
#pragma once

#include <array>
#include <cstdint>

#include "interface/registers.hpp"

namespace annelid::firmware {

/// Bits 4:0 of a handle are its place. The bits above count how often the place was given away,
/// from 1 on, so that an old handle is not taken for a new one.
class HandleTable {
 public:
  static constexpr std::uint32_t kNone = 0;  // no handle

  static constexpr std::uint32_t place(std::uint32_t handle) { return handle % reg::kHandlePlaces; }
  static constexpr std::uint32_t bit(std::uint32_t handle) {
    return std::uint32_t{1} << place(handle);
  }

  /// Returns a new handle of the lowest free place, or kNone if there is none.
  std::uint32_t take() {
    for (std::uint32_t place = 0; place < reg::kHandlePlaces; ++place) {
      if ((taken_ & bit(place)) != 0) continue;
      taken_ |= bit(place);
      std::uint32_t next = last_[place] + reg::kHandlePlaces;
      if (next > kMost) next = reg::kHandlePlaces + place;
      last_[place] = static_cast<std::uint16_t>(next);
      return next;
    }
    return kNone;
  }
  [[nodiscard]] bool knows(std::uint32_t handle) const {
    return (taken_ & bit(handle)) != 0 && last_[place(handle)] == handle;
  }
  void free(std::uint32_t handle) { taken_ &= ~bit(handle); }
  // Of lists that the core starts.
  void start(std::uint32_t handle) {
    started_ |= bit(handle);
    failed_ &= ~bit(handle);
  }
  void end(std::uint32_t handle, bool failed) {
    started_ &= ~bit(handle);
    if (failed) failed_ |= bit(handle);
  }
  [[nodiscard]] bool is_started(std::uint32_t handle) const {
    return (started_ & bit(handle)) != 0;
  }
  [[nodiscard]] bool has_failed(std::uint32_t handle) const { return (failed_ & bit(handle)) != 0; }
  [[nodiscard]] bool empty() const { return taken_ == 0; }

 private:
  static constexpr std::uint32_t kMost = 0xFFFF;

  static constexpr std::array<std::uint16_t, reg::kHandlePlaces> first_places() {
    std::array<std::uint16_t, reg::kHandlePlaces> places{};
    for (std::uint32_t i = 0; i < reg::kHandlePlaces; ++i)
      places[i] = static_cast<std::uint16_t>(i);
    return places;
  }

  // Bit i: place i.
  std::uint32_t taken_ = 0, started_ = 0, failed_ = 0;
  std::array<std::uint16_t, reg::kHandlePlaces> last_ = first_places();  // handle of each place
};

}  // namespace annelid::firmware
