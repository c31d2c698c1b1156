// The records in the places of sends and receives (docs/internals/nic/registers.md).
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "interface/packet.hpp"
#include "nic/by_place.hpp"
#include "systemc/network/types.hpp"

namespace annelid::nic {

inline constexpr Place kNoPlace = 0xff;

constexpr PlaceSet place_bit(Place place) { return PlaceSet{1} << place; }

/// A send, from its go until its place is free again.
struct SendPlace {
  enum class State : std::uint8_t {
    kHeld,      ///< waits for its counter, or in a list for other transfers, to fire it
    kStarting,  ///< in the start-up unit
    kWaiting,   ///< for an offer; for a send to the node itself, for its receive
    kReady,     ///< in the queue of a port or of the delivery engine
    kSending,
    kComplete,  ///< until its completion is taken
  };
  State state = State::kHeld;
  std::uint8_t port = 0;     ///< injection port; not used for a send to the node itself
  bool eager = false;        ///< if ready: it goes into the receiver's eager place
  bool open = false;         ///< it goes to an open receive
  Place receive = kNoPlace;  ///< otherwise the receive that it goes to
  bool listed = false;       ///< it is of a list
  std::uint16_t tag = 0, id = 0, sequence = 0;
  NodeId destination = 0;
  Address to{};       ///< of the destination
  bool join = false;  ///< it is a join of its list, and sends nothing
  std::uint32_t offset = 0, bytes = 0;
  std::uint32_t block = 0, stride = 0;  ///< values of SEND_BLOCK and SEND_STRIDE, in bytes
  std::uint32_t step = 0;
  std::uint8_t trigger = 0;  ///< if held: the counter that it waits for, for reports
  std::uint16_t list = 0;    ///< if listed: the handle of its list
  std::uint32_t threshold = 0;
  std::uint64_t age = 0;  ///< lower is older
  Cycle ready = 0;        ///< if ready: the first cycle in which it can be taken

  /// The offset in node memory of byte `at` of the message. The 8 bytes of a flit are never in two
  /// blocks.
  [[nodiscard]] std::uint64_t source_of(std::uint32_t at) const {
    if (block == 0) return std::uint64_t{offset} + at;
    return std::uint64_t{offset} + std::uint64_t{at / block} * stride + at % block;
  }
};

/// A receive, from its go until its place is free again.
struct ReceivePlace {
  enum class State : std::uint8_t {
    kWaiting,
    kOffered,
    kParked,      ///< its offer was sent back
    kGranted,     ///< open: a request has it, which says its source and tag
    kArriving,    ///< its message is arriving from the network
    kDelivering,  ///< from the eager place or from the node itself
    kCombining,   ///< its message has arrived, and the combine unit is at work
    kComplete,    ///< the same, until its completion is taken
  };
  State state = State::kWaiting;
  bool failed = false;   ///< its message is dropped
  bool in_turn = false;  ///< offered after all older ones in turn of its tag have a message
  bool open = false;     ///< for an open message
  bool any_source = false, any_tag = false;  ///< of an open one that waits
  std::uint16_t tag = 0, id = 0;
  std::uint16_t list = 0;  ///< if listed: the handle of its list
  NodeId source = 0;
  Address from{};       ///< of the source
  bool listed = false;  ///< it is of a list
  std::uint32_t offset = 0, room = 0, stage = 0;
  reg::Operator operation = reg::Operator::kNone;
  reg::Type type = reg::Type::kBytes;
  std::uint32_t bytes = 0;     ///< size of its message, once it has one
  std::uint16_t sequence = 0;  ///< sequence number of its message, once it has one
  std::uint64_t age = 0;       ///< lower is older

  [[nodiscard]] bool combining() const { return operation != reg::Operator::kNone; }
  /// The offset in node memory at which the message is written.
  [[nodiscard]] std::uint32_t target() const { return combining() ? stage : offset; }
};

/// What reports call a transfer: "send 3", "receive 4 of list 2". The id of a list's receive has
/// bit 15.
inline std::string name_of(const char* kind, std::uint32_t number, std::uint16_t list) {
  return kind + (' ' + std::to_string(number)) + " of list " + std::to_string(list);
}
inline std::string name_of(const SendPlace& send) {
  if (!send.listed) return "send " + std::to_string(send.id);
  return name_of(send.join ? "join" : "send", send.id, send.list);
}
inline std::string name_of(const ReceivePlace& receive) {
  if (!receive.listed) return "receive " + std::to_string(receive.id);
  return name_of("receive", receive.id & ~std::uint32_t{reg::kDependencyReceive}, receive.list);
}

/// The records of all places, and their ages. Completions knows which places are occupied.
template <typename Record>
class PlaceTable {
 public:
  Record& operator[](Place place) { return records_[place]; }
  const Record& operator[](Place place) const { return records_[place]; }

  /// Makes a new record, the youngest. References to other records may become invalid.
  Record& open(Place place) {
    records_.set(place, {});
    make_youngest(place);
    return records_[place];
  }
  void make_youngest(Place place) { records_[place].age = next_age_++; }

  /// The oldest place of a set that satisfies `fits`, or kNoPlace if none does.
  template <typename Fits>
  [[nodiscard]] Place oldest(PlaceSet set, const Fits& fits) const {
    Place oldest = kNoPlace;
    for (; set != 0; set &= set - 1) {
      const auto place = static_cast<Place>(std::countr_zero(set));
      const bool older = oldest == kNoPlace || records_[place].age < records_[oldest].age;
      if (older && fits(records_[place])) oldest = place;
    }
    return oldest;
  }

 private:
  ByPlace<Record> records_;
  std::uint64_t next_age_ = 0;
};

}  // namespace annelid::nic
