// Handle places and list places: which lists the NIC knows, which of them play, and how far they
// are (docs/internals/nic/lists.md).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "nic/descriptor.hpp"
#include "nic/nic_config.hpp"
#include "nic/places.hpp"

namespace annelid::nic {

/// Indexes of what a list has for each direction, and lowest bits of the numbers of its sides.
enum Direction : std::uint8_t { kReceives = 0, kSends = 1 };
inline constexpr std::size_t kDirections = 2;

/// A transfer is issued, and occupies a place until it is complete.
class ListPlaces {
 public:
  static constexpr std::size_t kLists = reg::kListPlaces;

  /// What a handle place keeps.
  struct Known {
    std::uint16_t handle = 0;
    std::uint32_t offset = 0;
    std::array<std::uint32_t, kDirections> count{};  ///< both are 0 if it keeps nothing
    bool plays = false;

    [[nodiscard]] bool empty() const { return count[kReceives] + count[kSends] == 0; }
  };

  /// A list that plays.
  struct Playing {
    std::uint16_t handle = 0;
    std::uint32_t offset = 0;
    std::array<std::uint32_t, kDirections> count{}, issued{};
    std::array<PlaceSet, kDirections> places{};  ///< of transfers that are not complete
    Cycle started = 0;
    std::optional<std::uint16_t> ticket;  ///< of the call that has started it
    bool failed = false;
    std::optional<Dependencies> put_back;  ///< what the receive waits for that was put back
    /// Counts what can let a transfer that is held go.
    std::uint64_t changes = 0;

    [[nodiscard]] bool issued_all() const { return issued == count; }
    [[nodiscard]] bool over() const {
      return issued_all() && (places[kReceives] | places[kSends]) == 0;
    }
  };

  // ---- Handle places --------------------------------------------------------------------------

  [[nodiscard]] Known& place_of(std::uint16_t handle) { return known_[handle % known_.size()]; }
  [[nodiscard]] const Known& place_of(std::uint16_t handle) const {
    return known_[handle % known_.size()];
  }
  /// Whether the list of the handle can be started, if there is a free list place.
  [[nodiscard]] bool startable(std::uint16_t handle) const {
    const Known& known = place_of(handle);
    return !known.empty() && known.handle == handle && !known.plays;
  }
  /// Whether a waiting call is a start.
  [[nodiscard]] bool is_start(const Call& call) const {
    const std::uint32_t handle = call[reg::CallWord::kParameter0];
    return call[reg::CallWord::kOperation] == static_cast<std::uint32_t>(reg::Operation::kStart) &&
           handle <= 0xffff && startable(static_cast<std::uint16_t>(handle));
  }
  /// A place takes a list, or becomes empty. From then on lists are in use.
  void set(std::uint16_t handle, std::uint32_t offset, std::uint32_t receives,
           std::uint32_t sends) {
    place_of(handle) = {handle, offset, {receives, sends}, false};
    used_ = true;
  }
  /// Whether there was ever a list.
  [[nodiscard]] bool used() const { return used_; }
  /// The value of LIST_PLAYS.
  [[nodiscard]] std::uint32_t plays() const {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < known_.size(); ++i) bits |= known_[i].plays ? 1u << i : 0;
    return bits;
  }

  // ---- List places ----------------------------------------------------------------------------

  /// A bit for each place in which a list plays.
  [[nodiscard]] unsigned playing() const { return playing_; }
  [[nodiscard]] std::uint32_t space() const {
    return static_cast<std::uint32_t>(kLists) - static_cast<std::uint32_t>(std::popcount(playing_));
  }
  [[nodiscard]] Playing& operator[](std::size_t list) { return lists_[list]; }
  [[nodiscard]] const Playing& operator[](std::size_t list) const { return lists_[list]; }

  /// Occupies the lowest free place; there must be one, and the handle must be startable.
  void start(std::uint16_t handle, std::optional<std::uint16_t> ticket, Cycle now);
  void end(std::size_t list);

  /// The transfer with the number that comes next is issued to a place.
  void issue(std::size_t list, Direction direction, Place place);
  /// It is refused, and thereby complete.
  void refuse(std::size_t list, Direction direction);
  /// A held send of the list is held no longer.
  void released(std::size_t list) { ++lists_[list].changes; }

  [[nodiscard]] bool met(std::size_t list, Dependency dependency) const;
  [[nodiscard]] bool met(std::size_t list, const Dependencies& dependencies) const;
  /// The number of the transfer in a place that the list occupies.
  [[nodiscard]] std::uint32_t number_in(Direction direction, Place place) const {
    return numbers_[direction][place];
  }
  /// Ends a cycle in which these transfers, among others, were complete, some of them as failed.
  void complete(Direction direction, PlaceSet completed, PlaceSet failed);

 private:
  std::array<Known, reg::kHandlePlaces> known_{};
  std::array<Playing, kLists> lists_{};
  std::array<ByPlace<std::uint32_t>, kDirections> numbers_;
  unsigned playing_ = 0;
  bool used_ = false;
};

}  // namespace annelid::nic
