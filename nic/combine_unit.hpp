// The combine unit: combines messages of combining receives with their operands
// (docs/internals/nic/combining.md).
#pragma once

#include <array>
#include <vector>

#include "interface/place.hpp"
#include "nic/by_place.hpp"
#include "nic/node_memory.hpp"
#include "systemc/network/types.hpp"

namespace annelid::nic {

/// A receive with an operator: target := operand op message. Offsets are in node memory; `room` is
/// in bytes, a multiple of the element's size. If the operand is the target, that is an
/// accumulator.
struct CombiningReceive {
  std::uint64_t target = 0, operand = 0, staging = 0;
  std::uint32_t room = 0;
  reg::Operator operation = reg::Operator::kNone;
  reg::Type type = reg::Type::kBytes;
  bool message_left = false;  ///< the message is the left operand

  /// Whether one of the two writes what the other reads or writes. The ranges of two receives are
  /// equal or apart.
  [[nodiscard]] bool depends_on(const CombiningReceive& older) const {
    return target == older.target || target == older.operand || operand == older.target;
  }
};

/// Follows the messages that are written to staging areas, in flits of 8 bytes. Receives that
/// depend on each other are applied in the order of their go. A flit that is started in cycle t is
/// read in t, written in t+3, and done from t+4 on.
///
/// In each cycle the NIC first reports what has reached memory, then calls step(). It needs to do
/// so only in cycles with such reports, and in those that next() names.
class CombineUnit {
 public:
  static constexpr unsigned kMaxLanes = 8;
  static constexpr Cycle kLatency = 3;  ///< from reading to writing, cycles
  static constexpr unsigned kUnlimited = ~0u;

  /// `memory` must outlive the unit. `lanes` is the number of flits that can be started per cycle,
  /// 1..8.
  CombineUnit(NodeMemory& memory, unsigned lanes);

  /// A receive's go. This unit must not already have a receive in the place.
  void post(Place place, const CombiningReceive& receive);
  /// The header of the receive's message has arrived. `bytes` is the message's length: a multiple
  /// of the element's size, at most the room. A message of 0 bytes is complete in this cycle.
  void begin(Place place, std::uint32_t bytes);
  /// The message's next flit is written to staging in cycle `now`.
  void stage(Place place, Cycle now);
  /// Gives a receive up, at any time. Nothing more of it is written, it delays no other receive,
  /// and it is never reported as complete.
  void drop(Place place);

  struct Done {
    PlaceSet completed = 0;  ///< receives whose last flit was written; their places are free here
    unsigned accesses =
        0;  ///< flits started: accesses (docs/internals/nic/engines.md, Limited memory)
  };
  /// Executes cycle `now`, with at most `budget` accesses to node memory.
  Done step(Cycle now, unsigned budget = kUnlimited);

  /// To be called at the end of cycle `now`: the next cycle in which step() does something even if
  /// nothing more is reported, or kNever if there is none.
  [[nodiscard]] Cycle next(Cycle now) const;

  /// Whether the unit may complete a receive before the end of another message is staged.
  [[nodiscard]] bool completes_one() const;
  /// Whether the unit has no receive.
  [[nodiscard]] bool empty() const { return count_ == 0; }
  /// Flits started in total.
  [[nodiscard]] std::uint64_t flits() const { return flits_; }

 private:
  struct Receive {
    CombiningReceive what;
    PlaceSet before = 0;        ///< older receives that it depends on
    bool begun = false;         ///< the length of its message is known
    std::uint32_t bytes = 0;    ///< of the message; until it is known, the room
    std::uint32_t flits = 0;    ///< of `bytes`
    std::uint32_t started = 0;  ///< flits
    std::uint32_t done = 0;
    std::uint32_t staged = 0, staged_before = 0;  ///< all flits; those before cycle `last_staged`
    Cycle last_staged = kNever;

    [[nodiscard]] std::uint32_t visible(Cycle now) const {
      return last_staged == now ? staged_before : staged;
    }
    [[nodiscard]] bool whole() const { return begun && staged == flits; }
  };
  /// A flit between its start and its writing.
  struct Flight {
    Place place = 0;
    std::uint8_t bytes = 0;
    std::uint64_t offset = 0, value = 0;
  };
  struct Stage {
    std::vector<Flight> flights;  ///< up to kMaxLanes
    Cycle written = 0;            ///< the cycle in which they are written
  };

  [[nodiscard]] bool startable(std::size_t age, Cycle now) const;
  [[nodiscard]] bool completes(const Receive& receive) const;
  void start(Place place, Cycle now);
  void write(Stage& stage, PlaceSet& completed);
  void forget(Place place);
  Stage& stage_of(Cycle written) { return pipeline_[written % pipeline_.size()]; }

  NodeMemory& memory_;
  unsigned lanes_;
  ByPlace<Receive> receives_;
  std::array<Place, kPlaces> order_{};  ///< places, oldest go first
  std::size_t count_ = 0;               ///< of them
  PlaceSet empty_ = 0;  ///< receives with a message of 0 bytes, still to be reported
  std::array<Stage, kLatency + 1> pipeline_{};
  std::uint64_t flits_ = 0;
};

}  // namespace annelid::nic
