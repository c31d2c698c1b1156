// All-to-all, each process a block for each other one: Tsai, Section 5.5.2;
// docs/internals/algorithms/collect-and-exchange.md, "All-to-all". SOURCE: blocks by receiver;
// TARGET: blocks by sender.
#include "firmware/collectives/blocks.hpp"
#include "firmware/collectives/copy.hpp"
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

}  // namespace

/// Algorithm A: all at once. Everybody posts its receives, as many as it may have under way, and
/// sends in the same order of distances. No two wait for each other: where a process is the one
/// that has come least far, those who send to it and receive from it have both come as far.
namespace direct_all_to_all {

CallResult check(const Context& me) { return check_all_to_all(me); }

Task run(Context& me) {
  const Group& group = me.group();
  const std::uint32_t size = group.size();
  const Blocks source = source_blocks(me), target = target_blocks(me);
  Transfers receives, sends;
  const auto post = [&](std::uint32_t distance) {
    const std::uint32_t from = rank_before(group, distance);
    receives.add(me, Direction::kReceive,
                 message(me, group.address(from), target.at(from), distance));
  };

  std::uint32_t posted = 0;
  while (posted + 1 < size && !receives.full()) post(++posted);
  Exchange own = copy(me, source.at(group.rank()), target.at(group.rank()));
  for (std::uint32_t distance = 1; distance < size; ++distance) {
    if (sends.full()) co_await sends.oldest();
    const std::uint32_t to = rank_after(group, distance);
    sends.add(me, Direction::kSend, message(me, group.address(to), source.at(to), distance));
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
