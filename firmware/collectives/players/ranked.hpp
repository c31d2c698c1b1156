// Calls of the algorithms by rank, which know ranks and no dimensions:
// docs/internals/algorithms/groups.md.
#pragma once

#include <new>
#include <type_traits>
#include <utility>

#include "firmware/collectives/players/player.hpp"
#include "firmware/collectives/players/streams.hpp"
#include "firmware/communication/ranks.hpp"

namespace annelid::firmware {

/// Whether the call has an operator and a type that are combined by rank. `affine` needs an
/// algorithm that keeps the order of operands.
inline bool is_ranked_operator(const Call& call, bool keeps_order) {
  if (call.operator_code() == kAffine) {
    return keeps_order && call.type() == reg::Type::kUint32 && call.count() % 2 == 0;
  }
  return call.operator_code() >= 1 &&
         call.operator_code() <= static_cast<std::uint32_t>(reg::Operator::kXor) &&
         call.type() != reg::Type::kBytes;
}

/// Returns SUCCESS, or the error in the call's words. It checks PARAMETER_1 (no bits outside of
/// `parameter_bits`), PARAMETER_2, ROOT if there is one, and the buffers of the operation. The
/// operator `affine` passes only if the algorithm keeps the order of operands. SCRATCH must have
/// kScratchBlocks blocks if the operation combines.
CallResult check_ranked(const Context& me, std::uint32_t parameter_bits, bool keeps_order);
inline constexpr std::uint32_t kScratchBlocks = 8;
/// Bits of PARAMETER_1: the packets; when receives are posted and offered; any bits.
inline constexpr std::uint32_t kPacketBits = 0xFFFF, kReceivesBits = 3U << 17,
                               kAnyParameter = 0xFFFFFFFF;

/// The ranks of the call, as this process counts them from ROOT.
class Ranked {
 public:
  explicit Ranked(const Context& me);

  [[nodiscard]] const Ranks& ranks() const { return ranks_; }
  [[nodiscard]] std::uint32_t size() const { return ranks_.size(); }
  /// Whether this process takes part.
  [[nodiscard]] bool member() const { return ranks_.own() != Ranks::kNoRank; }
  /// The root's rank; 0 for an operation that has none.
  [[nodiscard]] std::uint32_t root() const { return root_; }
  /// Return (own rank - root) mod size, and the address of a relative rank.
  [[nodiscard]] std::uint32_t relative() const {
    const std::uint32_t own = ranks_.own();
    return own >= root_ ? own - root_ : own + size() - root_;
  }
  [[nodiscard]] Address address(std::uint32_t relative) const {
    const std::uint32_t rank = root_ + relative;
    return ranks_.address(rank < size() ? rank : rank - size());
  }

 private:
  Ranks ranks_;
  std::uint32_t root_;
};

/// Whether the operation has a root.
bool is_rooted(const Call& call);
/// Whether ROOT's rank is the first or the last.
bool is_root_at_an_end(const Context& me);

/// Returns the number of packets from PARAMETER_1. There, 0 means the nearest number below the
/// optimum for alpha = 200 cycles and one word per cycle: max(1, min(w, floor(sqrt(w·c / d)))).
std::uint32_t packets_of(const Call& call, std::uint32_t c, std::uint32_t d);

/// The choice in PARAMETER_1 of when receives are posted and offered
/// (docs/internals/algorithms/groups.md, "Packets").
enum class Receives : std::uint8_t { kUsual, kAhead, kInTurn, kStepwise };
inline Receives receives_of(const Call& call) {
  return static_cast<Receives>((call.parameter(1) & kReceivesBits) >> 17);
}

/// Returns the offset of area i of SCRATCH. Each area is as long as the block, rounded up to whole
/// words.
inline std::uint32_t scratch_area(const Call& call, std::uint32_t i) {
  return call.scratch() + i * ((call.bytes() + 7) & ~7U);
}

/// Room for a plan.
struct PlanRoom {
  alignas(std::uint64_t) std::byte bytes[88 * sizeof(void*)];
};
/// Makes a plan in the room, from the call and its ranks.
using MakePlan = Plan& (*)(PlanRoom& room, const Call& call, const Ranked& self);
template <typename P, typename... Rest>
P& make_plan(PlanRoom& room, Rest&&... rest) {
  static_assert(sizeof(P) <= sizeof(PlanRoom) && alignof(P) <= alignof(PlanRoom) &&
                std::is_trivially_destructible_v<P>);
  return *new (room.bytes) P(std::forward<Rest>(rest)...);
}
/// A plan without messages, of a process that keeps its block or takes no part.
struct OwnBlock : Plan {
  explicit OwnBlock(const PlannedCopy& own) {
    next_send = next_receive = [](Plan&, PlannedMessage&) { return false; };
    copy = own;
  }
};
/// Plays this process's part: a plan that `make` makes, which outlives the task. Does nothing if
/// the process takes no part.
Task play_part(Context& me, const MakePlan& make);
/// Makes a plan of type P from the call and the process's ranks.
template <typename P>
inline constexpr MakePlan kMakePlan =
    [](PlanRoom& room, const Call& call, const Ranked& self) -> Plan& {
  return make_plan<P>(room, call, self);
};
template <typename P>
Task play_part(Context& me) {
  return play_part(me, kMakePlan<P>);
}

/// A block in packets, and the plan to which streams of packets are added. Each tree carries
/// `packets` of them. Without trees there is only one process, which keeps the block. Second
/// combinations are staged in area `stage` of SCRATCH.
struct TreePackets {
  /// The first packets reach the last process in step `last`.
  TreePackets(const Call& call, std::uint32_t trees, std::uint32_t packets, std::uint32_t period,
              std::uint32_t last, std::uint32_t stage)
      : parts(call.bytes(), trees == 0 ? 1 : trees * packets), plan(parts, packets, period) {
    // Held sends save time on the way from each process to the next one, once; but to describe them
    // takes the core longer, for each packet, than to play a step.
    constexpr std::uint32_t kHeldPackets = 16;
    plan.by_core = packets > kHeldPackets && packets * period > last;
    plan.stage = scratch_area(call, stage);
    receive(receives_of(call));
  }
  /// If the call leaves the choice: long packets of a `simplex` schedule, which is for NICs that
  /// cannot send and receive at once, are received stepwise. Messages that are combined `meet` at
  /// their receiver. Where it has one port, one that comes early holds up the one whose turn it is.
  void receive_as_usual(const Context& me, std::uint32_t packets, bool simplex, bool meet) {
    constexpr std::uint32_t kStepwisePackets = 8, kStepwiseBytes = 512;
    if (receives_of(me.call()) != Receives::kUsual) return;
    if (simplex) {
      if (packets >= kStepwisePackets && parts.bytes_of(0) >= kStepwiseBytes) {
        receive(Receives::kStepwise);
      }
    } else if (meet && me.topology().ports() == 1) {
      receive(Receives::kInTurn);
    }
  }
  void receive(Receives when) {
    plan.in_turn = when == Receives::kInTurn;
    if (when == Receives::kStepwise) plan.receive_stepwise();
  }
  PartSizes parts;
  StreamPlan plan;
};

}  // namespace annelid::firmware
