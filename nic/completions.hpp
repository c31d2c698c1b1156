// Places, completion queue and completion counters (docs/internals/nic/registers.md, Completion).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "interface/place.hpp"
#include "nic/by_place.hpp"
#include "nic/fifo.hpp"
#include "systemc/network/types.hpp"

namespace annelid::nic {

/// During a cycle, units report what they have completed. At the end of the cycle, commit()
/// completes it in the order that the documentation gives. So everything that commit() changes is
/// visible one cycle later. Changes by the core's access are visible at once, and so is what the
/// list unit does with places.
class Completions {
 public:
  /// The unit that completed a send or receive: engine 0..L-1 by port, or one of the following.
  static constexpr unsigned kDelivery = kMaxLocalPorts;  ///< the delivery engine
  static constexpr unsigned kUnit = kMaxLocalPorts + 1;  ///< the combine unit or the trigger unit

  /// `gamma` is how many cycles later a receive is complete, 0..2^20.
  explicit Completions(Cycle gamma) : gamma_(gamma) {}

  // ---- The core -------------------------------------------------------------------------------

  /// The number of free places.
  [[nodiscard]] std::uint32_t send_space() const { return space(sends_); }
  [[nodiscard]] std::uint32_t receive_space() const { return space(receives_); }
  /// Occupies the lowest free place; there must be one. `notify` is a valid value of SEND_NOTIFY.
  Place start_send(std::uint16_t id, std::uint32_t notify, std::uint32_t bytes);
  Place start_receive(std::uint16_t id, std::uint32_t notify);

  /// Bit 1 of EVENT.
  [[nodiscard]] bool waiting() const { return !queue_.empty(); }
  /// The value of COMPLETION.
  [[nodiscard]] std::uint32_t oldest() const;
  /// A read of COMPLETION: takes the oldest entry and frees its place.
  std::uint32_t take();
  /// The value of COMPLETION_BYTES.
  [[nodiscard]] std::uint32_t taken_bytes() const { return taken_bytes_; }
  /// Its place, which is free now, but nobody has it yet.
  [[nodiscard]] Place taken_place() const { return taken_place_; }

  [[nodiscard]] std::span<const std::uint32_t, reg::kCounters> counters() const {
    return counters_;
  }
  void write_counter(std::size_t counter, std::uint32_t value) { counters_[counter] = value; }

  // ---- The list unit --------------------------------------------------------------------------

  /// Occupies the lowest free place for a transfer of a list that is being fetched; there must be
  /// one.
  Place reserve_send() { return reserve(sends_); }
  Place reserve_receive() { return reserve(receives_); }
  /// Frees such a place again.
  void release_send(Place place) { release(sends_, place); }
  void release_receive(Place place) { release(receives_, place); }
  /// The transfer is issued. It will notify nobody, and its place is free when it is complete.
  void issue_send(Place place) { issue(sends_, place); }
  void issue_receive(Place place) { issue(receives_, place); }
  /// A list that the core has started ends in this cycle. `handle` is its id.
  void list_ended(std::uint16_t handle, bool failed) { ended_.push_back({handle, failed}); }
  /// The completions of lists that the core has not taken.
  [[nodiscard]] std::uint32_t lists_waiting() const { return lists_waiting_; }

  // ---- Engines and units ----------------------------------------------------------------------

  /// A send is complete in this cycle: its tail was injected, or its delivery was done, or it has
  /// failed because the trigger unit (kUnit) found an error. Each unit may report at most one per
  /// cycle.
  void sent(Place send, unsigned by, bool failed = false);
  /// A receive is done in cycle `now`, not counting gamma: its tail was consumed, its delivery was
  /// done, or (kUnit) its last flit was combined. `bytes` is the message's length. Each unit except
  /// the combine unit may report at most one per cycle.
  void received(Place receive, unsigned by, std::uint32_t bytes, bool failed, Cycle now);

  /// The places whose sends and receives have completed.
  struct Completed {
    PlaceSet sends = 0, receives = 0;
    [[nodiscard]] bool any() const { return (sends | receives) != 0; }
  };
  /// Whether commit() would complete anything.
  [[nodiscard]] bool due(Cycle now) const {
    return (sent_.by | received_.by) != 0 || !ended_.empty() || next() <= now;
  }
  /// Ends cycle `now`.
  Completed commit(Cycle now);

  /// To be called between cycles: the next cycle at whose end something that gamma holds back
  /// completes, or kNever if there is none.
  [[nodiscard]] Cycle next() const { return held_.empty() ? kNever : held_.front().due; }

  /// The places that are occupied by a send or receive, and not only reserved.
  [[nodiscard]] PlaceSet sends() const { return sends_.occupied & ~sends_.reserved; }
  [[nodiscard]] PlaceSet receives() const { return receives_.occupied & ~receives_.reserved; }

 private:
  struct Entry {
    std::uint64_t age = 0;  ///< index among the entries of its table, in the order of go
    std::uint32_t bytes = 0;
    std::uint16_t id = 0;
    std::uint16_t notify = 0;
    bool failed = false;
  };
  struct Table {
    ByPlace<Entry> entries;
    std::uint64_t started = 0;
    PlaceSet occupied = 0;
    PlaceSet reserved = 0;  ///< of these, for a transfer that is being fetched
  };
  struct Ended {
    std::uint16_t handle = 0;
    bool failed = false;
  };
  struct Queued {
    enum class Of : std::uint8_t { kSend, kReceive, kList };
    Of of = Of::kSend;
    Place place = 0;
    Ended list{};
  };
  struct Held {
    Place place = 0;
    Cycle due = 0;
  };
  /// The reports of this cycle, by unit.
  struct Said {
    std::array<Place, kMaxLocalPorts + 2> places{};
    std::uint32_t by = 0;  ///< a bit for each unit
  };

  static std::uint32_t space(const Table& table);
  static Place start(Table& table, const Entry& entry);
  static Place occupy(Table& table);
  static Place reserve(Table& table);
  static void release(Table& table, Place place);
  static void issue(Table& table, Place place);
  static void enter(Table& table, Place place, const Entry& entry);
  static void say(Said& said, Place place, unsigned by);
  void complete(bool receive, Place place, Completed& completed);
  void complete_held(Cycle now, Completed& completed);

  Cycle gamma_;
  Table sends_, receives_;
  Said sent_, received_;
  Fifo<Held> held_;  ///< gamma is equal for all, so they are in the order of their cycles
  Fifo<Queued> queue_;
  std::vector<Ended> ended_;  ///< lists, in this cycle
  std::uint32_t lists_waiting_ = 0;
  std::uint32_t taken_bytes_ = 0;
  Place taken_place_ = 0;
  std::array<std::uint32_t, reg::kCounters> counters_{};
};

}  // namespace annelid::nic
