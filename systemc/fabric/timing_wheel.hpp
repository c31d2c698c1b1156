// Entries by the cycle that they are for: the part of the fabric's schedule (schedule.hpp) that
// looks ahead.
#pragma once

#include <array>
#include <functional>
#include <queue>
#include <vector>

#include "systemc/network/types.hpp"

namespace annelid::systemc {

/// A timing wheel of kSpan cycles, and a heap for later cycles. Entries of one cycle are returned
/// in the order in which they entered the wheel.
class TimingWheel {
 public:
  using Entry = std::uint32_t;

  /// Schedules `entry` for cycle `at`, which must not be before the cycle of the last take().
  void add(Entry entry, Cycle at) {
    if (at >= base_ + kSpan) {
      later_.push({at, serial_++, entry});
    } else {
      slots_[at % kSpan].push_back(entry);
      used_[at % kSpan / 64] |= std::uint64_t{1} << at % 64;
    }
  }

  /// Moves the entries of cycle `now` to `due`, which is cleared first. `now` must only grow;
  /// cycles without entries may be skipped.
  void take(Cycle now, std::vector<Entry>& due);

  /// Whether there are entries for cycle `now`, which must not be before that of the last take().
  [[nodiscard]] bool any(Cycle now) const {
    return (used_[now % kSpan / 64] >> now % 64 & 1) != 0 ||
           (!later_.empty() && later_.top().at <= now);
  }

  /// The first cycle >= from with an entry, or kNever. `from` must be within kSpan cycles of the
  /// last take().
  [[nodiscard]] Cycle next(Cycle from) const;

  static constexpr Cycle kSpan = 256;

 private:
  struct Later {
    Cycle at;
    std::uint64_t serial;  ///< keeps the order of entry
    Entry entry;
    friend bool operator>(const Later& a, const Later& b) {
      return a.at != b.at ? a.at > b.at : a.serial > b.serial;
    }
  };

  Cycle base_ = 0;  ///< the wheel holds the cycles base_ .. base_ + kSpan - 1
  std::array<std::vector<Entry>, kSpan> slots_;
  std::array<std::uint64_t, kSpan / 64> used_{};  ///< a bit for each slot that has entries
  std::priority_queue<Later, std::vector<Later>, std::greater<>> later_;
  std::uint64_t serial_ = 0;
};

}  // namespace annelid::systemc
