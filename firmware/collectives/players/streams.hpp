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

/// Carries the parts `part`, `part` + 1, ... one after the other. Offsets refer to the whole block.
/// Flags are as in PlannedMessage.
struct Stream {
  std::uint32_t step = 0, period = 1;
  Address peer;
  std::uint32_t place = 0;
  std::uint32_t flags = 0, operand = 0, target = 0, also_operand = 0, also_target = 0;
  std::uint32_t not_before = 0;  ///< of the first packet; grows by the period
  // For the plan alone: packets left, how many of them have a word more, and bytes of the block
  // left.
  std::uint32_t packets = 0, longer = 0, left = 0;
};

class StreamPlan : public Plan {
 public:
  static constexpr std::uint32_t kMost = 6;  ///< streams of a direction

  /// Each stream carries `packets` of the parts.
  StreamPlan(const PartSizes& parts, std::uint32_t packets) : parts_(parts), packets_(packets) {
    next_send = take<&StreamPlan::sends_>;
    next_receive = take<&StreamPlan::receives_>;
  }
  /// Posts each receive when all earlier steps are over, instead of ahead.
  void receive_stepwise() { stepwise_ = true; }
  /// Add a stream that starts with part `first_part`.
  void add_send(Stream stream, std::uint32_t first_part) { add(sends_, stream, first_part); }
  void add_receive(Stream stream, std::uint32_t first_part) { add(receives_, stream, first_part); }

 private:
  /// Streams, ordered by their next step.
  struct Streams {
    std::uint32_t count = 0;
    Stream* order[kMost];
    Stream stream[kMost];
  };
  void add(Streams& streams, const Stream& stream, std::uint32_t first_part);
  bool take(Streams& streams, PlannedMessage& message) const;
  template <Streams StreamPlan::*streams>
  static bool take(Plan& plan, PlannedMessage& message) {
    auto& self = static_cast<StreamPlan&>(plan);
    return self.take(self.*streams, message);
  }

  PartSizes parts_;
  std::uint32_t packets_;
  bool stepwise_ = false;
  Streams sends_, receives_;
};

}  // namespace annelid::firmware
