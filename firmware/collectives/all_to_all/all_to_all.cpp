// All-to-all, each process a block for each other one: Tsai, Section 5.5.2;
// docs/internals/algorithms/collect-and-exchange.md, "All-to-all". SOURCE: blocks by receiver;
// TARGET: blocks by sender. FLAGS, bit 3: blocks of different lengths, as the list at PARAMETER_0
// says.
#include "firmware/collectives/buffers/blocks.hpp"
#include "firmware/collectives/buffers/copy.hpp"
#include "firmware/communication/window.hpp"

namespace annelid::firmware {
namespace {

/// Receives, and sends, that a process has under way at a time. Others may use the rest of the
/// NIC's places.
constexpr std::uint32_t kUnderWay = 16;
using Transfers = Window<kUnderWay>;

CallResult check_all_to_all(const Context& me) {
  return check_blocks(me, me.group().size(), me.group().size());
}

/// Whether the call has blocks of different lengths.
constexpr std::uint32_t kListed = 8;
bool is_listed(const Call& call) {
  return call.algorithm() == reg::Algorithm::kDirect && call.word(reg::CallWord::kFlags) == kListed;
}

/// One side's blocks, as the ranks go round: each next one is that of the rank after, or before.
class BlocksAround {
 public:
  /// `list`: the words that count the elements of each block, if the call has such lists.
  BlocksAround(const Context& me, std::uint32_t at, std::uint32_t list)
      : memory_(me.memory()),
        listed_(is_listed(me.call())),
        list_(list),
        shift_(log2_bytes(me.call().type())),
        equal_(me.call().bytes()),
        at_(at),
        rank_(me.group().rank()) {
    const std::uint32_t size = me.group().size();
    if (!listed_) {
      offset_ = at + rank_ * equal_;
      end_ = at + size * equal_;
      return;
    }
    end_ = offset_ = at;
    for (std::uint32_t rank = 0; rank < size; ++rank) {
      if (rank == rank_) offset_ = end_;
      end_ += bytes(rank);
    }
  }

  /// Returns the block of the rank that it is at. At first that is this process's own rank.
  [[nodiscard]] Buffer block() const { return {offset_, bytes(rank_)}; }
  void go_to_next(std::uint32_t rank) {
    offset_ = rank == 0 ? at_ : offset_ + bytes(rank_);
    rank_ = rank;
  }
  void go_to_previous(std::uint32_t rank) {
    offset_ = (rank_ == 0 ? end_ : offset_) - bytes(rank);
    rank_ = rank;
  }

 private:
  [[nodiscard]] std::uint32_t bytes(std::uint32_t rank) const {
    return listed_ ? memory_.load<std::uint32_t>(list_ + 4 * rank) << shift_ : equal_;
  }

  [[no_unique_address]] Memory memory_;
  bool listed_;
  std::uint32_t list_, shift_, equal_;
  std::uint32_t at_, end_, offset_, rank_;
};

/// Returns the bytes of all blocks of a list, or kTooMany if one of them is too long for a message.
constexpr std::uint64_t kTooMany = ~std::uint64_t{0};
std::uint64_t listed_bytes(const Context& me, std::uint32_t list) {
  std::uint64_t elements = 0;
  const std::uint32_t shift = log2_bytes(me.call().type());
  for (std::uint32_t rank = 0; rank < me.group().size(); ++rank) {
    const auto count = me.memory().load<std::uint32_t>(list + 4 * rank);
    if (count > reg::kMaxMessageBytes >> shift) return kTooMany;
    elements += count;
  }
  return elements << shift;
}

/// A process has lists of its own, so it decides by itself.
CallResult check_listed(const Context& me) {
  const Call& call = me.call();
  const std::uint32_t list = call.parameter(0), half = 4 * me.group().size();
  if (call.count() != 0 || list % 4 != 0 || !me.in_memory(list, std::uint64_t{2} * half))
    return CallResult::kBadArgument;
  const std::uint64_t source = listed_bytes(me, list), target = listed_bytes(me, list + half);
  const bool good = source != kTooMany && target != kTooMany &&
                    me.in_memory(call.source(), source) && me.in_memory(call.target(), target) &&
                    are_apart(call.source(), source, call.target(), target) &&
                    are_apart(list, std::uint64_t{2} * half, call.target(), target);
  return good ? CallResult::kSuccess : CallResult::kBadArgument;
}

}  // namespace

/// Algorithm A: all at once. Everybody posts its receives, as many as it may have under way, and
/// sends in the same order of distances. No two wait for each other: where a process is the one
/// that has come least far, those who send to it and receive from it have both come as far.
namespace direct_all_to_all {

CallResult check(const Context& me) {
  if (me.call().word(reg::CallWord::kFlags) == 0) return check_all_to_all(me);
  return is_listed(me.call()) ? check_listed(me) : CallResult::kBadArgument;
}

Task run(Context& me) {
  const Group& group = me.group();
  me.node().record_fresh_receives(true);
  const std::uint32_t size = group.size(), list = me.call().parameter(0);
  BlocksAround source(me, me.call().source(), list);
  BlocksAround target(me, me.call().target(), list + 4 * size);
  Transfers receives, sends;
  const Buffer own_source = source.block(), own_target = target.block();
  const auto post = [&](std::uint32_t distance) {
    const std::uint32_t from = rank_before(group, distance);
    target.go_to_previous(from);
    receives.add(me, Direction::kReceive,
                 message(me, group.address(from), target.block(), distance));
  };

  std::uint32_t posted = 0;
  while (posted + 1 < size && !receives.full()) post(++posted);
  Exchange own = copy(me, own_source, own_target);
  for (std::uint32_t distance = 1; distance < size; ++distance) {
    if (sends.full()) co_await sends.oldest();
    const std::uint32_t to = rank_after(group, distance);
    source.go_to_next(to);
    sends.add(me, Direction::kSend, message(me, group.address(to), source.block(), distance));
    if (posted + 1 == size) continue;
    co_await receives.oldest();
    post(++posted);
  }
  while (!receives.empty()) co_await receives.oldest();
  while (!sends.empty()) co_await sends.oldest();
  co_await own;
  co_return CallResult::kSuccess;
}

}  // namespace direct_all_to_all

/// Algorithm B: one after the other, by rank. The last message of a process goes to the next one
/// and is its token.
namespace token_all_to_all {

CallResult check(const Context& me) { return check_all_to_all(me); }

Task run(Context& me) {
  const Group& group = me.group();
  const std::uint32_t size = group.size(), rank = group.rank();
  const Blocks source = source_blocks(me), target = target_blocks(me);
  const auto step = [&](std::uint32_t sender, std::uint32_t receiver) {
    const std::uint32_t distance = receiver < sender ? sender - receiver : sender + size - receiver;
    return sender * (size - 1) + distance;  // of the one message that is then under way
  };
  Transfers receives;
  std::uint32_t posted = 0;  // senders below this one
  const auto post_all = [&] {
    for (; posted < size && !receives.full(); ++posted) {
      if (posted == rank) continue;
      receives.add(me, Direction::kReceive,
                   message(me, group.address(posted), target.at(posted), step(posted, rank)));
    }
  };

  co_await copy(me, source.at(rank), target.at(rank));
  post_all();
  for (std::uint32_t sender = 0; sender < size; ++sender) {
    if (sender != rank) {
      co_await receives.oldest();
      post_all();
      continue;
    }
    for (std::uint32_t distance = 1; distance < size; ++distance) {
      const std::uint32_t to = rank_before(group, distance);
      co_await send(me, group, to, source.at(to), step(rank, to));
    }
  }
  co_return CallResult::kSuccess;
}

}  // namespace token_all_to_all

}  // namespace annelid::firmware
