#include "firmware/collectives/players/ranked.hpp"

#include "firmware/collectives/buffers/blocks.hpp"

namespace annelid::firmware {
namespace {

bool has_buffers(const Context& me, bool keeps_order) {
  const Call& call = me.call();
  const std::uint32_t bytes = call.bytes();
  if (!me.is_message(call.source(), bytes)) return false;
  if (call.operation() == reg::Operation::kBroadcast) return call.parameter(0) == 0;
  const std::uint64_t scratch = std::uint64_t{(bytes + 7) & ~7U} * kScratchBlocks;
  if (!me.in_memory(call.scratch(), scratch) ||
      !are_apart(call.scratch(), scratch, call.source(), bytes))
    return false;
  return is_ranked_operator(call, keeps_order) && me.is_message(call.target(), bytes) &&
         are_apart(call.source(), bytes, call.target(), bytes) &&
         are_apart(call.scratch(), scratch, call.target(), bytes);
}

}  // namespace

bool is_rooted(const Call& call) {
  return call.operation() == reg::Operation::kBroadcast ||
         call.operation() == reg::Operation::kReduce;
}

CallResult check_ranked(const Context& me, std::uint32_t parameter_bits, bool keeps_order) {
  const Call& call = me.call();
  if (!Ranks::fits(me.group(), call.parameter(2)) || (call.parameter(1) & ~parameter_bits) != 0)
    return CallResult::kBadArgument;
  if (is_rooted(call)) {
    if (call.root() >= me.group().size()) return CallResult::kBadArgument;
    // Only if ranks are fewer than members may the root have none.
    if (call.parameter(2) >> Ranks::kSizeShift != 0 &&
        Ranks(me.group(), call.parameter(2)).rank_of(call.root()) == Ranks::kNoRank)
      return CallResult::kBadArgument;
  }
  return has_buffers(me, keeps_order) ? CallResult::kSuccess : CallResult::kBadArgument;
}

bool is_root_at_an_end(const Context& me) {
  const Call& call = me.call();
  if (!is_rooted(call)) return true;  // rank 0
  if (!Ranks::fits(me.group(), call.parameter(2)) || call.root() >= me.group().size()) return false;
  const Ranks ranks(me.group(), call.parameter(2));
  const std::uint32_t rank = ranks.rank_of(call.root());
  return rank == 0 || rank == ranks.size() - 1;
}

Ranked::Ranked(const Context& me)
    : ranks_(me.group(), me.call().parameter(2)),
      root_(is_rooted(me.call()) ? ranks_.rank_of(me.call().root()) : 0) {}

std::uint32_t packets_of(const Call& call, std::uint32_t c, std::uint32_t d) {
  const std::uint32_t asked = call.parameter(1) & kPacketBits;
  if (asked != 0) return asked;
  const std::uint32_t words = (call.bytes() + 7) / 8;
  // The square root bit by bit: the core has no fast division of 64 bits.
  const std::uint64_t square = std::uint64_t{words} * c;
  if (square < 4 * d) return 1;  // without a square root
  std::uint32_t k = 0;
  for (std::uint32_t bit = kPacketBits / 2 + 1; bit != 0; bit /= 2) {
    const std::uint32_t next = k + bit;
    if (std::uint64_t{next * next} * d <= square) k = next;
  }
  if (k > words) k = words;
  return k == 0 ? 1 : k;
}

namespace {

/// A process's part, with its plan.
class PartPlayer {
 public:
  PartPlayer(Context& me, MakePlan make)
      : self_(me),
        player_(me, self_.member() ? make(room_, me.call(), self_)
                                   : make_plan<OwnBlock>(room_, PlannedCopy{})) {}

  Player* player() { return &player_; }

 private:
  Ranked self_;
  PlanRoom room_;
  Player player_;
};

}  // namespace

Task play_part(Context& me, const MakePlan& make) { return play_in_arena<PartPlayer>(me, make); }

}  // namespace annelid::firmware
