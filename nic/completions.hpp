// Places, completion queue and completion counters (docs/internals/nic.md, section 3, Completion).
#pragma once

#include <array>
#include <span>

#include "interface/place.hpp"
#include "nic/ring.hpp"
#include "systemc/network/types.hpp"

namespace annelid::nic {

/// During a cycle, units report what is done in it. At the end of the cycle, commit() completes it
/// in the order of the documentation. So everything that commit() changes is visible one cycle
/// later. What the core's access changes is visible at once.
class Completions {
 public:
  /// The unit that completed a send or receive: engine 0..L-1 by port, or one of these.
  static constexpr unsigned kDelivery = kMaxLocalPorts;  ///< the delivery engine
  static constexpr unsigned kUnit = kMaxLocalPorts + 1;  ///< the combine unit; the trigger unit

  /// `gamma` in cycles, 0..2^20: how much later receives are complete.
  explicit Completions(Cycle gamma) : gamma_(gamma) {}

  // ---- The core -------------------------------------------------------------------------------

  /// Free places.
  [[nodiscard]] std::uint32_t send_space() const { return space(sends_); }
  [[nodiscard]] std::uint32_t receive_space() const { return space(receives_); }
  /// Occupies the lowest free place; there must be one. `notify` as in SEND_NOTIFY, valid.
  Place start_send(std::uint16_t id, std::uint32_t notify, std::uint32_t bytes);
  Place start_receive(std::uint16_t id, std::uint32_t notify);

  /// EVENT bit 1.
  [[nodiscard]] bool waiting() const { return !queue_.empty(); }
  /// A read of COMPLETION: takes the oldest entry, frees its place.
  std::uint32_t take();
  /// COMPLETION_BYTES.
  [[nodiscard]] std::uint32_t taken_bytes() const { return taken_bytes_; }

  [[nodiscard]] std::span<const std::uint32_t, reg::kCounters> counters() const {
    return counters_;
  }
  void write_counter(std::size_t counter, std::uint32_t value) { counters_[counter] = value; }

  // ---- Engines and units ----------------------------------------------------------------------

  /// In this cycle a send's tail was injected, its delivery was done or, failed, by kUnit: the
  /// trigger unit found an error. At most one by each of them in a cycle.
  void sent(Place send, unsigned by, bool failed = false);
  /// In cycle `now` a receive was done, gamma not counted: its tail was consumed, its delivery done
  /// or, by kUnit, its last flit combined. `bytes`: the message's length. At most one by each in a
  /// cycle, the combine unit apart.
  void received(Place receive, unsigned by, std::uint32_t bytes, bool failed, Cycle now);

  /// Which places' sends and receives completed.
  struct Completed {
    PlaceSet sends = 0, receives = 0;
    [[nodiscard]] bool any() const { return (sends | receives) != 0; }
  };
  /// The end of cycle `now`.
  Completed commit(Cycle now);

  /// Between cycles: the next one whose end completes something that gamma holds back, kNever if
  /// none.
  [[nodiscard]] Cycle next() const;

  /// Places that are occupied.
  [[nodiscard]] PlaceSet sends() const { return sends_.occupied; }
  [[nodiscard]] PlaceSet receives() const { return receives_.occupied; }

 private:
  struct Entry {
    std::uint64_t age = 0;  ///< counts the entries of its table, in the order of go
    std::uint32_t bytes = 0;
    std::uint16_t id = 0;
    std::uint16_t notify = 0;
    bool failed = false;
  };
  struct Table {
    std::array<Entry, kPlaces> entries{};
    std::uint64_t started = 0;
    PlaceSet occupied = 0;
  };
  struct Queued {
    bool receive = false;
    Place place = 0;
  };
  struct Held {
    Place place = 0;
    Cycle due = 0;
  };
  /// What units said in this cycle, by unit.
  struct Said {
    std::array<Place, kMaxLocalPorts + 2> places{};
    std::uint32_t by = 0;  ///< a bit for each unit
  };

  static std::uint32_t space(const Table& table);
  static Place start(Table& table, const Entry& entry);
  static void say(Said& said, Place place, unsigned by);
  void complete(bool receive, Place place, Completed& completed);
  void complete_held(Cycle now, Completed& completed);

  Cycle gamma_;
  Table sends_, receives_;
  Said sent_, received_;
  Ring<Held, kPlaces> held_;  ///< as gamma is the same for all: in the order of their cycles
  Ring<Queued, reg::kCompletionPlaces> queue_;
  std::uint32_t taken_bytes_ = 0;
  std::array<std::uint32_t, reg::kCounters> counters_{};
};

}  // namespace annelid::nic
