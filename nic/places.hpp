// What is in the places of sends and receives (docs/internals/nic.md, section 3).
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

#include "interface/packet.hpp"
#include "systemc/network/types.hpp"

namespace annelid::nic {

inline constexpr Place kNoPlace = 0xff;

constexpr PlaceSet place_bit(Place place) { return PlaceSet{1} << place; }

/// A send, from its go to the end of its place.
struct SendPlace {
  enum class State : std::uint8_t {
    kHeld,      ///< until its counter fires it
    kStarting,  ///< in the start-up unit
    kWaiting,   ///< for an offer; to the own node: for its receive
    kReady,     ///< in a port's queue, or the delivery engine's
    kSending,
    kComplete,  ///< until its completion is taken
  };
  State state = State::kHeld;
  std::uint8_t port = 0;     ///< injection port; not used if the own node is the destination
  bool eager = false;        ///< of a ready one: into the receiver's eager place
  Place receive = kNoPlace;  ///< else the receive that it goes to
  std::uint16_t tag = 0, id = 0, sequence = 0;
  NodeId destination = 0;
  std::uint32_t offset = 0, bytes = 0;
  std::uint32_t block = 0, stride = 0;  ///< as SEND_BLOCK, SEND_STRIDE
  std::uint32_t step = 0;
  std::uint8_t trigger = 0;  ///< of a held one: the counter that it waits for, for reports
  std::uint32_t threshold = 0;
  std::uint64_t age = 0;  ///< lower is older
  Cycle ready = 0;        ///< of a ready one: the first cycle in which it can be taken

  /// Where byte `at` of the message lies. The 8 bytes of a flit are never in two blocks.
  [[nodiscard]] std::uint64_t source_of(std::uint32_t at) const {
    if (block == 0) return std::uint64_t{offset} + at;
    return std::uint64_t{offset} + std::uint64_t{at / block} * stride + at % block;
  }
};

/// A receive, from its go to the end of its place.
struct ReceivePlace {
  enum class State : std::uint8_t {
    kWaiting,
    kOffered,
    kParked,      ///< its offer was sent back
    kArriving,    ///< its message comes from the network
    kDelivering,  ///< from the eager place or the own node
    kCombining,   ///< its message is there, and the combine unit at work
    kComplete,    ///< likewise, until its completion is taken
  };
  State state = State::kWaiting;
  bool failed = false;   ///< its message is dropped
  bool in_turn = false;  ///< not offered before every older one in turn of its tag has a message
  std::uint16_t tag = 0, id = 0;
  NodeId source = 0;
  std::uint32_t offset = 0, room = 0, stage = 0;
  reg::Operator operation = reg::Operator::kNone;
  reg::Type type = reg::Type::kBytes;
  std::uint32_t bytes = 0;     ///< of its message, once it has one
  std::uint16_t sequence = 0;  ///< likewise
  std::uint64_t age = 0;       ///< lower is older

  [[nodiscard]] bool combining() const { return operation != reg::Operator::kNone; }
  /// Where the bytes of the message are written.
  [[nodiscard]] std::uint32_t target() const { return combining() ? stage : offset; }
};

/// The records of all places. Completions knows which are occupied. The lowest free one is always
/// taken, so places that were never needed take no memory.
template <typename Record>
class PlaceTable {
 public:
  Record& operator[](Place place) {
    assert(place < records_.size() && "a place that was never opened");
    return records_[place];
  }
  const Record& operator[](Place place) const {
    assert(place < records_.size() && "a place that was never opened");
    return records_[place];
  }

  /// A fresh record; the youngest. References to others may become invalid.
  Record& open(Place place) {
    if (place >= records_.size()) records_.resize(place + 1u);
    records_[place] = Record{};
    make_youngest(place);
    return records_[place];
  }
  void make_youngest(Place place) { records_[place].age = next_age_++; }

  /// The oldest place of a set that fits, kNoPlace if none does.
  template <typename Fits>
  [[nodiscard]] Place oldest(PlaceSet set, const Fits& fits) const {
    Place oldest = kNoPlace;
    for (; set != 0; set &= set - 1) {
      const auto place = static_cast<Place>(std::countr_zero(set));
      if (!fits(records_[place])) continue;
      if (oldest == kNoPlace || records_[place].age < records_[oldest].age) oldest = place;
    }
    return oldest;
  }

 private:
  std::vector<Record> records_;
  std::uint64_t next_age_ = 0;
};

}  // namespace annelid::nic
