// A plan that consists of a few streams. A stream is an edge that carries packets in the steps a, a
// + d, a + 2d, ...
#pragma once

#include "firmware/collectives/players/player.hpp"

namespace annelid::firmware {

/// A block cut into parts (docs/internals/algorithms/operations.md, "Places and parts"), read from
/// one part to the next.
struct PartSizes {
  PartSizes(std::uint32_t bytes, std::uint32_t parts);
  [[nodiscard]] std::uint32_t bytes_of(std::uint32_t part) const {
    return 8 * (words + (part < longer ? 1 : 0));
  }
  /// Returns the offset where a part begins. The last part may be a few bytes shorter than
  /// bytes_of() says.
  [[nodiscard]] std::uint32_t begin(std::uint32_t part) const {
    const std::uint32_t at = 8 * (part * words + (part < longer ? part : longer));
    return at < block ? at : block;
  }
  /// Returns parts `part`..end-1 of the block at `offset`.
  [[nodiscard]] Buffer run(std::uint32_t offset, std::uint32_t part, std::uint32_t end) const {
    const std::uint32_t from = begin(part);
    return {offset + from, begin(end) - from};
  }
  std::uint32_t block, words, longer;  ///< bytes; words of each part; parts with a word more
};

/// Carries the parts `part`, `part` + 1, ... one after the other. Offsets refer to the first of
/// them. Flags are as in PlannedMessage.
struct Stream {
  std::uint32_t step, period;
  Address peer;
  std::uint32_t place;
  std::uint32_t flags;
  std::uint32_t not_before;  ///< of the first packet; grows by the period
  // For the plan alone: packets left, how many of them have a word more, bytes of the block left,
  // and where the first one begins there.
  std::uint32_t packets, longer, left, begin;
  std::uint32_t operand, target, also_operand, also_target;  ///< if there are flags

  /// Combines the messages with blocks at these offsets.
  void combine(std::uint32_t how, std::uint32_t operand_block, std::uint32_t target_block) {
    flags = how;
    operand = operand_block + begin;
    target = target_block + begin;
  }
  void combine_also(std::uint32_t operand_block, std::uint32_t target_block) {
    flags |= PlannedMessage::kAlso;
    also_operand = operand_block + begin;
    also_target = target_block + begin;
  }
};

class StreamPlan : public Plan {
 public:
  static constexpr std::uint32_t kMost = 6;  ///< streams of a direction

  /// Each stream carries `packets` of the parts, one in each `period` steps.
  StreamPlan(const PartSizes& parts, std::uint32_t packets, std::uint32_t period)
      : parts_(parts), packets_(packets), period_(period) {
    next_send = take<&StreamPlan::sends_>;
    next_receive = take<&StreamPlan::receives_>;
    last_reused = most_receives = 0;
    sends_before_also = false;
  }
  /// Posts each receive when all earlier steps are over, instead of ahead. For that the core has to
  /// wait for each step, so it plays them.
  void receive_stepwise() {
    stepwise_ = by_core = true;
    last_reused = 0xFFFFFFFF;
  }
  /// Posts the plan of a call that may_begin(), if each stream has one packet, there are few
  /// receives, and no message waits for the bytes of another or is combined twice. The NIC then has
  /// all messages, and the call ends with them. Returns false if nothing has begun. A plan of many
  /// packets takes a player.
  bool begin(Context& me);
  /// Add a stream of the block at `block`, from step `step` on, that starts with part `first_part`.
  /// It has no flags.
  Stream& add_send(std::uint32_t step, Address peer, std::uint32_t block,
                   std::uint32_t first_part) {
    return add(sends_, step, peer, block, first_part);
  }
  Stream& add_receive(std::uint32_t step, Address peer, std::uint32_t block,
                      std::uint32_t first_part) {
    most_receives += packets_;
    return add(receives_, step, peer, block, first_part);
  }

 private:
  /// Streams, ordered by their next step.
  struct Streams {
    std::uint32_t count = 0;
    Stream** first = order;  // of those that have packets left
    Stream* order[kMost];
    union {  // not cleared
      Stream stream[kMost];
    };
    Streams() {}  // not = default, which would clear them
  };
  Stream& add(Streams& streams, std::uint32_t step, Address peer, std::uint32_t block,
              std::uint32_t first_part);
  bool take(Streams& streams, PlannedMessage& message) const;
  template <Streams StreamPlan::*streams>
  static bool take(Plan& plan, PlannedMessage& message) {
    auto& self = static_cast<StreamPlan&>(plan);
    return self.take(self.*streams, message);
  }

  [[nodiscard]] bool is_brief() const;
  [[nodiscard]] std::uint32_t bytes_of(const Stream& s) const {
    const std::uint32_t bytes = 8 * (parts_.words + (s.longer != 0 ? 1 : 0));
    return bytes < s.left ? bytes : s.left;
  }

  PartSizes parts_;
  CallJoin join_;
  std::uint32_t packets_, period_;
  bool stepwise_ = false;
  Streams sends_, receives_;
};

}  // namespace annelid::firmware
